extension JSON5Parser {
    /// Reads a string in double or single quotes. Returns nil after reporting a fault.
    mutating func string() -> String? {
        let start = position
        let quote = text[start]
        if isStrict && quote != ASCII.quote { report("expected double quotes, found a single one") }
        position += 1
        var string = ""
        var isSound = true
        var pieceStart = position
        while position < text.count {
            let byte = text[position]
            if byte == quote {
                string += text(from: pieceStart)
                position += 1
                return isSound ? string : nil
            }
            if byte == UInt8(ascii: "\\") {
                string += text(from: pieceStart)
                let escaped = escape()
                isSound = isSound && escaped != nil
                string += escaped ?? ""
                pieceStart = position
                continue
            }
            if byte == ASCII.lineFeed || byte == ASCII.carriageReturn { break }
            if byte < ASCII.space && (byte != ASCII.tab || isStrict) {
                let escaped = Unicode.Scalar(byte).escaped
                report("expected '\(escaped)' in a string, found the control character itself")
                isSound = false
            }
            position += 1
        }
        let end = position == text.count ? "the end of the text" : "the end of the line"
        return refuse("expected \(String(Unicode.Scalar(quote)).inQuotes) to close the string, found \(end)", at: start)
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
    ]

    /// Reads an escape and gives what it stands for. Returns nil after reporting a fault.
    private mutating func escape() -> String? {
        let start = position
        position += 1
        guard let letter = next else { return "" }
        if isStrict && !"\"\\/bfnrtu".unicodeScalars.contains(letter) {
            report("expected an escape of JSON such as '\\n' or '\\u00e9', found another", at: start)
        }
        // The loop of the string reports a control character.
        if letter.value < 0x20 && !letter.endsLine { return "" }
        advance()
        switch letter {
        case "u": return codeUnits(from: start)
        case "x":
            if let scalar = hexadecimal(digits: 2).flatMap(Unicode.Scalar.init) { return String(scalar) }
            return refuse("expected two hexadecimal digits after '\\x', found \(found())", at: start)
        case "0" where next?.isDigit != true: return "\0"
        case _ where letter.isDigit:
            return refuse("expected an escape such as '\\n' or '\\u00e9', found '\\\(letter)'", at: start)
        case _ where letter.endsLine:
            if letter == "\r" { _ = take("\n") }
            return ""
        default: return Self.escapes[letter] ?? String(letter)
        }
    }

    /// Reads the digits of `\uHHHH`, and a second such escape if the first is half of a surrogate pair.
    private mutating func codeUnits(from start: Int) -> String? {
        guard let unit = hexadecimal(digits: 4) else {
            return refuse("expected four hexadecimal digits after '\\u', found \(found())", at: start)
        }
        let end = position
        var scalar = Unicode.Scalar(unit)
        if 0xD800..<0xDC00 ~= unit, take("\\"), take("u"), let low = hexadecimal(digits: 4), 0xDC00..<0xE000 ~= low {
            scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        }
        if let scalar { return String(scalar) }
        position = end
        let half = String(unit, radix: 16, uppercase: true)
        return refuse("expected both halves of a surrogate pair, found '\\u\(half)' alone", at: start)
    }

    /// Reads `count` hexadecimal digits. Returns nil, and stops, at the first scalar that is not one.
    private mutating func hexadecimal(digits count: Int) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let next, next.isASCII, let digit = Character(next).hexDigitValue else { return nil }
            value = value << 4 + UInt32(digit)
            position += 1
        }
        return value
    }

    /// Reads a key, with or without quotes. Returns nil after reporting a fault.
    mutating func key() -> String? {
        if next == "\"" || next == "'" { return string() }
        if isStrict { report("expected a name in double quotes, found \(found())") }
        var key = ""
        while let next {
            let start = position
            advance()
            var scalar: Unicode.Scalar? = next
            if next == "\\" { scalar = take("u") ? hexadecimal(digits: 4).flatMap(Unicode.Scalar.init) : nil }
            if let scalar, key.isEmpty ? scalar.startsIdentifier : scalar.continuesIdentifier {
                key.unicodeScalars.append(scalar)
            } else if next == "\\" {
                return refuse(
                    "expected '\\u' and four digits that stand for a letter in a key without quotes", at: start)
            } else {
                position = start
                break
            }
        }
        return key.isEmpty ? refuse("expected a key or '}', found \(found())") : key
    }

    /// Reads `true`, `false` or `null`. Reports anything else, and skips it if it is a word.
    mutating func word() -> JSONNode.Value? {
        let start = position
        if next?.startsIdentifier == true { position = endOfWord(at: start) }
        let word = text(from: start)
        switch word {
        case "": return refuse("expected a value, found \(found())")
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity", "NaN": return refuse("expected a finite number, found \(word)", at: start)
        default:
            let hint = nearest(word, among: ["true", "false", "null"]).map { "did you mean \($0)?" }
            return refuse("expected a value, found \(word.inQuotes); \(hint ?? "a string needs quotes")", at: start)
        }
    }

    /// Reads a decimal or hexadecimal number. Reports and skips a faulty one.
    mutating func number() -> JSONNode.Value? {
        let start = position
        if next == "+" || next == "-" { position += 1 }
        let first = position
        let head = next
        let second = scalar(at: first + 1)
        let isHexadecimal = head == "0" && (second == "x" || second == "X")
        var isAfterE = false
        repeat {
            position = endOfWord(at: position)
            isAfterE = !isHexadecimal && position > first && text[position - 1] | 0x20 == UInt8(ascii: "e")
        } while take(".") || isAfterE && (take("+") || take("-"))
        let number = text(from: start)
        let digits = text[first..<position]
        // `Double` also reads `05`, `0x1p3`, `inf` and `nan`.
        let isNumber =
            isHexadecimal
            ? digits.dropFirst(2).allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
            : head == "." || head?.isDigit == true && (head != "0" || second?.isDigit != true)
        guard isNumber, let value = Double(number) else {
            let isWord = ["Infinity", "NaN"].contains(text(from: first))
            let quoted = isWord ? number : "\(number.inQuotes); a string needs quotes"
            return refuse("expected a \(isWord ? "finite " : "")number, found \(quoted)", at: start)
        }
        if isStrict {
            var line = FlatLine(text, in: start..<position)
            guard line.number() != nil, line.isAtEnd else {
                return refuse("expected a decimal number, found \(number.inQuotes)", at: start)
            }
        }
        if value.isFinite { return .number(value, text: number) }
        return refuse("expected a number of at most 1.797e308, found \(number.inQuotes)", at: start)
    }
}
