/// A line with exactly the keys of its event, as the stand writes it, without objects and escapes.
///
/// An audit reads millions of lines. Here each key is compared once, with the one that must be there. ``LedgerLine`` reads every
/// other line and finds what is wrong with it.
struct ExpectedLine {
    let sequence: Int64
    let nanoseconds: Int64
    /// Where its time is.
    let at: Range<Int>
    let kind: FactKind

    /// - Parameter fields: Gets the values of the event's own fields.
    /// - Returns: nil for a line of any other form.
    init?(_ bytes: [UInt8], in range: Range<Int>, _ fields: inout LedgerFields, rules: [LedgerAudit.Rule]) {
        var scanner = Scanner(bytes: bytes, place: range.lowerBound, end: range.upperBound)
        guard scanner.take(Self.beforeSequence), let number = scanner.number(),
            let sequence = LedgerLine.whole(number, in: bytes), scanner.take(Self.beforeTime),
            let at = scanner.number(), let time = LedgerLine.nanoseconds(at, in: bytes),
            scanner.take(Self.beforeEvent), let event = scanner.text(), let kind = Self.kind(bytes, event)
        else { return nil }
        (self.sequence, nanoseconds, self.at, self.kind) = (sequence, time, at, kind)
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

    private static let beforeSequence = Array("{\"seq\":".utf8)
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

    private struct Scanner {
        let bytes: [UInt8]
        var place: Int
        let end: Int

        /// Whether `text` is there. The caller knows that so many bytes are left.
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

        mutating func value() -> LedgerLine.Value? {
            guard place < end else { return nil }
            if bytes[place] == UInt8(ascii: "\"") { return text().map { .text($0) } }
            return number().map { .number($0) }
        }

        /// A text in quotes, of printable ASCII without escapes.
        mutating func text() -> Range<Int>? {
            guard place < end, bytes[place] == UInt8(ascii: "\"") else { return nil }
            let start = place + 1
            var next = start
            while next < end {
                let byte = bytes[next]
                if byte == UInt8(ascii: "\"") {
                    place = next + 1
                    return start..<next
                }
                guard byte >= 0x20, byte < 0x7f, byte != UInt8(ascii: "\\") else { return nil }
                next += 1
            }
            return nil
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
