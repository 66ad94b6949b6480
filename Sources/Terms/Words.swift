import EmbeddedFiles
import JuiceStand
import Platform
import TextFormats

/// The texts of the program in the user's language: Korean or English.
package struct Words: Sendable {
    private let isKorean: Bool

    package static let english = Words(language: nil)

    /// - Parameter language: A language tag such as `ko`; English for unknown ones.
    package init(language: String?) { isKorean = language == "ko" }

    /// A phrase with its blanks filled in.
    package func callAsFunction(_ phrase: Phrase, _ arguments: String...) -> String { self(phrase, arguments) }

    /// A phrase with its blanks filled in.
    package func callAsFunction(_ phrase: Phrase, _ arguments: [String]) -> String {
        text(phrase.rawValue) { blank in
            Int(blank).flatMap { arguments.indices.contains($0 - 1) ? arguments[$0 - 1] : nil }
        }
    }

    /// Why an order was lost.
    package func callAsFunction(_ reason: LossReason) -> String { text("reason.\(reason.name)") }

    /// A text by its key in the list of terms.
    ///
    /// - Parameter value: What stands in a blank such as `{1}` or `{order}`; nil leaves the blank as it is.
    package func text(_ key: String, _ value: (Substring) -> String? = { _ in nil }) -> String {
        let term = Term[key]
        return Message.fill(Self.form(isKorean ? term.korean : term.english, value), value)
    }

    /// A message.
    package func callAsFunction(_ message: Message) -> String { message.text(translated) }

    /// A text without blanks, or the template of one with blanks; in English if there is no translation.
    package func translated(_ english: String) -> String { isKorean ? Self.korean[english] ?? english : english }

    /// What a stand answers, which is in English: as the message of which it has the most.
    package func answer(_ text: String) -> String {
        guard isKorean else { return text }
        let fitting = Self.errors.compactMap { key in
            Message(text, of: key).map { (length: key.replacing(/\{\d+\}/, with: "").count, key: key, message: $0) }
        }.sorted { ($0.length, $0.key) < ($1.length, $1.key) }
        // What begins with a blank, such as a place or a key, says less than what follows the colon.
        let sentence = fitting.last { !$0.key.hasPrefix("{") }
        if sentence == nil, let colon = text.firstRange(of: ": ") {
            return text[..<colon.upperBound] + answer(String(text[colon.upperBound...]))
        }
        guard let message = (sentence ?? fitting.last)?.message else { return text }
        // One word is a name.
        return self(message.mapArguments { $0.contains(" ") ? answer($0) : $0 })
    }

    /// English and Korean texts, in the order of `messages.tsv`; a heading has no Korean.
    private static let messages = EmbeddedFile("messages.tsv").text.split(separator: "\n")
        .map { line in
            let parts = line.split(separator: "\t").map(String.init)
            precondition(line.hasPrefix("#") || parts.count == 2, "a text needs English and Korean: \(line)")
            return (english: parts[0], korean: parts.dropFirst().first)
        }

    /// The Korean texts by the English ones.
    private static let korean = Dictionary(
        uniqueKeysWithValues: messages.compactMap { english, korean in korean.map { (english, $0) } })

    /// The English texts of errors, which come first.
    private static let errors = messages.prefix { $0.english != "# Help" }.filter { $0.korean != nil }.map(\.english)

    /// The form for one or for many, by the number in blank 1, else in the first blank.
    private static func form(_ text: String, _ value: (Substring) -> String?) -> Substring {
        let forms = text.split(separator: "|")
        guard forms.count == 2 else { return text[...] }
        let first = forms[0].drop { $0 != "{" }.dropFirst().prefix { $0 != "}" }
        return value("1") ?? value(first) == "1" ? forms[0] : forms[1]
    }

    /// `known` in English. In other languages, which the stand does not speak, the phrase.
    package func detail(_ known: String?, or phrase: Phrase) -> String {
        if !isKorean, let known { known } else { self(phrase) }
    }

    /// A number of things, such as ``Phrase/cups``.
    package func counted(_ number: Int, _ phrase: Phrase) -> String { self(phrase, Columns.grouped(number)) }

    /// A span such as `12 min`.
    package func span(_ seconds: Double) -> String { units(SpanText.short(seconds)) }

    /// A span such as `3 h 5 min`.
    package func longSpan(_ seconds: Double) -> String { units(SpanText.long(seconds)) }

    private func units(_ span: String) -> String {
        guard isKorean else { return span }
        let units = ["s": "초", "min": "분", "h": "시간", "d": "일"]
        return span.split(separator: " ").reduce("") { text, part in
            units[String(part)].map { text + $0 } ?? text + (text.isEmpty ? "" : " ") + part
        }
    }

    /// A fruit's name.
    package func name(_ fruit: Menu.FruitEntry) -> String {
        isKorean ? fruit.names.first { $0.language == "ko" }?.name ?? fruit.name : fruit.name
    }

    /// The name of a fruit of a running stand, of which `names` has those in other languages.
    package func name(_ name: String, _ names: JSONValue?) -> String { isKorean ? names?["ko"]?.text ?? name : name }

    /// A category or method; those of the standard menu are in the list of terms.
    package func recipe(_ text: String) -> String { Term.has("recipe.\(text)") ? self.text("recipe.\(text)") : text }

    /// The end of a message about an unknown word: `; did you mean "a" or "b"?`. Empty if no candidate is similar.
    package func hint(_ word: String, among candidates: [String]) -> String {
        let names = likely(word, among: candidates).map { "\"\($0)\"" }
        return names.isEmpty ? "" : self(.hint, names.joined(separator: self(.or)))
    }
}
