final class Cup { var full = true }

final class Till {
    var cup = Cup()
    func observe<Value>(_ path: KeyPath<Till, Value>, _ call: @escaping (Value) -> Void) {}
}

func f(_ till: Till) { till.observe(\.cup) { $0.full = false } }
