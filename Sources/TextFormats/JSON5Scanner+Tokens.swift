// MARK: - Strings

extension JSON5Scanner {
    /// Reads a string in double or single quotes. Returns nil after reporting a fault.
    mutating func string() -> String? {
        let start = position
        guard let quote = next else { return nil }
        if quote == "'" { reportIfStrict("expected double quotes, found a single one") }
        advance()
        var text = String.UnicodeScalarView()
        var isSound = true
        while let next, next != "\n", next != "\r" {
            if take(quote) { return isSound ? String(text) : nil }
            if next == "\\" {
                if !escape(into: &text) { isSound = false }
            } else if next.isControl && (next != "\t" || isStrict) {
                report("expected '\(next.escaped)' in a string, found the control character itself")
                isSound = false
                advance()
            } else {
                text.append(next)
                advance()
            }
        }
        let end = next == nil ? "the end of the text" : "the end of the line"
        report("expected \(String(quote).inQuotes) to close the string, found \(end)", at: start)
        return nil
    }

    /// Reads an escape. Returns false after reporting a fault.
    private mutating func escape(into text: inout String.UnicodeScalarView) -> Bool {
        let start = position
        advance()
        guard let letter = next else { return true }
        if isStrict, !"\"\\/bfnrtu".unicodeScalars.contains(letter) {
            report("expected an escape of JSON such as '\\n' or '\\u00e9', found another", at: start)
        }
        let shortForms: [Unicode.Scalar: Unicode.Scalar] = [
            "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
        ]
        switch letter {
        case "u": return unicodeEscape(into: &text)
        case "x":
            advance()
            guard let scalar = hexadecimal(digits: 2).flatMap(Unicode.Scalar.init) else {
                report("expected two hexadecimal digits after '\\x', found \(found)", at: start)
                return false
            }
            text.append(scalar)
        case _ where letter.isDigit:
            advance()
            if letter == "0", next?.isDigit != true {
                text.append("\0")
            } else {
                report("expected an escape such as '\\n' or '\\u00e9', found '\\\(letter)'", at: start)
                return false
            }
        case "\r":
            advance()
            _ = take("\n")
        case "\n", "\u{2028}", "\u{2029}": advance()
        case _ where letter.isControl: break  // The string's own loop reports it.
        default:
            text.append(shortForms[letter] ?? letter)
            advance()
        }
        return true
    }

    /// Reads `uHHHH`, and a second such escape if the first is half of a surrogate pair.
    private mutating func unicodeEscape(into text: inout String.UnicodeScalarView) -> Bool {
        let start = position - 1
        guard let unit = codeUnit() else {
            report("expected four hexadecimal digits after '\\u', found \(found)", at: start)
            return false
        }
        if let scalar = Unicode.Scalar(unit) {
            text.append(scalar)
            return true
        }
        let afterFirst = position
        if unit < 0xDC00, take("\\"), let second = codeUnit(), (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
        {
            text.append(scalar)
            return true
        }
        rewind(to: afterFirst)
        let half = String(unit, radix: 16, uppercase: true)
        report("expected both halves of a surrogate pair, found '\\u\(half)' alone", at: start)
        return false
    }

    /// Reads `uHHHH`, the backslash being read already.
    private mutating func codeUnit() -> UInt32? {
        take("u") ? hexadecimal(digits: 4) : nil
    }

    /// Reads `count` hexadecimal digits. Returns nil, and stops, at the first scalar that is not one.
    private mutating func hexadecimal(digits count: Int) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let next, next.isASCII, let digit = Character(next).hexDigitValue else { return nil }
            value = value << 4 + UInt32(digit)
            advance()
        }
        return value
    }
}

// MARK: - Keys and words

