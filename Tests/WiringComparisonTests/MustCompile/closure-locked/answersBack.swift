func f(_ handlers: [@Sendable () -> Int]) {
    for handler in handlers {
        let left: Int = handler()
        _ = left
    }
}
