import TextFormats

/// The event's own fields, by their keys.
struct LedgerFields {
    enum Value {
        /// The bytes of a number.
        case number(Range<Int>)
        /// The bytes of a text without quotes and escapes.
        case text(Range<Int>)
        /// Levels by fruit; nil for an unlimited fruit.
        case levels([(fruit: String, level: Int?)])
        case other
    }

    private static let closing = Array("}".utf8)

    private var bytes: [UInt8] = []
    private var keys: [String] = []
    private var values: [Value] = []

    init() {}

    /// Takes members that the general reader has read.
    init(_ members: some Sequence<JSONNode.Member>) {
        for member in members {
            keys.append(member.key)
            switch member.node.value {
            case .number(_, let text): values.append(.number(add(text)))
            case .string(let text): values.append(.text(add(text)))
            case .object(let members): values.append(Self.levels(members).map { .levels($0) } ?? .other)
            default: values.append(.other)
            }
        }
    }

    private mutating func add(_ text: String) -> Range<Int> {
        bytes += text.utf8
        return bytes.count - text.utf8.count..<bytes.count
    }

    private static func levels(_ members: [JSONNode.Member]) -> [(fruit: String, level: Int?)]? {
        var levels: [(String, Int?)] = []
        for member in members {
            switch member.node.value {
            case .string("unlimited"): levels.append((member.key, nil))
            case .number(_, let text):
                let bytes = Array(text.utf8)
                guard let level = LedgerLine.whole(bytes.indices, in: bytes) else { return nil }
                levels.append((member.key, Int(level)))
            default: return nil
            }
        }
        return levels
    }

    /// Reads the values of a line with exactly the keys of its event, as the stand writes it, without objects and
    /// escapes. Each key is compared once, with the one that must be there.
    ///
    /// - Returns: False for any other line.
    mutating func read(_ line: inout FlatLine, _ rule: LedgerAudit.Rule) -> Bool {
        bytes = line.bytes
        keys = rule.keys
        values.removeAll(keepingCapacity: true)
        for lead in rule.leads {
            guard line.take(lead) else { break }
            switch line.value() {
            case .number(let number)?: values.append(.number(number))
            case .text(let text)?: values.append(.text(text))
            case .null?, .bool?, nil: return false
            }
        }
        return rule.counts.contains(values.count) && line.take(Self.closing) && line.isAtEnd && line.isUTF8
    }

    private func value(_ key: String) -> Value? {
        for place in values.indices where keys[place] == key { return values[place] }
        return nil
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func text(_ key: String) -> String? { if case .text(let range)? = value(key) { text(range) } else { nil } }

    func integer(_ key: String) -> Int? {
        // No stand counts further, and sums of larger numbers could overflow.
        whole(key).flatMap { abs($0) <= 1_000_000_000_000 ? Int($0) : nil }
    }

    func order(_ key: String = "order") -> UInt64? { whole(key).flatMap { $0 > 0 ? UInt64($0) : nil } }

    func whole(_ key: String) -> Int64? {
        if case .number(let range)? = value(key) { LedgerLine.whole(range, in: bytes) } else { nil }
    }

    func decimal(_ key: String) -> Double? {
        if case .number(let range)? = value(key) { Double(text(range)) } else { nil }
    }

    func isNumber(_ key: String) -> Bool { if case .number? = value(key) { true } else { false } }

    func time(_ key: String) -> Int64? {
        if case .number(let range)? = value(key) { LedgerLine.nanoseconds(range, in: bytes) } else { nil }
    }

    func levels(_ key: String) -> [(fruit: String, level: Int?)]? {
        if case .levels(let levels)? = value(key) { levels } else { nil }
    }
}
