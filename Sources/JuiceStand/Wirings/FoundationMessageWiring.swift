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
/// Couples both sides to Foundation's center and to the message's type, and neither to the other. When an observer
/// is called, and in which order observers are, is up to the tasks.
final class FoundationMessageWiring: Wiring {
    private let center = NotificationCenter()
    private var tokens: [(owner: ObjectIdentifier, kind: FactKind, token: NotificationCenter.ObservationToken)] = []
    /// Calls that have yet to be made.
    private let underWay = DispatchGroup()
    private(set) var wanted: FactSet = []

    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let token = center.addObserver(for: FactMessage<F>.self) { [underWay] message in
            message.fact.hand(to: observer)
            underWay.leave()
        }
        tokens.append((ObjectIdentifier(observer as AnyObject), F.kind, token))
        wanted.insert(FactSet(F.kind))
    }

    func disconnect(_ observer: AnyObject) {
        for entry in tokens where entry.owner == ObjectIdentifier(observer) { center.removeObserver(entry.token) }
        tokens.removeAll { $0.owner == ObjectIdentifier(observer) }
    }

    func announce<F: Fact>(_ fact: F) {
        for entry in tokens where entry.kind == F.kind { underWay.enter() }
        center.post(FactMessage(fact: fact))
    }

    func settle() {
        underWay.wait()
    }
}

/// A fact in transit; messages ask for the type of a subject, which the facts do without.
private struct FactMessage<F: Fact>: NotificationCenter.AsyncMessage {
    typealias Subject = NotificationCenter
    let fact: F
}
