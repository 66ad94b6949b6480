import JuiceStand
import StandClient
import Terms
import TextFormats

/// The texts on a stand, for displays and commands.
extension Words {
    /// Why an order was lost.
    package func callAsFunction(_ reason: LossReason) -> String { text("reason.\(reason.name)") }

    /// Why a stand refused a request.
    ///
    /// - Parameter name: Translates the stand's name of a fruit into the user's language.
    package func problem(_ problem: ProblemDocument, _ name: (String) -> String) -> String {
        let members = problem.json
        return text(Term.has("problem.\(problem.kind)") ? "problem.\(problem.kind)" : "problem.other") { blank in
            let member = members[String(blank)]
            return switch blank {
            case "detail": problem.detail.split(separator: "\n").first.map(String.init) ?? ""
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
    /// - Parameter names: Those in other languages, as far as they are known.
    package func name(_ name: String, _ names: NamedValues<String> = [:]) -> String {
        isKorean ? names["ko"] ?? FruitFace.koreanNames[name.lowercased()] ?? name : name
    }
}
