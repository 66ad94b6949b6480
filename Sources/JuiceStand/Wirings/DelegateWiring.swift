/// A delegate: the stand knows one object, weakly, and asks it by protocol.
///
/// Couples the stand to the protocol and the delegate to the stand's facts. A delegate is one, so whoever else wants
/// to hear depends on it to pass everything on by hand: that is what ``StandCoordinator`` is for.
package final class DelegateWiring: Wiring {
    package weak var delegate: (any StandDelegate)?
    /// Somebody has to keep the delegate alive; in an application that would be the application.
    private let coordinator = StandCoordinator()

    package init() {
        delegate = coordinator
    }

    package var wanted: FactSet { coordinator.observers.wanted }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        coordinator.observers.append(observer, of: type, owner: observer as AnyObject)
    }

    package func disconnect(_ observer: AnyObject) {
        coordinator.observers.removeAll(of: observer)
    }

    package func deliver<F: Fact>(_ fact: F) {
        delegate?.stand(didAnnounce: fact)
    }
}

/// What the stand asks of its delegate.
package protocol StandDelegate: AnyObject {
    func stand<F: Fact>(didAnnounce fact: F)
}

/// The one delegate: passes each fact on to everybody who wants it.
final class StandCoordinator: StandDelegate {
    var observers = FactTable()

    func stand<F: Fact>(didAnnounce fact: F) {
        guard let list = observers.list(of: F.self, F.Observer.self) else { return }
        for (_, observer) in list.elements { F.hand(fact, to: observer) }
    }
}
