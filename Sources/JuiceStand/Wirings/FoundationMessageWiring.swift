import Dispatch
import FoundationEssentials
import NotificationBus

extension WiringChoice {
    package static let foundationMessage = WiringChoice(
        "foundation-message", "Foundation's AsyncMessage: typed, delivered later", .later
    ) { FoundationMessageWiring() }
}

/// Foundation's typed messages: the stand posts a value, and Foundation calls each observer from a task.
///
/// Couples both sides to Foundation's center and the message's type, but not to each other. The tasks decide when, and
/// in which order, observers are called.
final class FoundationMessageWiring: Wiring {
    private let center = NotificationCenter()
    private var tokens: [(owner: ObjectIdentifier, kind: FactKind, token: NotificationCenter.ObservationToken)] = []
    /// Calls not yet made.
    private let underWay = DispatchGroup()
    private(set) var wanted: FactSet = []

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let token = center.addObserver(for: FactMessage<F>.self) { [underWay] message in
            message.fact.hand(to: observer)
            underWay.leave()
        }
        tokens.append((ObjectIdentifier(observer), F.kind, token))
        wanted.insert(FactSet(F.kind))
    }

    func disconnect(_ observer: AnyObject) {
        for entry in tokens where entry.owner == ObjectIdentifier(observer) { center.removeObserver(entry.token) }
        tokens.removeAll { $0.owner == ObjectIdentifier(observer) }
    }

    func hear<F: Fact>(_ fact: F) {
        for entry in tokens where entry.kind == F.kind { underWay.enter() }
        center.post(FactMessage(fact: fact))
    }

    func settle() { underWay.wait() }
}

/// A fact on its way. The protocol requires a subject, which facts do not have.
struct FactMessage<F: Fact>: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    let fact: F
}
