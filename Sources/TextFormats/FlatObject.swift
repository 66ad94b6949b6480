/// Reads the usual line of JSON Lines: one object of strict JSON without escapes and without nested values.
///
/// It builds no tree, so it is many times faster than ``JSON5Parser``. Every other line is left to that parser.
struct FlatObject {
    private let bytes: [UInt8]
    private let start: Int
    private let end: Int
    private var position: Int

    /// - Parameter line: The positions of a line in `bytes`.
    init(_ bytes: [UInt8], _ line: Range<Int>) {
        self.bytes = bytes
        (start, end, position) = (line.lowerBound, line.upperBound, line.lowerBound)
    }

    /// Reads the values of `keys`: nil for null, and for a key that is not there. Returns false if the parser must read
    /// the line instead.
    mutating func fill(_ fields: inout [DelimitedRecord.Field?], _ keys: [[UInt8]]) -> Bool {
        fields.removeAll(keepingCapacity: true)
        for _ in keys { fields.append(nil) }
        var isFound: UInt64 = 0
        guard keys.count <= 64, take(ASCII.openBrace) else { return false }
        repeat {
            skipSpace()
            guard let key = string() else { return false }
            guard take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            guard let value = value() else { return false }
            for index in keys.indices where equals(key, keys[index]) {
                // The parser reports a key that occurs twice.
                guard isFound & 1 << UInt64(index) == 0 else { return false }
                isFound |= 1 << UInt64(index)
                if case .text(let range) = value {
                    fields[index] = .init(start: range.lowerBound, end: range.upperBound)
                }
            }
        } while take(ASCII.comma)
        guard take(UInt8(ascii: "}")) else { return false }
        skipSpace()
        return position == end
    }

    /// Whether the line is such an object, and all its numbers are plainly from 0 to 2^53: without a sign or an
    /// exponent, and with at most fifteen digits before the point. Texts may be other bytes than UTF-8.
    mutating func hasPlainFigures() -> Bool {
        guard take(ASCII.openBrace) else { return false }
        repeat {
            skipSpace()
            guard string() != nil, take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            let start = position
            guard value() != nil else { return false }
            guard ASCII.isDigit(bytes[start]) || bytes[start] == ASCII.minus else { continue }
            let number = bytes[start..<position]
            let digits = number.prefix(while: ASCII.isDigit).count
            let rest = number.dropFirst(digits)
            guard 1...15 ~= digits, rest.first ?? ASCII.point == ASCII.point, rest.dropFirst().allSatisfy(ASCII.isDigit)
            else { return false }
        } while take(ASCII.comma)
        guard take(UInt8(ascii: "}")) else { return false }
        skipSpace()
        return position == end
    }

    private func equals(_ range: Range<Int>, _ key: [UInt8]) -> Bool {
        guard range.count == key.count else { return false }
        for index in key.indices where bytes[range.lowerBound + index] != key[index] { return false }
        return true
    }

    private mutating func skipSpace() {
        while position < end {
            let byte = bytes[position]
            guard byte == ASCII.space || byte == ASCII.tab || byte == ASCII.carriageReturn else { return }
            position += 1
        }
    }

    /// Skips spaces, and then `byte` if it comes next.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// The positions of a string without its quotes; nil if it has escapes or no end.
    private mutating func string() -> Range<Int>? {
        guard position < end, bytes[position] == ASCII.quote else { return nil }
        position += 1
        let first = position
        while position < end, bytes[position] != ASCII.quote {
            let byte = bytes[position]
            guard byte >= ASCII.space, byte != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        guard position < end else { return nil }
        position += 1
        return first..<position - 1
    }

    private enum Value {
        case null
        /// The positions of what a field shows.
        case text(Range<Int>)
    }

    /// Nil for an array, an object or a fault.
    private mutating func value() -> Value? {
        guard position < end else { return nil }
        switch bytes[position] {
        case ASCII.quote: return string().map(Value.text)
        case UInt8(ascii: "t"): return word(Self.words[0]).map(Value.text)
        case UInt8(ascii: "f"): return word(Self.words[1]).map(Value.text)
        case UInt8(ascii: "n"): return word(Self.words[2]).map { _ in .null }
        default: return number().map(Value.text)
        }
    }

    private static let words = ["true", "false", "null"].map { Array($0.utf8) }

    private mutating func word(_ word: [UInt8]) -> Range<Int>? {
        let range = position..<position + word.count
        guard range.upperBound <= end, equals(range, word) else { return nil }
        position = range.upperBound
        return range
    }

    /// A number of RFC 8259: `-1.5e3`.
    private mutating func number() -> Range<Int>? {
        let first = position
        if bytes[position] == ASCII.minus { position += 1 }
        let digits = position
        guard skipDigits(), position == digits + 1 || bytes[digits] != ASCII.zero else { return nil }
        if position < end, bytes[position] == ASCII.point {
            position += 1
            guard skipDigits() else { return nil }
        }
        if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < end, bytes[position] == ASCII.plus || bytes[position] == ASCII.minus { position += 1 }
            guard skipDigits() else { return nil }
        }
        return first..<position
    }

    /// Returns false if there is no digit.
    private mutating func skipDigits() -> Bool {
        let first = position
        while position < end, ASCII.isDigit(bytes[position]) { position += 1 }
        return position > first
    }
}

extension [UInt8] {
    /// The text of some bytes; nil if they are not UTF-8.
    func text(_ range: Range<Int>) -> String? {
        // The general way costs more than all else that is done with a short field.
        for index in range where self[index] >= 0x80 { return String(validating: self[range], as: UTF8.self) }
        return unsafe String(unsafeUninitializedCapacity: range.count) { text in
            for (offset, index) in range.enumerated() { unsafe text[offset] = self[index] }
            return range.count
        }
    }
}
