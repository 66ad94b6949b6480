func f(_ handlers: [() -> Int]) {
    for handler in handlers {
        let left: Int = handler()
        _ = left
    }
}
