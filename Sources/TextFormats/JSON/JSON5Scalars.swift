extension Unicode.Scalar {
    /// Whether this is one of `0` to `9`.
    var isDigit: Bool { ("0"..."9").contains(self) }

    /// Whether a key without quotes may begin with this scalar.
    var startsIdentifier: Bool {
        if isASCII { return ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "$" || self == "_" }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: false
        }
    }

    /// Whether this may follow the first scalar of a key without quotes.
    var continuesIdentifier: Bool {
        if isDigit || startsIdentifier || self == "\u{200C}" || self == "\u{200D}" { return true }
        if isASCII { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        default: false
        }
    }

    /// Whether this is white space between the tokens of JSON5.
    var isSpaceInJSON5: Bool {
        if isASCII { return self == " " || ("\t"..."\r").contains(self) }
        return self == "\u{FEFF}" || endsLine || properties.generalCategory == .spaceSeparator
    }

    /// Whether this ends a `//` comment.
    var endsLine: Bool {
        self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}"
    }

    /// The JSON escape of this scalar: `\u` and four hexadecimal digits.
    package var escaped: String { "\\u" + Columns.zeroPadded(value, 4, radix: 16) }
}
