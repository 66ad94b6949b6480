/// Remembers what is made of each text of a column.
struct Memo<Value> {
    private var known: [ArraySlice<UInt8>: Value] = [:]

    var count: Int { known.count }

    mutating func value(of text: ArraySlice<UInt8>, _ make: (String) -> Value) -> Value {
        if let value = known[text] { return value }
        let value = make(String(decoding: text, as: UTF8.self))
        // A copy, because a slice would hold the whole piece of the file.
        known[Array(text)[...]] = value
        return value
    }
}
