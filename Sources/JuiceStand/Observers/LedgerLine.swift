import TextFormats

/// The beginning of a ledger line. Its other values go into `LedgerFields`.
///
/// An audit reads millions of lines. So it compares each key once, with the one that must be there, and makes no text
/// before a rule needs it.
package struct LedgerLine {
    let sequence: Int64
    let nanoseconds: Int64
    /// The bytes of the time.
    let at: Range<Int>
    let kind: FactKind

    /// Reads a line with exactly the keys of its event, as the stand writes it, without objects and escapes.
    ///
    /// - Parameter fields: Gets the values of the event's own fields.
    /// - Returns: nil for any other line.
    init?(_ bytes: [UInt8], in range: Range<Int>, _ fields: inout LedgerFields, rules: [LedgerAudit.Rule]) {
        var line = FlatLine(bytes, in: range)
        guard let sequence = line.sequence(), let at = line.time(), let nanoseconds = Self.nanoseconds(at, in: bytes),
            let event = line.event(), let kind = Self.kind(line, event)
        else { return nil }
        (self.sequence, self.nanoseconds, self.at, self.kind) = (sequence, nanoseconds, at, kind)
        let rule = rules[kind.rawValue]
        fields.begin(bytes, keys: rule.keys)
        var count = 0
        for lead in rule.leads {
            guard line.take(lead) else { break }
            switch line.value() {
            case .number(let number)?: fields.add(.number(number))
            case .text(let text)?: fields.add(.text(text))
            case .null?, .bool?, nil: return nil
            }
            count += 1
        }
        guard rule.counts.contains(count), line.take(Self.closing), line.isAtEnd,
            line.isASCII || String(validating: bytes[range], as: UTF8.self) != nil
        else { return nil }
    }

    /// The number of the line at the beginning of `bytes`; nil if that is not `{"seq":N,"at":`.
    package static func sequence(_ bytes: [UInt8]) -> UInt64? {
        var line = FlatLine(bytes, in: bytes.indices)
        guard let sequence = line.sequence(), line.take(beforeTime) else { return nil }
        return UInt64(sequence)
    }

    /// The time and the event of a line as they are written, without reading the rest; nil if that is not
    /// `{"seq":N,"at":S,"event":"NAME"`.
    package static func head(_ line: ArraySlice<UInt8>) -> (at: String, event: String)? {
        let bytes = Array(line.prefix(longestHead))
        var line = FlatLine(bytes, in: bytes.indices)
        guard line.sequence() != nil, let at = line.time(), let event = line.event() else { return nil }
        return (String(decoding: bytes[at], as: UTF8.self), String(decoding: bytes[event], as: UTF8.self))
    }

    private static let longestHead = 160
    /// What every line of a ledger begins with.
    package static let beforeSequence = Array("{\"seq\":".utf8)
    fileprivate static let beforeTime = Array(",\"at\":".utf8)
    private static let closing = Array("}".utf8)
    fileprivate static let beforeEvent = Array(",\"event\":".utf8)

    /// Kinds of events with their names, by the length of the name.
    private static let kinds: [[(name: [UInt8], kind: FactKind)]] = {
        let kinds = FactKind.allCases.map { (name: Array($0.name.utf8), kind: $0) }
        return (0...(kinds.map(\.name.count).max() ?? 0)).map { count in kinds.filter { $0.name.count == count } }
    }()

    private static func kind(_ line: FlatLine, _ event: Range<Int>) -> FactKind? {
        guard event.count < kinds.count else { return nil }
        for (name, kind) in kinds[event.count] where line.isEqual(event, name) { return kind }
        return nil
    }
}

extension FlatLine {
    /// The number at the beginning of a ledger line.
    fileprivate mutating func sequence() -> Int64? {
        guard take(LedgerLine.beforeSequence), let number = number() else { return nil }
        return LedgerLine.whole(number, in: bytes).flatMap { $0 < 0 ? nil : $0 }
    }

    fileprivate mutating func time() -> Range<Int>? { take(LedgerLine.beforeTime) ? number() : nil }

    fileprivate mutating func event() -> Range<Int>? { take(LedgerLine.beforeEvent) ? text() : nil }
}

// MARK: - Numbers

extension LedgerLine {
    /// The whole number in a range; nil for any other text.
    static func whole(_ range: Range<Int>, in bytes: [UInt8]) -> Int64? {
        var digits = range
        let isNegative = !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "-")
        if isNegative { digits = range.lowerBound + 1..<range.upperBound }
        // Eighteen digits always fit.
        guard !digits.isEmpty, digits.count < 19 else { return nil }
        return number(digits, in: bytes).map { isNegative ? -$0 : $0 }
    }

    /// The nanoseconds of seconds with exactly nine decimals; nil for any other text.
    static func nanoseconds(_ range: Range<Int>, in bytes: [UInt8]) -> Int64? {
        let point = range.upperBound - 10
        guard point > range.lowerBound, point - range.lowerBound < 10, bytes[point] == UInt8(ascii: "."),
            let seconds = number(range.lowerBound..<point, in: bytes),
            let rest = number(point + 1..<range.upperBound, in: bytes)
        else { return nil }
        return seconds * 1_000_000_000 + rest
    }

    private static func number(_ digits: Range<Int>, in bytes: [UInt8]) -> Int64? {
        var number: Int64 = 0
        for place in digits {
            guard bytes[place] >= UInt8(ascii: "0"), bytes[place] <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int64(bytes[place] - UInt8(ascii: "0"))
        }
        return number
    }
}
