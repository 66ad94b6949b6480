final class Stand {
    let lock = NSLock()
    var handlers: [(Int) -> Void] = []
    func sell() { for handler in handlers { handler(1) } }
}
