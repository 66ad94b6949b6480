final class Till {
    var cups = 0
    func observe<Value>(_ path: KeyPath<Till, Value>, _ call: @escaping (Value) -> Void) {}
}

func f(_ till: Till) {
    till.observe(\.cusp) { print($0) }
    // error: value of type 'Till' has no member 'cusp'
    till.observe(\.cups) { (cups: String) in print(cups) }
    // error: cannot convert value of type '(String) -> ()' to expected argument type '(Int) -> Void'
}
