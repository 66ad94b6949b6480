import JuiceStand
import StandState
import TextFormats

/// An event on a display: a few words, and their style.
package struct EventSentence {
    /// Names in the user's language, by the names in the ledger.
    let names: [String: String]
    let words: Words

    func callAsFunction(_ event: LedgerEvent) -> LogLine {
        let (text, style) = text(event)
        return LogLine(time: event.seconds, text: text.harmless, style: style)
    }

    private func text(_ event: LedgerEvent) -> (String, TextStyle) {
        func number(_ key: String) -> String { event[key]?.whole.map(Columns.grouped) ?? "?" }
        func name(_ key: String) -> String { event[key]?.text.map { names[$0] ?? $0 } ?? "?" }
        func span(_ key: String) -> String { event[key]?.seconds.map { words.span($0) } ?? "?" }
        func text(_ key: String) -> String { event[key]?.text ?? "?" }
        let order = number("order")
        // A newer stand may announce what this program does not know.
        guard let kind = FactKind(name: event.name) else { return (event.name, .plain) }
        return switch kind {
        case .opened: (words(.standOpens), .accent)
        case .orderPlaced:
            (
                words(isByHand(event) ? .orderPlacedByHand : .orderPlaced, order, number("cups"), name("juice")),
                .plain
            )
        case .orderStarted: (words(.makerAtWork, order), .dim)
        case .orderServed: (words(.orderServed, order, span("wait"), span("stay")), .good)
        case .orderSubstituted: (words(.substituted, order, name("juice"), name("wished")), .accent)
        case .orderLost: (words(.orderLost, order, reason(event)), .bad)
        case .orderBackordered:
            (words(.backordered, number("cups"), order, name("fruit")), .warning)
        case .stockChanged:
            (words(.stockChanged, name("fruit"), number("from"), number("to"), cause(event)), .dim)
        case .lowStock: (words(.fruitLow, name("fruit"), number("level"), number("threshold")), .warning)
        case .stockRecovered: (words(.fruitRecovered, name("fruit"), number("level")), .good)
        case .restockOrdered: (words(.fruitOrdered, name("fruit"), number("pieces")), .accent)
        case .restockDelivered: (words(.fruitDelivered, name("fruit"), number("pieces")) + refused(event), .accent)
        case .configurationChanged: (words(.keyChanged, text("key"), text("from"), text("to")), .accent)
        case .rateChanged:
            (words(.rateIs, "× " + (event["factor"]?.seconds.map(Columns.readable) ?? "?")), .accent)
        case .paused: (words(.timeStops), .accent)
        case .resumed: (words(.timeGoesOn), .accent)
        case .closed: (words.counted(event["open"]?.whole ?? 0, .standCloses), .accent)
        }
    }

    private func isByHand(_ event: LedgerEvent) -> Bool { event["by"]?.text == "command" }

    private func refused(_ event: LedgerEvent) -> String {
        event["refused"]?.whole.map { ", " + words(.refused, Columns.grouped($0)) } ?? ""
    }

    private func reason(_ event: LedgerEvent) -> String {
        let reason = words(reason: event["reason"]?.text)
        return event["fruit"]?.text.map { words(.isShort, reason, names[$0] ?? $0) } ?? reason
    }

    private func words(reason: String?) -> String { Self.phrase(forReason: reason).map { words($0) } ?? "?" }

    private static func phrase(forReason reason: String?) -> Phrase? {
        switch reason {
        case "queueFull": .theLineIsFull
        case "soldOut": .soldOut
        case "ranOutOfPatience": .outOfPatience
        case "notOnMenu": .notOnMenu
        default: nil
        }
    }

    /// Why an order was lost, by the ledger's `reason`, in English.
    package static func words(forReason reason: String?) -> String {
        phrase(forReason: reason).map { Words.english($0) } ?? "?"
    }

    private func cause(_ event: LedgerEvent) -> String {
        switch event["cause"]?.text {
        case "order": event["order"]?.whole.map { words(.forOrder, Columns.grouped($0)) } ?? words(.forAnOrder)
        case "return": words(.givenBack)
        case "delivery": words(.delivered)
        case "edit": words(.byHand)
        case "spoilage": words(.spoilt)
        default: "?"
        }
    }
}
