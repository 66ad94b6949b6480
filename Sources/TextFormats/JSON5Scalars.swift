extension Unicode.Scalar {
    /// Whether this is one of `0` to `9`.
    var isDigit: Bool { ("0"..."9").contains(self) }

    /// Whether a key without quotes may begin with this scalar.
    var startsIdentifier: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "$", "_": true
        case _ where isASCII: false
        default:
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
            case .letterNumber: true
            default: false
            }
        }
    }

    /// Whether this may follow the first scalar of a key without quotes.
    var continuesIdentifier: Bool {
        switch self {
        case "\u{200C}", "\u{200D}": true
        case _ where isASCII: isDigit || startsIdentifier
        default:
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
            default: startsIdentifier
            }
        }
    }

    /// Whether this is white space between the tokens of JSON5.
    var isSpaceInJSON5: Bool {
        switch self {
        case "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{FEFF}": true
        case _ where isASCII: false
        default: endsLine || properties.generalCategory == .spaceSeparator
        }
    }

    /// Whether this is white space between the tokens of JSON.
    var isSpaceInJSON: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }

    /// Whether this ends a `//` comment.
    var endsLine: Bool {
        self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}"
    }

    /// Whether JSON allows this scalar only as an escape.
    var isControl: Bool { value < 0x20 }

    /// The JSON escape of this scalar: `\u` and four hexadecimal digits.
    package var escaped: String { "\\u" + Columns.zeroPadded(value, 4, radix: 16) }
}
