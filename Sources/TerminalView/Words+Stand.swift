import JuiceStand
import Terms
import TextFormats

/// What a display and the commands say of a stand.
extension Words {
    /// Why an order was lost.
    package func callAsFunction(_ reason: LossReason) -> String { text("reason.\(reason.name)") }

    /// Why a stand refused a request.
    ///
    /// - Parameters:
    ///   - kind: The last part of the problem's type.
    ///   - members: The problem document.
    ///   - detail: The stand's own sentence, in English.
    ///   - name: Makes a fruit's name in the user's language of the stand's own name.
    package func problem(_ kind: String, _ members: JSONValue, detail: String, _ name: (String) -> String) -> String {
        text(Term.has("problem.\(kind)") ? "problem.\(kind)" : "problem.other") { blank in
            let member = members[String(blank)]
            return switch blank {
            case "detail": detail
            case "fruit": name(member?.text ?? "?")
            default: member?.whole.map(Columns.grouped) ?? "?"
            }
        }
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
    package func name(_ fruit: Menu.FruitEntry) -> String { isKorean ? fruit.koreanName ?? fruit.name : fruit.name }

    /// A juice's name.
    package func name(_ juice: Menu.JuiceEntry) -> String {
        isKorean ? juice.names.first { $0.language == "ko" }?.name ?? juice.name : juice.name
    }

    /// The name of a fruit or juice of a running stand.
    ///
    /// - Parameter names: Those in other languages; nil if they are not known.
    package func name(_ name: String, _ names: JSONValue? = nil) -> String {
        isKorean ? names?["ko"]?.text ?? FruitFace.koreanNames[name.lowercased()] ?? name : name
    }
}
