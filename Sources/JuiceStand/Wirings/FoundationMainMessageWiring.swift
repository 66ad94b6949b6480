import FoundationEssentials
import NotificationBus

extension WiringChoice {
    package static let foundationMessageMain = WiringChoice(
        "foundation-message-main", "Foundation's MainActorMessage: typed, main actor alone",
        refusal: "its messages can be posted from the main actor alone, and a stand runs on a queue of its own"
    ) { FoundationMainMessageWiring() }
}

/// Foundation's typed messages for the main actor: posted there alone, and delivered at once.
///
/// Couples both sides to Foundation's center, to the message's type and to the main actor, and neither to the other.
/// A stand that runs on a queue of its own can't use it: it is here to be compared.
final class FoundationMainMessageWiring: Wiring {
    private let center = NotificationCenter()
    private var tokens: [ObjectIdentifier: [NotificationCenter.ObservationToken]] = [:]
    private(set) var wanted: FactSet = []

    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let token = center.addObserver(for: MainFactMessage<F>.self) { message in message.fact.hand(to: observer) }
        tokens[ObjectIdentifier(observer as AnyObject), default: []].append(token)
        wanted.insert(FactSet(F.kind))
    }

    func disconnect(_ observer: AnyObject) {
        for token in tokens.removeValue(forKey: ObjectIdentifier(observer)) ?? [] { center.removeObserver(token) }
    }

    /// - Precondition: called on the main actor.
    func announce<F: Fact>(_ fact: F) {
        MainActor.assumeIsolated { [center] in center.post(MainFactMessage(fact: fact)) }
    }
}

private struct MainFactMessage<F: Fact>: NotificationCenter.MainActorMessage {
    typealias Subject = NotificationCenter
    let fact: F
}
