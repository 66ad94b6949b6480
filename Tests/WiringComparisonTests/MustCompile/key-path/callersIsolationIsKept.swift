final class Till {
    var cups = 0
    func observe<Value>(_ path: KeyPath<Till, Value>, _ call: @escaping (Value) -> Void) {}
}

actor Display {
    var cups = 0
    func wire(_ till: Till) { till.observe(\.cups) { self.cups += $0 } }
}
