/// The texts of the program in the user's language: Korean or English.
package struct Words: Sendable {
    package let isKorean: Bool

    package static let english = Words(language: nil)

    /// - Parameter language: A language tag such as `ko`; English for unknown ones.
    package init(language: String?) { isKorean = language == "ko" }

    /// A phrase with its blanks filled in.
    package func callAsFunction(_ phrase: Phrase, _ arguments: String...) -> String {
        text(phrase.rawValue) { blank in
            Int(blank).flatMap { arguments.indices.contains($0 - 1) ? arguments[$0 - 1] : nil }
        }
    }

    /// A text by its key in the list of terms.
    ///
    /// - Parameter value: The text for a blank such as `{1}` or `{order}`; nil leaves the blank as it is.
    package func text(_ key: String, _ value: (Substring) -> String? = { _ in nil }) -> String {
        let term = Term[key]
        return Self.fill(Self.form(isKorean ? term.korean : term.english, value), value)
    }

    /// The template with its blanks filled in. A blank such as `{이/가}` is a particle: the form that follows the text.
    private static func fill(_ template: Substring, _ value: (Substring) -> String?) -> String {
        var rest = template
        var text = ""
        while let start = rest.firstIndex(of: "{") {
            text += rest[..<start]
            rest = rest[start...]
            if let end = rest.firstIndex(of: "}"),
                let value = Particle(rest[..<end].dropFirst())?.form(after: text) ?? value(rest[..<end].dropFirst())
            {
                text += value
                rest = rest[end...].dropFirst()
            } else {
                text += "{"
                rest = rest.dropFirst()
            }
        }
        return text + rest
    }

    /// The form for one or for many, by the number in blank 1, else in the first blank.
    private static func form(_ text: String, _ value: (Substring) -> String?) -> Substring {
        let forms = text.split(separator: "|")
        guard forms.count == 2 else { return text[...] }
        let first = forms[0].drop { $0 != "{" }.dropFirst().prefix { $0 != "}" }
        return value("1") ?? value(first) == "1" ? forms[0] : forms[1]
    }

    /// `known` in English; the phrase in other languages, because a stand answers in English only.
    package func detail(_ known: String?, or phrase: Phrase) -> String {
        if !isKorean, let known { known } else { self(phrase) }
    }

    /// A category or a method of a recipe. It is translated if it is one of the standard menu.
    package func recipe(_ text: String) -> String { Term.has("recipe.\(text)") ? self.text("recipe.\(text)") : text }
}
