import JuiceStand
import Terms
import TextFormats

/// What a display and the commands say of a stand.
extension Words {
    /// Why an order was lost.
    package func callAsFunction(_ reason: LossReason) -> String { text("reason.\(reason.name)") }

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
}
