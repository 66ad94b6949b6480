extension Unicode.Scalar {
    /// Whether it is invisible and can change how other text looks: a control character, a mark of direction or a line separator.
    ///
    /// The joiners U+200C and U+200D are not: words and emoji need them.
    package var isHidden: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: value != 0x200C && value != 0x200D
        default: false
        }
    }
}

extension String {
    /// The text with an escape such as `\u{9b}` for every hidden character: the one rule for text of users and other programs
    /// wherever it is shown, so that it can't control a terminal or disguise itself.
    package var visible: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        return unicodeScalars.map { $0.isHidden ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }
}
