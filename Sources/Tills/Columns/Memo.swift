/// Caches the value that is made of each text of a column.
struct Memo<Value> {
    private var known: [String: Value] = [:]

    var count: Int { known.count }

    mutating func value(of text: ArraySlice<UInt8>, _ make: (String) -> Value) -> Value {
        // Strings are hashed and compared faster than slices of bytes.
        let text = String(decoding: text, as: UTF8.self)
        if let value = known[text] { return value }
        let value = make(text)
        known[text] = value
        return value
    }
}
