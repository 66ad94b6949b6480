final class Till {
    var cups = 0
    func observe<Value>(_ path: KeyPath<Till, Value>, _ call: @escaping (Value) -> Void) {}
}

func f(_ till: Till) {
    till.observe(\.cups) { $0 += 1 }
    // error: left side of mutating operator isn't mutable: '$0' is immutable
}
