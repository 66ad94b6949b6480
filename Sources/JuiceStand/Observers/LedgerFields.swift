/// The event's own fields, by their keys.
struct LedgerFields {
    private let line: LedgerLine
    private let keys: [String]
    private let first: Int

    /// - Precondition: From `first` on, the line has the fields `keys`, in this order.
    init(_ line: LedgerLine, from first: Int, keys: [String]) {
        self.line = line
        self.first = first
        self.keys = keys
    }

    private func value(_ key: String) -> LedgerLine.Value? {
        for (place, known) in keys.enumerated() where known == key { return line.fields[first + place].value }
        return nil
    }

    func text(_ key: String) -> String? {
        if case .text(let range)? = value(key) { line.text(range) } else { nil }
    }

    func integer(_ key: String) -> Int? {
        // No stand counts further, and sums of larger numbers could overflow.
        number(key).flatMap { abs($0) <= 1_000_000_000_000 ? Int($0) : nil }
    }

    func order(_ key: String = "order") -> UInt64? { number(key).flatMap { $0 > 0 ? UInt64($0) : nil } }

    private func number(_ key: String) -> Int64? {
        if case .number(let range)? = value(key) { line.whole(range) } else { nil }
    }

    func decimal(_ key: String) -> Double? {
        if case .number(let range)? = value(key) { Double(line.text(range)) } else { nil }
    }

    func isNumber(_ key: String) -> Bool {
        if case .number? = value(key) { true } else { false }
    }

    func time(_ key: String) -> Int64? {
        if case .number(let range)? = value(key) { line.nanoseconds(range) } else { nil }
    }

    /// Levels by fruit; nil for an unlimited fruit.
    func levels(_ key: String) -> [(fruit: String, level: Int?)]? {
        guard case .object(let range)? = value(key) else { return nil }
        var levels: [(String, Int?)] = []
        for field in line.inner[range] {
            switch field.value {
            case .text(let text) where line.text(text) == "unlimited": levels.append((line.text(field.key), nil))
            case .number(let number):
                guard let level = line.whole(number) else { return nil }
                levels.append((line.text(field.key), Int(level)))
            default: return nil
            }
        }
        return levels
    }
}
