struct Sold: NotificationCenter.MainActorMessage { typealias Subject = NotificationCenter }
func show() async {}
func f(_ c: NotificationCenter) -> Any { c.addObserver(for: Sold.self) { _ in await show() } }
// error: instance method 'addObserver(of:for:using:)' requires that 'Sold' conform to 'NotificationCenter.AsyncMessage'
