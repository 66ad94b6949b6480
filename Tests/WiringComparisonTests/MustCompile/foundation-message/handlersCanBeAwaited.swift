struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
func show() async {}
func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { _ in await show() } }
