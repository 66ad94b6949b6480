import TextFormats

/// One line of a ledger: its keys and values, as ranges of bytes.
///
/// An audit reads millions of lines, so that no text is made before a rule needs it.
struct LedgerLine {
    /// A key and its value.
    struct Field {
        var key: Range<Int>
        var value: Value
    }

    enum Value {
        /// As it is written.
        case number(Range<Int>)
        /// Without quotes and escapes.
        case text(Range<Int>)
        /// Fields in ``LedgerLine/inner``.
        case object(Range<Int>)
        case other
    }

    private(set) var bytes: [UInt8]
    private(set) var fields: [Field] = []
    /// The fields of the objects in the line.
    private(set) var inner: [Field] = []

    /// The text in a range of bytes.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Whether some of the fields have these keys, in this order.
    func hasKeys(_ keys: [[UInt8]], in places: Range<Int>) -> Bool {
        guard places.count == keys.count else { return false }
        for (place, key) in zip(places, keys) {
            let range = fields[place].key
            guard range.count == key.count, bytes[range].elementsEqual(key) else { return false }
        }
        return true
    }
}

// MARK: - As the stand writes it

extension LedgerLine {
    /// Reads a line without spaces and escapes, with at most one object within the other; nil for any other line.
    init?(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        fields.reserveCapacity(9)
        var scanner = Scanner(bytes: bytes, place: range.lowerBound, end: range.upperBound)
        guard scanner.object(&fields, &inner, isOuter: true) != nil, scanner.place == scanner.end else { return nil }
    }

    private struct Scanner {
        let bytes: [UInt8]
        var place: Int
        let end: Int

        mutating func take(_ byte: UInt8) -> Bool {
            guard place < end, bytes[place] == byte else { return false }
            place += 1
            return true
        }

        /// Adds the fields of an object.
        ///
        /// - Returns: the range they have among `fields`.
        mutating func object(_ fields: inout [Field], _ inner: inout [Field], isOuter: Bool) -> Range<Int>? {
            guard take(UInt8(ascii: "{")) else { return nil }
            let first = fields.count
            if take(UInt8(ascii: "}")) { return first..<first }
            repeat {
                guard let key = text(), take(UInt8(ascii: ":")), place < end else { return nil }
                let value: Value
                switch bytes[place] {
                case UInt8(ascii: "\""):
                    guard let range = text() else { return nil }
                    value = .text(range)
                case UInt8(ascii: "{"):
                    var none: [Field] = []
                    guard isOuter, let range = object(&inner, &none, isOuter: false) else { return nil }
                    value = .object(range)
                default:
                    guard let range = number() else { return nil }
                    value = .number(range)
                }
                // The keys of the line itself are held against a list anyway.
                if !isOuter, fields[first...].contains(where: { bytes[$0.key].elementsEqual(bytes[key]) }) {
                    return nil
                }
                fields.append(Field(key: key, value: value))
            } while take(UInt8(ascii: ","))
            return take(UInt8(ascii: "}")) ? first..<fields.count : nil
        }

        /// Printable ASCII and other UTF-8.
        mutating func text() -> Range<Int>? {
            guard take(UInt8(ascii: "\"")) else { return nil }
            let start = place
            var isASCII = true
            while place < end {
                let byte = bytes[place]
                if byte == UInt8(ascii: "\"") { break }
                guard byte >= 0x20, byte != UInt8(ascii: "\\"), byte != 0x7f else { return nil }
                if byte >= 0x80 { isASCII = false }
                place += 1
            }
            let range = start..<place
            guard take(UInt8(ascii: "\"")) else { return nil }
            return isASCII || String(validating: bytes[range], as: UTF8.self) != nil ? range : nil
        }

        /// Digits without a sign or an exponent, with decimals or without.
        mutating func number() -> Range<Int>? {
            let start = place
            skipDigits()
            guard place > start, bytes[start] != UInt8(ascii: "0") || place == start + 1 else { return nil }
            if take(UInt8(ascii: ".")) {
                let point = place
                skipDigits()
                guard place > point else { return nil }
            }
            return start..<place
        }

        private mutating func skipDigits() {
            while place < end, bytes[place] >= UInt8(ascii: "0"), bytes[place] <= UInt8(ascii: "9") { place += 1 }
        }
    }
}

// MARK: - As JSON5

extension LedgerLine {
    /// Takes the members of an object that the general reader has read.
    init(_ members: [JSONNode.Member]) {
        bytes = []
        fields = members.map { add($0) }
    }

    private mutating func add(_ member: JSONNode.Member) -> Field {
        let key = add(member.key)
        switch member.node.value {
        case .number(_, let text): return Field(key: key, value: .number(add(text)))
        case .string(let text): return Field(key: key, value: .text(add(text)))
        case .object(let members):
            let added = members.map { add($0) }
            inner += added
            return Field(key: key, value: .object(inner.count - added.count..<inner.count))
        default: return Field(key: key, value: .other)
        }
    }

    private mutating func add(_ text: String) -> Range<Int> {
        bytes += text.utf8
        return bytes.count - text.utf8.count..<bytes.count
    }
}

// MARK: - Numbers

extension LedgerLine {
    /// The stand time of the line that begins at `start`, without reading the rest: nanoseconds; nil if that is not `{"seq":N,"at":S`.
    static func nanoseconds(ofLineAt start: Int, in bytes: [UInt8]) -> Int64? {
        var place = start + 7
        func isDigit() -> Bool { place < bytes.count && bytes[place] >= 0x30 && bytes[place] <= 0x39 }
        while isDigit() { place += 1 }
        place += 6
        var number: Int64 = 0
        var decimals = -1
        while isDigit() || (place < bytes.count && bytes[place] == UInt8(ascii: ".") && decimals < 0) {
            defer { place += 1 }
            if bytes[place] == UInt8(ascii: ".") {
                decimals = 0
                continue
            }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            guard !overflow, product < .max - 9 else { return nil }
            number = product + Int64(bytes[place] - UInt8(ascii: "0"))
            if decimals >= 0 { decimals += 1 }
        }
        return decimals == 9 ? number : nil
    }

    func whole(_ range: Range<Int>) -> Int64? { Self.whole(range, in: bytes) }
    func nanoseconds(_ range: Range<Int>) -> Int64? { Self.nanoseconds(range, in: bytes) }

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
