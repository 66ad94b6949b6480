import JuiceStand
import StandState
import TextFormats

/// An event on a display: a few words, and their style.
package struct EventSentence {
    /// Names in the user's language, by the names in the ledger.
    let names: [String: String]

    func callAsFunction(_ event: LedgerEvent) -> LiveLog.Entry {
        let (text, style) = words(event)
        return LiveLog.Entry(time: event.seconds, text: text.harmless, style: style)
    }

    private func words(_ event: LedgerEvent) -> (String, TextStyle) {
        func number(_ key: String) -> String { event[key]?.whole.map(Columns.grouped) ?? "?" }
        func name(_ key: String) -> String { event[key]?.text.map { names[$0] ?? $0 } ?? "?" }
        func span(_ key: String) -> String { event[key]?.seconds.map { SpanText.short($0) } ?? "?" }
        let order = "order \(number("order"))"
        // A newer stand may announce what this program does not know.
        guard let kind = FactKind(name: event.name) else { return (event.name, .plain) }
        return switch kind {
        case .opened: ("the stand opens", .accent)
        case .orderPlaced: ("\(order): \(number("cups")) \(name("juice"))" + byHand(event), .plain)
        case .orderStarted: ("\(order): a maker is at work", .dim)
        case .orderServed: ("\(order) served: waited \(span("wait")), stayed \(span("stay"))", .good)
        case .orderSubstituted: ("\(order): \(name("juice")) instead of \(name("wished"))", .accent)
        case .orderLost: ("\(order) lost: \(reason(event))", .bad)
        case .orderBackordered: ("\(order): \(cups(event["cups"]?.whole)) for \(name("fruit"))", .warning)
        case .stockChanged: stock(event, name("fruit"))
        case .lowStock: ("\(name("fruit")) is low: \(number("level")) left, mark \(number("threshold"))", .warning)
        case .stockRecovered: ("\(name("fruit")) has recovered: \(number("level"))", .good)
        case .restockOrdered: ("\(number("pieces")) \(name("fruit")) ordered", .accent)
        case .restockDelivered: ("\(number("pieces")) \(name("fruit")) delivered" + refused(event), .accent)
        case .configurationChanged:
            ("\(event["key"]?.text ?? "?"): from \(event["from"]?.text ?? "?") to \(event["to"]?.text ?? "?")", .accent)
        case .rateChanged: ("customers × \(event["factor"]?.seconds.map(Columns.readable) ?? "?")", .accent)
        case .paused: ("stand time stops", .accent)
        case .resumed: ("stand time goes on", .accent)
        case .closed: ("the stand closes, \(Columns.counted(event["open"]?.whole ?? 0, "order")) unfinished", .accent)
        }
    }

    private func cups(_ waiting: Int?) -> String {
        waiting.map { "\(Columns.counted($0, "cup")) \($0 == 1 ? "waits" : "wait")" } ?? "?"
    }

    private func byHand(_ event: LedgerEvent) -> String {
        event["by"]?.text == "command" ? ", by hand" : ""
    }

    private func refused(_ event: LedgerEvent) -> String {
        event["refused"]?.whole.map { ", \(Columns.grouped($0)) refused" } ?? ""
    }

    private func reason(_ event: LedgerEvent) -> String {
        let words = Self.words(forReason: event["reason"]?.text)
        return words + (event["fruit"]?.text.map { ", \(names[$0] ?? $0) is short" } ?? "")
    }

    /// Why an order was lost, by the ledger's `reason`.
    package static func words(forReason reason: String?) -> String {
        switch reason {
        case "queueFull": "the line is full"
        case "soldOut": "sold out"
        case "ranOutOfPatience": "out of patience"
        case "notOnMenu": "not on the menu"
        default: "?"
        }
    }

    private func stock(_ event: LedgerEvent, _ fruit: String) -> (String, TextStyle) {
        let (from, to) = (event["from"]?.whole ?? 0, event["to"]?.whole ?? 0)
        let cause =
            switch event["cause"]?.text {
            case "order": event["order"]?.whole.map { "order \(Columns.grouped($0))" } ?? "an order"
            case "return": "given back"
            case "delivery": "delivered"
            case "edit": "by hand"
            case "spoilage": "spoilt"
            default: "?"
            }
        return ("\(fruit) \(Columns.grouped(from)) → \(Columns.grouped(to)), \(cause)", .dim)
    }
}
