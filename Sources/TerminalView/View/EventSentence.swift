import JuiceStand
import StandClient
import Terms
import TextFormats

/// An event on a display: a few words, and their style.
package struct EventSentence {
    /// Names in the user's language, by the names in the ledger.
    let names: [String: String]
    let words: Words

    func callAsFunction(_ event: LedgerEvent) -> LogLine {
        // A newer stand may announce what this program does not know.
        guard let kind = FactKind(name: event.name) else {
            return LogLine(time: event.seconds, text: event.name.visible, style: .plain)
        }
        let text = words.text("event.\(kind.name)") { value(String($0), in: event) }
        return LogLine(time: event.seconds, text: text.visible, style: Self.style(of: kind))
    }

    private static func style(of kind: FactKind) -> TextStyle {
        switch kind.tone {
        case .plain: .plain
        case .detail: .dim
        case .good: .good
        case .bad: .bad
        case .warning: .warning
        case .news: .accent
        }
    }

    /// The text for a blank of the sentence.
    ///
    /// - Parameter key: The name of the blank.
    private func value(_ key: String, in event: LedgerEvent) -> String {
        let field = event[key]
        switch key {
        case "juice", "wished", "fruit": return field?.text.map { names[$0] ?? words.name($0) } ?? "?"
        case "wait", "stay": return field?.seconds.map { words.span($0) } ?? "?"
        case "factor": return "× " + (field?.seconds.map(Columns.readable) ?? "?")
        case "by": return field?.text == "command" ? words.text("by.command") : ""
        case "refused":
            return field?.whole.map { pieces in words.text("refused") { _ in Columns.grouped(pieces) } } ?? ""
        case "reason":
            let reason = field?.text.flatMap(LossReason.init(name:)).map { words($0) } ?? "?"
            guard event["fruit"] != nil else { return reason }
            return words.text("lostFor") { $0 == "reason" ? reason : value(String($0), in: event) }
        case "cause":
            guard let cause = field?.text.flatMap(StockCause.init(rawValue:)) else { return "?" }
            return words.text("cause.\(cause)") { value(String($0), in: event) }
        default:
            guard let field else { return "?" }
            return field.whole.map(Columns.grouped) ?? field.text ?? field.seconds.map(Columns.readable) ?? "?"
        }
    }
}
