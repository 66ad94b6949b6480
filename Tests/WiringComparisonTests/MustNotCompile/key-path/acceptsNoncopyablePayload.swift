struct Cup: ~Copyable {}

final class Till {
    var cup = Cup()
    func observe<Value>(_ path: KeyPath<Till, Value>, _ call: @escaping (Value) -> Void) {}
}

func f(_ till: Till) {
    till.observe(\.cup) { _ in }
    // error: instance method 'observe' requires that 'Cup' conform to 'Copyable'
}
