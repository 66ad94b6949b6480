import FoundationEssentials
import NotificationBus

/// Foundation's typed messages: the stand posts a value, and Foundation calls each observer from a task.
///
/// Couples both sides to Foundation's center and the message's type, but not to each other. The tasks decide when, and
/// in which order, observers are called.
final class FoundationMessageWiring: WaitingWiring, Wiring {
    private let center = NotificationCenter()

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let token = center.addObserver(for: FactMessage<F>.self) { [heard] message in
            message.fact.hand(to: observer)
            heard.signal()
        }
        table.append(token, to: F.kind, of: observer)
    }

    func hear<F: Fact>(_ fact: F) {
        center.post(FactMessage(fact: fact))
        wait(for: F.kind)
    }
}

/// A fact on its way. The protocol requires a subject, which facts do not have.
struct FactMessage<F: Fact>: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    let fact: F
}

extension WiringChoice {
    package static let foundationMessage = WiringChoice(
        "foundation-message", "Foundation's AsyncMessage: typed, delivered later", .later
    ) { FoundationMessageWiring() }
}
