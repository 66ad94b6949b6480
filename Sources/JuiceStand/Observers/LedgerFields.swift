/// The event's own fields, by their keys.
struct LedgerFields {
    private var bytes: [UInt8] = []
    private var keys: [String] = []
    private var values: [LedgerLine.Value] = []
    /// The fields of the objects among the values.
    private var inner: [LedgerLine.Field] = []

    init() {}

    /// - Precondition: From `first` on, the line has the fields `keys`, in this order.
    init(_ line: LedgerLine, from first: Int, keys: [String]) {
        (bytes, inner) = (line.bytes, line.inner)
        self.keys = keys
        values = line.fields[first...].map(\.value)
    }

    /// Begins a line, whose values follow in the order of its keys.
    mutating func begin(_ bytes: [UInt8], keys: [String]) {
        self.bytes = bytes
        self.keys = keys
        values.removeAll(keepingCapacity: true)
    }

    mutating func add(_ value: LedgerLine.Value) { values.append(value) }

    private func value(_ key: String) -> LedgerLine.Value? {
        for place in values.indices where keys[place] == key { return values[place] }
        return nil
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func text(_ key: String) -> String? {
        if case .text(let range)? = value(key) { text(range) } else { nil }
    }

    /// The number that a name has in a table, where it is added.
    func number(_ key: String, _ table: inout NameTable) -> Int? {
        if case .text(let range)? = value(key) { table.add(bytes, range) } else { nil }
    }

    func integer(_ key: String) -> Int? {
        // No stand counts further, and sums of larger numbers could overflow.
        number(key).flatMap { abs($0) <= 1_000_000_000_000 ? Int($0) : nil }
    }

    func order(_ key: String = "order") -> UInt64? { number(key).flatMap { $0 > 0 ? UInt64($0) : nil } }

    private func number(_ key: String) -> Int64? {
        if case .number(let range)? = value(key) { LedgerLine.whole(range, in: bytes) } else { nil }
    }

    func decimal(_ key: String) -> Double? {
        if case .number(let range)? = value(key) { Double(text(range)) } else { nil }
    }

    func isNumber(_ key: String) -> Bool {
        if case .number? = value(key) { true } else { false }
    }

    func time(_ key: String) -> Int64? {
        if case .number(let range)? = value(key) { LedgerLine.nanoseconds(range, in: bytes) } else { nil }
    }

    /// Levels by fruit; nil for an unlimited fruit.
    func levels(_ key: String) -> [(fruit: String, level: Int?)]? {
        guard case .object(let range)? = value(key) else { return nil }
        var levels: [(String, Int?)] = []
        for field in inner[range] {
            switch field.value {
            case .text(let range) where text(range) == "unlimited": levels.append((text(field.key), nil))
            case .number(let number):
                guard let level = LedgerLine.whole(number, in: bytes) else { return nil }
                levels.append((text(field.key), Int(level)))
            default: return nil
            }
        }
        return levels
    }
}
