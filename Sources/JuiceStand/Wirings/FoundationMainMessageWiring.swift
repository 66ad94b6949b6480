import FoundationEssentials
import NotificationBus

extension WiringChoice {
    package static let foundationMessageMain = WiringChoice(
        "foundation-message-main", "Foundation's MainActorMessage: typed, main actor alone",
        refusal: "its messages can be posted from the main actor alone, and a stand runs on a queue of its own"
    ) { FoundationMainMessageWiring() }
}

/// Foundation's typed messages for the main actor: posted on it only, and delivered at once.
///
/// Couples both sides to Foundation's center, the message's type and the main actor, but not to each other. A stand
/// runs on its own queue and can't use it; the comparison can.
final class FoundationMainMessageWiring: TableWiring, Wiring {
    private let center = NotificationCenter()

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let token = center.addObserver(for: MainFactMessage<F>.self) { message in message.fact.hand(to: observer) }
        table.append(token, to: F.kind, of: observer)
    }

    /// - Precondition: called on the main actor.
    func hear<F: Fact>(_ fact: F) {
        MainActor.assumeIsolated { [center] in center.post(MainFactMessage(fact: fact)) }
    }
}

private struct MainFactMessage<F: Fact>: NotificationCenter.MainActorMessage {
    typealias Subject = NotificationCenter
    let fact: F
}
