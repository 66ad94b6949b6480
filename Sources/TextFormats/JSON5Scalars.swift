extension Unicode.Scalar {
    /// Whether it is one of `0` to `9`.
    var isDigit: Bool { ("0"..."9").contains(self) }

    /// Whether it may be the first scalar of a key without quotes.
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

    /// Whether it may stand in a key without quotes after the first scalar.
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

    /// Whether it is white space or a line end between the tokens of JSON5.
    var isSpaceInJSON5: Bool {
        switch self {
        case "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{FEFF}": true
        case _ where isASCII: false
        default: endsLine || properties.generalCategory == .spaceSeparator
        }
    }

    /// Whether JSON, too, takes it for white space.
    var isSpaceInJSON: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }

    /// Whether it ends a `//` comment.
    var endsLine: Bool {
        self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}"
    }

    /// Whether it is one of the controls that JSON wants escaped.
    var isControl: Bool { value < 0x20 }

    /// The escape that stands for it, with four hexadecimal digits.
    package var escaped: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension String {
    /// A message shows no more scalars of a text than this.
    static let mostQuoted = 40

    /// The text as a message shows it: in quotes, shortened, and with what cannot be seen written as `U+…`.
    package var inQuotes: String {
        var shown = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            if index == Self.mostQuoted {
                shown += "…"
                break
            }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                shown += "U+" + scalar.escaped.dropFirst(2).uppercased()
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown == "'" ? "\"'\"" : "'\(shown)'"
    }
}
