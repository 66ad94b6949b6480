extension Unicode.Scalar {
    /// Whether it is invisible and can change how other text looks: a control character, a mark of direction or a line
    /// separator.
    ///
    /// The joiners U+200C and U+200D are not: words and emoji need them.
    package var isHidden: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: value != 0x200C && value != 0x200D
        default: false
        }
    }

    /// The escape that shows a hidden character, such as `\u{9b}`.
    package var visible: String { "\\u{\(String(value, radix: 16))}" }
}

extension String {
    /// The text with an escape such as `\u{9b}` for every hidden character: the one rule for text of users and other
    /// programs wherever it is shown, so that it can't control a terminal or disguise itself.
    package var visible: String { visible { $0.isHidden } }

    /// Like ``visible`` for text of several lines or JSON: ends of lines, tabs and the tags of flags stay. JSON has no
    /// such escape, and writes tags as they are.
    package var visibleLines: String {
        visible { $0.isHidden && $0 != "\n" && $0 != "\t" && $0.value <= 0xFFFF }
    }

    private func visible(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        return unicodeScalars.map { isEscaped($0) ? $0.visible : String($0) }.joined()
    }
}

// MARK: - In a line of fields

extension String {
    /// The text as one word of a line such as `key=value key=value`.
    ///
    /// Plain words stand bare. Any other text is quoted as in JSON, so that it can't inject control characters, fields
    /// or lines.
    package var word: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                ? scalar.value > 0x20 && scalar.value < 0x7F && !"\"=\\".unicodeScalars.contains(scalar)
                : scalar.properties.isAlphabetic
        }
        return isPlain && !isEmpty ? self : JSONValue.string(self).compact()
    }
}

extension JSONValue {
    /// The value as one word of a line such as `key=value key=value`: a text in quotes, and anything else as JSON, in
    /// quotes if it has a space or an equals sign.
    package var field: String {
        let text = compact()
        if case .string = self { return text }
        return text.utf8.contains { $0 == ASCII.space || $0 == UInt8(ascii: "=") }
            ? JSONValue.string(text).compact() : text
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmed: String {
        let head = drop(while: \.isWhitespace)
        return head.lastIndex { !$0.isWhitespace }.map { String(head[...$0]) } ?? ""
    }
}
