final class Stand {
    let lock = NSLock()
    var handlers: [@Sendable (Int) -> Void] = []
    func sell() { for handler in lock.withLock { handlers } { handler(1) } }
}
