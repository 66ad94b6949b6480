struct Sold: TypedNotification {}
func show() async {}
func f(_ c: TypedNotificationCenter) { _ = c.observe(Sold.self) { _ in await show() } }
// error: cannot pass function of type '@Sendable (Sold) async -> ()' to parameter expecting synchronous function type
