import JuiceStand
import TextFormats

/// The phrases of a display in the user's language: Korean or English.
package struct Words: Sendable {
    private let isKorean: Bool

    package static let english = Words(language: nil)

    /// - Parameter language: A language tag such as `ko`; English for unknown ones.
    package init(language: String?) { isKorean = language == "ko" }

    /// A phrase with its blanks filled in.
    package func callAsFunction(_ phrase: Phrase, _ arguments: String...) -> String {
        filled(phrase.texts.english, phrase.texts.korean, arguments)
    }

    /// Why an order was lost.
    package func callAsFunction(_ reason: LossReason) -> String {
        isKorean ? reason.traits.korean : reason.traits.english
    }

    /// The text in the user's language, with its blanks filled in as in a ``Phrase``.
    func filled(_ english: String, _ korean: String, _ arguments: [String]) -> String {
        let form = isKorean ? korean : Self.form(english, arguments.first)
        guard !arguments.isEmpty else { return form }
        var text = ""
        var rest = form[...]
        while let start = rest.firstIndex(of: "{") {
            text += rest[..<start]
            rest = rest[start...].dropFirst()
            guard let number = rest.first?.wholeNumberValue, arguments.indices.contains(number - 1) else {
                text += "{"
                continue
            }
            text += arguments[number - 1]
            rest = rest.dropFirst(2)
        }
        return text + rest
    }

    /// The form for one or for many.
    private static func form(_ text: String, _ number: String?) -> String {
        let forms = text.split(separator: "|")
        return String(forms.count == 2 && number != "1" ? forms[1] : forms[0])
    }

    /// `known` in English. In other languages, which the stand does not speak, the phrase.
    func detail(_ known: String?, or phrase: Phrase) -> String {
        if !isKorean, let known { known } else { self(phrase) }
    }

    /// A number of things, such as ``Phrase/cups``.
    package func counted(_ number: Int, _ phrase: Phrase) -> String { self(phrase, Columns.grouped(number)) }

    /// A span such as `12 min`.
    package func span(_ seconds: Double) -> String {
        let text = SpanText.short(seconds)
        guard isKorean, let space = text.lastIndex(of: " ") else { return text }
        let unit = ["s": "초", "min": "분", "h": "시간", "d": "일"][String(text[space...].dropFirst())]
        return unit.map { text[..<space] + $0 } ?? text
    }

    /// A fruit's name.
    package func name(_ fruit: Menu.FruitEntry) -> String {
        isKorean ? fruit.names.first { $0.language == "ko" }?.name ?? fruit.name : fruit.name
    }
}
