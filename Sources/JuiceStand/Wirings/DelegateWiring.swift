/// A delegate: the stand knows one object, weakly, and calls it by protocol.
///
/// The delegate protocol is ``FactObserver``, one method for each fact. It couples the stand to the protocol and the
/// delegate to the stand's facts. A stand has one delegate, so other observers depend on it to pass the facts on. Here
/// a coordinator is the delegate.
package final class DelegateWiring: Wiring {
    package weak var delegate: (any FactObserver)?
    /// Keeps the delegate alive; in an application that is the application's part.
    private let coordinator = StandCoordinator()

    package init() { delegate = coordinator }

    package var wanted: FactSet { coordinator.wanted }

    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        coordinator.table.append(observer as any FactObserver & Sendable, to: F.kind, of: observer)
    }

    package func disconnect(_ observer: AnyObject) { coordinator.disconnect(observer) }

    package func hear<F: Fact>(_ fact: F) { if let delegate { fact.hand(to: delegate) } }
}

/// The one delegate: passes each fact on to every observer that wants it.
private final class StandCoordinator: TableWiring, FactObserver {
    func hear<F: Fact>(_ fact: F) {
        guard let list = table.list(of: F.kind, (any FactObserver & Sendable).self) else { return }
        for (_, observer) in list.elements { fact.hand(to: observer) }
    }
}

extension WiringChoice {
    package static let delegate = WiringChoice(
        "delegate", "one weak delegate, which passes facts on by hand"
    ) { DelegateWiring() }
}