extension JSON5Scanner {
    /// Reads a key, with or without quotes. Returns nil after reporting a fault.
    mutating func key() -> String? {
        if next == "\"" || next == "'" { return string() }
        reportIfStrict("expected a name in double quotes, found \(found)")
        var key = String.UnicodeScalarView()
        while let next {
            let start = position
            if next == "\\" {
                advance()
                guard let scalar = codeUnit().flatMap(Unicode.Scalar.init),
                    key.isEmpty ? scalar.startsIdentifier : scalar.continuesIdentifier
                else {
                    report("expected '\\u' and four digits that stand for a letter in a key without quotes", at: start)
                    return nil
                }
                key.append(scalar)
            } else if key.isEmpty ? next.startsIdentifier : next.continuesIdentifier {
                key.append(next)
                advance()
            } else {
                break
            }
        }
        if key.isEmpty {
            report("expected a key or '}', found \(found)")
            return nil
        }
        return String(key)
    }

    /// Reads `true`, `false` or `null`. Reports anything else, and skips it if it is a word.
    mutating func word() -> JSONNode.Value {
        let start = position
        let found = found
        while let next, position == start ? next.startsIdentifier : next.continuesIdentifier { advance() }
        let word = text(from: start)
        switch word {
        case "": report("expected a value, found \(found)", at: start)
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity", "NaN": report("expected a finite number, found \(word)", at: start)
        default:
            let hint = nearest(word, among: ["true", "false", "null"]).map { "did you mean \($0)?" }
            report("expected a value, found \(found); \(hint ?? "a string needs quotes")", at: start)
        }
        return .invalid
    }
}

// MARK: - Numbers

extension JSON5Scanner {
    /// Reads a decimal or hexadecimal number. Reports and skips a faulty one.
    mutating func number() -> JSONNode.Value {
        let start = position
        if next == "+" || next == "-" { advance() }
        let digitsStart = position
        let isHexadecimal = next == "0" && (peek(1) == "x" || peek(1) == "X")
        var last: Unicode.Scalar?
        while let next {
            let isExponentSign = (next == "+" || next == "-") && (last == "e" || last == "E") && !isHexadecimal
            guard next == "." || next.continuesIdentifier || isExponentSign else { break }
            last = next
            advance()
        }
        let digits = text(from: digitsStart)
        let text = text(from: start)
        guard digits.isHexadecimalInJSON5 || digits.isDecimalInJSON5, let value = Double(text) else {
            switch digits {
            case "Infinity", "NaN": report("expected a finite number, found \(text)", at: start)
            default: report("expected a number, found \(text.inQuotes); a string needs quotes", at: start)
            }
            return .invalid
        }
        guard !isStrict || digits.isDecimalInJSON && !text.hasPrefix("+") else {
            report("expected a decimal number, found \(text.inQuotes)", at: start)
            return .invalid
        }
        guard value.isFinite else {
            report("expected a number of at most 1.797e308, found \(text.inQuotes)", at: start)
            return .invalid
        }
        return .number(value, text: text)
    }
}

extension String {
    fileprivate var isHexadecimalInJSON5: Bool {
        guard hasPrefix("0x") || hasPrefix("0X") else { return false }
        let digits = unicodeScalars.dropFirst(2)
        return !digits.isEmpty && digits.allSatisfy { $0.properties.isASCIIHexDigit }
    }

    /// Whether this is an unsigned decimal literal of JSON: with digits on both sides of the point.
    fileprivate var isDecimalInJSON: Bool {
        guard isDecimalInJSON5, utf8.first != UInt8(ascii: ".") else { return false }
        guard let point = firstIndex(of: ".") else { return true }
        return self[index(after: point)...].first?.isNumber == true
    }

    /// Whether this is an unsigned decimal literal of JSON5: `.5`, `5.` and `5e3` are, `05` is not.
    fileprivate var isDecimalInJSON5: Bool {
        var rest = utf8[...]
        func digits() -> Int {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        func take(_ first: Unicode.Scalar, or second: Unicode.Scalar) -> Bool {
            let next = rest.first
            guard next == UInt8(ascii: first) || next == UInt8(ascii: second) else { return false }
            rest = rest.dropFirst()
            return true
        }
        let whole = digits()
        if whole > 1 && utf8.first == UInt8(ascii: "0") { return false }
        let fraction = take(".", or: ".") ? digits() : 0
        if whole + fraction == 0 { return false }
        if take("e", or: "E") {
            _ = take("+", or: "-")
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }
}
