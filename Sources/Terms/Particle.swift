/// A Korean particle, such as `이/가`: its form depends on how the word before it ends.
struct Particle {
    private static let rieul = 8

    /// The form after a final consonant.
    private let closed: Substring
    /// The form after a vowel; `로` follows the consonant ㄹ, too.
    private let open: Substring

    /// - Parameter forms: Both forms with a slash between them. Returns nil for any other text.
    init?(_ forms: Substring) {
        guard let slash = forms.firstIndex(of: "/") else { return nil }
        closed = forms[..<slash]
        open = forms[forms.index(after: slash)...]
    }

    /// The form that follows `text`; both forms if `text` ends with a foreign word.
    func form(after text: String) -> String {
        guard let final = Self.finalConsonant(of: text) else { return "\(closed)(\(open))" }
        let isOpen = final == 0 || final == Self.rieul && open == "로"
        return String(isOpen ? open : closed)
    }

    /// The place of the final consonant among the 27 of Hangul; 0 after a vowel, nil if `text` does not end with Hangul
    /// or a digit.
    private static func finalConsonant(of text: String) -> Int? {
        guard let last = text.unicodeScalars.last else { return nil }
        switch last.value {
        case 0xAC00...0xD7A3:
            return Int(last.value - 0xAC00) % 28
        case 0x30...0x39:
            // By the names of the digits: 영, 일, 이, 삼, 사, 오, 육, 칠, 팔, 구.
            return [21, 8, 0, 16, 0, 0, 1, 8, 8, 0][Int(last.value - 0x30)]
        default:
            return nil
        }
    }
}
