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
        var scanner = Scanner(bytes: bytes, place: range.lowerBound, end: range.upperBound)
        guard let sequence = scanner.sequence(), let at = scanner.time(),
            let nanoseconds = Self.nanoseconds(at, in: bytes),
            let event = scanner.event(), let kind = Self.kind(bytes, event)
        else { return nil }
        (self.sequence, self.nanoseconds, self.at, self.kind) = (sequence, nanoseconds, at, kind)
        let rule = rules[kind.rawValue]
        fields.begin(bytes, keys: rule.keys)
        var count = 0
        for lead in rule.leads {
            guard scanner.take(lead) else { break }
            guard let value = scanner.value() else { return nil }
            fields.add(value)
            count += 1
        }
        guard rule.counts.contains(count), scanner.takeEnd() else { return nil }
    }

    /// The number of the line at the beginning of `bytes`; nil if that is not `{"seq":N,"at":`.
    package static func sequence(_ bytes: [UInt8]) -> UInt64? {
        var scanner = Scanner(bytes: bytes, place: 0, end: bytes.count)
        guard let sequence = scanner.sequence(), scanner.take(beforeTime) else { return nil }
        return UInt64(sequence)
    }

    /// The time and the event of a line as they are written, without reading the rest; nil if that is not
    /// `{"seq":N,"at":S,"event":"NAME"`.
    package static func head(_ line: ArraySlice<UInt8>) -> (at: String, event: String)? {
        let bytes = Array(line.prefix(longestHead))
        var scanner = Scanner(bytes: bytes, place: 0, end: bytes.count)
        guard scanner.sequence() != nil, let at = scanner.time(), let event = scanner.event() else { return nil }
        return (String(decoding: bytes[at], as: UTF8.self), String(decoding: bytes[event], as: UTF8.self))
    }

    private static let longestHead = 160
    /// What every line of a ledger begins with.
    package static let beforeSequence = Array("{\"seq\":".utf8)
    private static let beforeTime = Array(",\"at\":".utf8)
    private static let beforeEvent = Array(",\"event\":".utf8)

    /// Kinds of events with their names, by the length of the name.
    private static let kinds: [[(name: [UInt8], kind: FactKind)]] = {
        let kinds = FactKind.allCases.map { (name: Array($0.name.utf8), kind: $0) }
        return (0...(kinds.map(\.name.count).max() ?? 0)).map { count in kinds.filter { $0.name.count == count } }
    }()

    private static func kind(_ bytes: [UInt8], _ range: Range<Int>) -> FactKind? {
        guard range.count < kinds.count else { return nil }
        for (name, kind) in kinds[range.count] where Scanner.isEqual(name, bytes, at: range.lowerBound) { return kind }
        return nil
    }
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

// MARK: - Bytes

extension LedgerLine {
    private struct Scanner {
        let bytes: [UInt8]
        var place: Int
        let end: Int

        /// Whether `text` is there.
        ///
        /// - Precondition: At least as many bytes follow `start`.
        static func isEqual(_ text: [UInt8], _ bytes: [UInt8], at start: Int) -> Bool {
            for place in text.indices where text[place] != bytes[start + place] { return false }
            return true
        }

        mutating func take(_ text: [UInt8]) -> Bool {
            guard end - place >= text.count, Self.isEqual(text, bytes, at: place) else { return false }
            place += text.count
            return true
        }

        mutating func takeEnd() -> Bool { end - place == 1 && bytes[place] == UInt8(ascii: "}") }

        mutating func sequence() -> Int64? {
            guard take(LedgerLine.beforeSequence), let number = number() else { return nil }
            return LedgerLine.whole(number, in: bytes)
        }

        mutating func time() -> Range<Int>? { take(LedgerLine.beforeTime) ? number() : nil }

        mutating func event() -> Range<Int>? { take(LedgerLine.beforeEvent) ? text() : nil }

        mutating func value() -> LedgerFields.Value? {
            guard place < end else { return nil }
            if bytes[place] == UInt8(ascii: "\"") { return text().map { .text($0) } }
            return number().map { .number($0) }
        }

        /// A text in quotes, without control characters and escapes.
        mutating func text() -> Range<Int>? {
            guard place < end, bytes[place] == UInt8(ascii: "\"") else { return nil }
            let start = place + 1
            var next = start
            var isASCII = true
            while next < end, bytes[next] != UInt8(ascii: "\"") {
                let byte = bytes[next]
                guard byte >= 0x20, byte != 0x7f, byte != UInt8(ascii: "\\") else { return nil }
                if byte >= 0x80 { isASCII = false }
                next += 1
            }
            guard next < end, isASCII || String(validating: bytes[start..<next], as: UTF8.self) != nil else {
                return nil
            }
            place = next + 1
            return start..<next
        }

        /// Digits without a sign or an exponent, with decimals or without.
        mutating func number() -> Range<Int>? {
            let start = place
            var next = place
            var points = 0
            while next < end {
                let byte = bytes[next]
                if byte == UInt8(ascii: "."), next > start {
                    points += 1
                } else if byte < UInt8(ascii: "0") || byte > UInt8(ascii: "9") {
                    break
                }
                next += 1
            }
            guard next > start, points < 2, bytes[next - 1] != UInt8(ascii: "."),
                bytes[start] != UInt8(ascii: "0") || next == start + 1 || bytes[start + 1] == UInt8(ascii: ".")
            else { return nil }
            place = next
            return start..<next
        }
    }
}
