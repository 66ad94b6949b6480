func show() async {}
func f(_ c: NotificationCenter) -> Any {
    c.addObserver(forName: .init("sold"), object: nil, queue: nil) { _ in await show() }
    // error: cannot pass function of type '@Sendable (Notification) async -> ()' to parameter expecting synchronous function type
}
