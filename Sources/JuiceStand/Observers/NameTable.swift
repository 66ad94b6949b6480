/// Numbers names from 0 in the order in which they are added.
struct NameTable: Sendable {
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]

    /// The number of a name; nil if it has not been added.
    func number(of name: String) -> Int? { numbers[name] }

    /// Adds a name unless it is there. Returns its number.
    mutating func add(_ name: String) -> Int {
        if let number = numbers[name] { return number }
        numbers[name] = names.count
        names.append(name)
        return names.count - 1
    }
}

/// Values by the numbers of a ``NameTable``.
struct Numbered<Value: Sendable>: Sendable {
    private var values: [Value?] = []

    subscript(number: Int) -> Value? {
        get { number < values.count ? values[number] : nil }
        set {
            while values.count <= number { values.append(nil) }
            values[number] = newValue
        }
    }
}
