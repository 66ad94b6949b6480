/// Reads a line that is one object of strict JSON without escapes and nested values, member by member.
///
/// It builds no tree and no texts, so it is many times faster than ``JSON5Parser``, which must read all other lines.
/// Texts are not checked for UTF-8 at once; see ``isUTF8``.
///
/// ```swift
/// var line = FlatLine(bytes, in: range)
/// while let member = line.member() { … }
/// guard line.end() else { return nil }
/// ```
package struct FlatLine {
    package enum Value {
        case null
        /// The bytes of `true` or `false`.
        case bool(Range<Int>)
        /// The bytes of a number.
        case number(Range<Int>)
        /// The bytes of a text without its quotes.
        case text(Range<Int>)
    }

    package let bytes: [UInt8]
    /// The byte to be read next.
    package private(set) var position: Int
    /// Whether all texts that have been read are ASCII.
    private var isASCII = true
    private let start: Int
    private let limit: Int
    private var hasBegun = false
    private var isFaulty = false

    /// - Parameter range: The line in `bytes`, without its line feed.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        start = range.lowerBound
        limit = range.upperBound
        position = start
    }

    /// Reads the next member, with white space around its parts. Returns nil after the last one and at a fault.
    package mutating func member() -> (key: Range<Int>, value: Value)? {
        skipSpace()
        guard take(hasBegun ? ASCII.comma : ASCII.openBrace) else { return nil }
        hasBegun = true
        isFaulty = true
        skipSpace()
        guard let key = text() else { return nil }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return nil }
        skipSpace()
        guard let value = value() else { return nil }
        isFaulty = false
        return (key, value)
    }

    /// Whether the object ends after the members read, and the line with it.
    package mutating func end() -> Bool {
        skipSpace()
        guard !isFaulty, take(UInt8(ascii: "}")) else { return false }
        skipSpace()
        return position == limit
    }

    /// Whether the line is UTF-8, if all of it has been read.
    package var isUTF8: Bool { isASCII || String(validating: bytes[start..<limit], as: UTF8.self) != nil }

    /// Whether the bytes in `range` are those of `text`.
    package func isEqual(_ range: Range<Int>, _ text: [UInt8]) -> Bool {
        guard range.count == text.count else { return false }
        for index in text.indices where bytes[range.lowerBound + index] != text[index] { return false }
        return true
    }
}

// MARK: - Parts of a line that is written in one known way

extension FlatLine {
    /// Whether the whole line has been read.
    package var isAtEnd: Bool { position == limit }

    /// Steps over exactly these bytes if they come next.
    package mutating func take(_ text: [UInt8]) -> Bool {
        guard limit - position >= text.count, isEqual(position..<position + text.count, text) else { return false }
        position += text.count
        hasBegun = true
        return true
    }

    /// Reads a value without white space. Returns nil for an array, an object and a fault.
    package mutating func value() -> Value? {
        guard position < limit else { return nil }
        switch bytes[position] {
        case ASCII.quote: return text().map { .text($0) }
        case UInt8(ascii: "t"): return take(Self.true) ? .bool(position - 4..<position) : nil
        case UInt8(ascii: "f"): return take(Self.false) ? .bool(position - 5..<position) : nil
        case UInt8(ascii: "n"): return take(Self.null) ? .null : nil
        default: return number().map { .number($0) }
        }
    }

    private static let `true` = Array("true".utf8)
    private static let `false` = Array("false".utf8)
    private static let null = Array("null".utf8)

    /// Reads a text in quotes. Returns nil if it has escapes or no end.
    package mutating func text() -> Range<Int>? {
        guard take(ASCII.quote) else { return nil }
        let first = position
        while position < limit, bytes[position] != ASCII.quote {
            let byte = bytes[position]
            guard byte >= ASCII.space, byte != UInt8(ascii: "\\") else { return nil }
            if byte >= 0x80 { isASCII = false }
            position += 1
        }
        return take(ASCII.quote) ? first..<position - 1 : nil
    }

    /// Reads a number of RFC 8259: `-1.5e3`.
    package mutating func number() -> Range<Int>? {
        let first = position
        _ = take(ASCII.minus)
        let digits = position
        guard skipDigits(), position == digits + 1 || bytes[digits] != ASCII.zero else { return nil }
        if take(ASCII.point), !skipDigits() { return nil }
        if position < limit, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !take(ASCII.plus) { _ = take(ASCII.minus) }
            guard skipDigits() else { return nil }
        }
        return first..<position
    }

    /// Returns false if there is no digit.
    private mutating func skipDigits() -> Bool {
        let first = position
        while position < limit, ASCII.isDigit(bytes[position]) { position += 1 }
        return position > first
    }

    private mutating func skipSpace() {
        while position < limit {
            let byte = bytes[position]
            guard byte == ASCII.space || byte == ASCII.tab || byte == ASCII.carriageReturn else { return }
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < limit, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
