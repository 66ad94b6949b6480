import HTTPServer
import JuiceStand
import TextFormats

/// Finds what JSON5 allows and JSON of RFC 8259 does not.
///
/// For a text that has been read as JSON5 without a problem: only where the two differ is looked at.
struct JSONStrictness {
    private let bytes: [UInt8]
    private let source: String
    private var position = 0

    /// The first thing in `bytes` that is no JSON; nil where all of it is.
    ///
    /// - Complexity: Linear in the number of bytes.
    static func problem(in bytes: [UInt8], source: String) -> TextProblem? {
        var check = JSONStrictness(bytes: bytes, source: source)
        while check.position < bytes.count {
            if let problem = check.token() { return problem }
        }
        return nil
    }

    private init(bytes: [UInt8], source: String) {
        self.bytes = bytes
        self.source = source
    }

    /// Steps over one token, or says what is wrong with it.
    private mutating func token() -> TextProblem? {
        let start = position
        switch bytes[start] {
        case UInt8(ascii: " "), 9, 10, 13, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: ":"):
            position += 1
        case UInt8(ascii: ","):
            position += 1
            skipSpace()
            if position < bytes.count, bytes[position] == UInt8(ascii: "}") || bytes[position] == UInt8(ascii: "]") {
                return problem(at: start, "expected no comma before the closing bracket, found one")
            }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "'"): return problem(at: start, "expected double quotes, found a single one")
        case UInt8(ascii: "/"): return problem(at: start, "expected no comments, found one")
        case let byte where HTTPGrammar.isDigit(byte) || [0x2B, 0x2D, 0x2E].contains(byte):
            position = end(of: start)
            if !Self.isNumber(bytes[start..<position]) {
                return problem(at: start, "expected a decimal number, found \(text(from: start))")
            }
        default:
            position = end(of: start)
            let word = String(decoding: bytes[start..<position], as: UTF8.self)
            skipSpace()
            if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
                return problem(at: start, "expected a name in double quotes, found \(word)")
            }
            if !["true", "false", "null"].contains(word) {
                return problem(at: start, "expected a value or a space as JSON has them, found \(word)")
            }
        }
        return nil
    }

    private mutating func string() -> TextProblem? {
        position += 1
        while bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] < 0x20 { return problem(at: position, "expected '\\t' in a string, found a tab") }
            if bytes[position] == UInt8(ascii: "\\") {
                guard "\"\\/bfnrtu".utf8.contains(bytes[position + 1]) else {
                    return problem(at: position, "expected one of the escapes of JSON, found another")
                }
                position += 1
            }
            position += 1
        }
        position += 1
        return nil
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 9, 10, 13].contains(bytes[position]) { position += 1 }
    }

    /// Where a word or a number ends: at white space, a bracket, a comma, a colon or the beginning of a comment.
    private func end(of start: Int) -> Int {
        bytes[(start + 1)...].firstIndex { " \t\n\r{}[],:/".utf8.contains($0) } ?? bytes.count
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    /// Whether these are a number of RFC 8259, 6.
    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        func digits() -> Int {
            let count = rest.prefix(while: HTTPGrammar.isDigit).count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !startsWithZero || whole == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    private func problem(at position: Int, _ message: String) -> TextProblem {
        let before = String(decoding: bytes[..<position], as: UTF8.self).unicodeScalars
        var (line, column) = (1, 1)
        var last: Unicode.Scalar?
        for scalar in before {
            let isEnd = scalar == "\n" && last != "\r" || scalar == "\r"
            if isEnd { line += 1 }
            column = isEnd || scalar == "\n" ? 1 : column + 1
            last = scalar
        }
        return TextProblem(place: Place(source: source, line: line, column: column), message: message)
    }
}
