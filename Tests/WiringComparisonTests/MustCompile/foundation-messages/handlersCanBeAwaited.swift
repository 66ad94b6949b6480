struct Sold: NotificationCenter.AsyncMessage { typealias Subject = NotificationCenter }
func show() async {}
func f(_ c: NotificationCenter) async { for await _ in c.messages(for: Sold.self) { await show() } }
