final class Till {
    var cups = 0
    var isLow = false
    func observe<Value>(_ path: KeyPath<Till, Value>, _ call: @escaping (Value) -> Void) {}
}

func f(_ till: Till) { till.observe(\.cups) { print($0) } }
