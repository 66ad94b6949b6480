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
        func say(_ style: TextStyle, _ english: String, _ korean: String, _ blanks: String...) -> (String, TextStyle) {
            (words.filled(english, korean, blanks), style)
        }
        let order = number("order")
        // A newer stand may announce what this program does not know.
        guard let kind = FactKind(name: event.name) else { return (event.name, .plain) }
        return switch kind {
        case .opened: say(.accent, "the stand opens", "가게가 문을 엽니다")
        case .orderPlaced:
            say(
                .plain, "order {1}: {2} {3}{4}", "주문 {1}: {3} {2}잔{4}", order, number("cups"), name("juice"),
                byHand(event))
        case .orderStarted: say(.dim, "order {1}: a maker is at work", "주문 {1}: 만들기 시작", order)
        case .orderServed:
            say(
                .good, "order {1} served: waited {2}, stayed {3}", "주문 {1} 완료: 대기 {2}, 머문 시간 {3}", order, span("wait"),
                span("stay"))
        case .orderSubstituted:
            say(.accent, "order {1}: {2} instead of {3}", "주문 {1}: {3} 대신 {2}", order, name("juice"), name("wished"))
        case .orderLost: say(.bad, "order {1} lost: {2}", "주문 {1} 놓침: {2}", order, reason(event))
        case .orderBackordered:
            say(
                .warning, "order {2}: {1} cup waits for {3}|order {2}: {1} cups wait for {3}",
                "주문 {2}: {3} 기다리는 컵 {1}개", number("cups"), order, name("fruit"))
        case .stockChanged:
            say(
                .dim, "{1} {2} → {3}, {4}", "{1} {2} → {3}, {4}", name("fruit"), number("from"), number("to"),
                cause(event))
        case .lowStock:
            say(
                .warning, "{1} is low: {2} left, threshold {3}", "{1} 부족: {2}개 남음, 기준 {3}", name("fruit"),
                number("level"), number("threshold"))
        case .stockRecovered: say(.good, "{1} has recovered: {2}", "{1} 회복: {2}개", name("fruit"), number("level"))
        case .restockOrdered: say(.accent, "{2} {1} ordered", "{1} {2}개 발주", name("fruit"), number("pieces"))
        case .restockDelivered:
            say(.accent, "{2} {1} delivered{3}", "{1} {2}개 입고{3}", name("fruit"), number("pieces"), refused(event))
        case .configurationChanged:
            say(.accent, "{1}: from {2} to {3}", "설정 {1}: {2}에서 {3}(으)로", text("key"), text("from"), text("to"))
        case .rateChanged:
            (words(.arrivalRate, "× " + (event["factor"]?.seconds.map(Columns.readable) ?? "?")), .accent)
        case .paused: say(.accent, "stand time stops", "가게 시간이 멈춥니다")
        case .resumed: say(.accent, "stand time goes on", "가게 시간이 다시 갑니다")
        case .closed:
            say(
                .accent, "the stand closes, {1} order unfinished|the stand closes, {1} orders unfinished",
                "가게가 문을 닫습니다, 남은 주문 {1}건", Columns.grouped(event["open"]?.whole ?? 0))
        }
    }

    private func said(_ english: String, _ korean: String, _ blanks: String...) -> String {
        words.filled(english, korean, blanks)
    }

    private func byHand(_ event: LedgerEvent) -> String {
        event["by"]?.text == "command" ? said(", by hand", " (직접 주문)") : ""
    }

    private func refused(_ event: LedgerEvent) -> String {
        event["refused"]?.whole.map { ", " + said("{1} refused", "{1}개 반송", Columns.grouped($0)) } ?? ""
    }

    private func reason(_ event: LedgerEvent) -> String {
        let reason = event["reason"]?.text.flatMap(LossReason.init(name:)).map { words($0) } ?? "?"
        return event["fruit"]?.text.map { said("{1}, {2} is short", "{1}, {2} 모자람", reason, names[$0] ?? $0) } ?? reason
    }

    private func cause(_ event: LedgerEvent) -> String {
        switch event["cause"]?.text {
        case "order":
            event["order"]?.whole.map { said("order {1}", "주문 {1}", Columns.grouped($0)) } ?? said("an order", "주문")
        case "return": said("given back", "되돌림")
        case "delivery": said("delivered", "입고")
        case "edit": said("by hand", "직접 변경")
        case "spoilage": said("spoilt", "상함")
        default: "?"
        }
    }
}
