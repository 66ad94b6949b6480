import TextFormats

/// The beginning of a ledger line, as the stand writes it: number, time and event.
///
/// The event's own values follow. An audit reads millions of lines, so no text is made before a rule needs it.
package struct LedgerLine {
    /// The bytes of the number.
    package let number: Range<Int>
    let sequence: Int64
    /// The bytes of the time.
    let at: Range<Int>
    package let nanoseconds: Int64
    package let kind: FactKind

    /// Reads the beginning of a line; nil for anything else.
    package init?(_ line: inout FlatLine) {
        guard let number = line.sequence(), let sequence = Self.whole(number, in: line.bytes), sequence >= 0,
            let at = line.time(), let nanoseconds = Self.nanoseconds(at, in: line.bytes), let event = line.event(),
            let kind = Self.kind(line, event)
        else { return nil }
        self.number = number
        self.sequence = sequence
        self.at = at
        self.nanoseconds = nanoseconds
        self.kind = kind
    }

    /// The number of the line at the beginning of `bytes`; nil if that is not `{"seq":N,"at":`.
    package static func sequence(_ bytes: [UInt8]) -> UInt64? {
        var line = FlatLine(bytes, in: bytes.indices)
        guard let number = line.sequence(), line.take(beforeTime) else { return nil }
        return whole(number, in: bytes).flatMap { UInt64(exactly: $0) }
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
    /// The bytes with which every line of a ledger begins.
    package static let beforeSequence = Array("{\"seq\":".utf8)
    fileprivate static let beforeTime = Array(",\"at\":".utf8)
    fileprivate static let beforeEvent = Array(",\"event\":".utf8)

    /// Kinds of events with their names, by the length of the name.
    private static let kinds: [[(name: [UInt8], kind: FactKind)]] = {
        let kinds = FactKind.allCases.map { (name: Array($0.name.utf8), kind: $0) }
        let longest = kinds.map(\.name.count).max() ?? 0
        return (0...longest).map { count in kinds.filter { $0.name.count == count } }
    }()

    private static func kind(_ line: FlatLine, _ event: Range<Int>) -> FactKind? {
        guard event.count < kinds.count else { return nil }
        for (name, kind) in kinds[event.count] where line.isEqual(event, name) { return kind }
        return nil
    }
}

extension FlatLine {
    /// The number at the beginning of a ledger line.
    fileprivate mutating func sequence() -> Range<Int>? { take(LedgerLine.beforeSequence) ? number() : nil }

    fileprivate mutating func time() -> Range<Int>? { take(LedgerLine.beforeTime) ? number() : nil }

    fileprivate mutating func event() -> Range<Int>? { take(LedgerLine.beforeEvent) ? text() : nil }
}

// MARK: - Numbers

extension LedgerLine {
    /// The whole number in a range; nil for any other text.
    package static func whole(_ range: Range<Int>, in bytes: [UInt8]) -> Int64? {
        var digits = range
        let isNegative = !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "-")
        if isNegative { digits = range.lowerBound + 1..<range.upperBound }
        // Eighteen digits always fit.
        guard !digits.isEmpty, digits.count < 19 else { return nil }
        return number(digits, in: bytes).map { isNegative ? -$0 : $0 }
    }

    /// The nanoseconds of seconds with exactly nine decimals; nil for any other text.
    package static func nanoseconds(_ range: Range<Int>, in bytes: [UInt8]) -> Int64? {
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
