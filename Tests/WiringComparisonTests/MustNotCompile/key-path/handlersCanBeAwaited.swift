final class Till {
    var cups = 0
    func observe<Value>(_ path: KeyPath<Till, Value>, _ call: @escaping (Value) -> Void) {}
}

func show() async {}

func f(_ till: Till) {
    till.observe(\.cups) { _ in await show() }
    // error: cannot pass function of type '(Int) async -> ()' to parameter expecting synchronous function type
}
