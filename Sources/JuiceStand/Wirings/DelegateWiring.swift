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

    /// To the coordinator, past the delegate; the stand's own facts go by its methods below.
    package func deliver<F: Fact>(_ fact: F) {
        coordinator.pass(fact)
    }
}

/// What the stand tells its delegate; what a delegate has no method for it does not hear.
package protocol StandDelegate: AnyObject {
    func stand(didAnnounce fact: Opened)
    func stand(didAnnounce fact: OrderPlaced)
    func stand(didAnnounce fact: OrderStarted)
    func stand(didAnnounce fact: OrderServed)
    func stand(didAnnounce fact: OrderSubstituted)
    func stand(didAnnounce fact: OrderLost)
    func stand(didAnnounce fact: OrderBackordered)
    func stand(didAnnounce fact: StockChanged)
    func stand(didAnnounce fact: LowStock)
    func stand(didAnnounce fact: StockRecovered)
    func stand(didAnnounce fact: RestockOrdered)
    func stand(didAnnounce fact: RestockDelivered)
    func stand(didAnnounce fact: ConfigurationChanged)
    func stand(didAnnounce fact: RateChanged)
    func stand(didAnnounce fact: Paused)
    func stand(didAnnounce fact: Resumed)
    func stand(didAnnounce fact: Closed)
}

extension StandDelegate {
    package func stand(didAnnounce fact: Opened) {}
    package func stand(didAnnounce fact: OrderPlaced) {}
    package func stand(didAnnounce fact: OrderStarted) {}
    package func stand(didAnnounce fact: OrderServed) {}
    package func stand(didAnnounce fact: OrderSubstituted) {}
    package func stand(didAnnounce fact: OrderLost) {}
    package func stand(didAnnounce fact: OrderBackordered) {}
    package func stand(didAnnounce fact: StockChanged) {}
    package func stand(didAnnounce fact: LowStock) {}
    package func stand(didAnnounce fact: StockRecovered) {}
    package func stand(didAnnounce fact: RestockOrdered) {}
    package func stand(didAnnounce fact: RestockDelivered) {}
    package func stand(didAnnounce fact: ConfigurationChanged) {}
    package func stand(didAnnounce fact: RateChanged) {}
    package func stand(didAnnounce fact: Paused) {}
    package func stand(didAnnounce fact: Resumed) {}
    package func stand(didAnnounce fact: Closed) {}
}

// MARK: - The stand's end

extension DelegateWiring {
    package func announce(_ fact: Opened) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: OrderPlaced) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: OrderStarted) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: OrderServed) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: OrderSubstituted) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: OrderLost) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: OrderBackordered) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: StockChanged) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: LowStock) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: StockRecovered) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: RestockOrdered) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: RestockDelivered) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: ConfigurationChanged) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: RateChanged) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: Paused) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: Resumed) { delegate?.stand(didAnnounce: fact) }
    package func announce(_ fact: Closed) { delegate?.stand(didAnnounce: fact) }
}

// MARK: - The delegate's end

/// The one delegate: passes each fact on to everybody who wants it.
final class StandCoordinator: StandDelegate {
    var observers = FactTable()

    @inline(__always)
    func pass<F: Fact>(_ fact: F) {
        guard let list = observers.list(of: F.self, F.Observer.self) else { return }
        for (_, observer) in list.elements { F.hand(fact, to: observer) }
    }

    func stand(didAnnounce fact: Opened) { pass(fact) }
    func stand(didAnnounce fact: OrderPlaced) { pass(fact) }
    func stand(didAnnounce fact: OrderStarted) { pass(fact) }
    func stand(didAnnounce fact: OrderServed) { pass(fact) }
    func stand(didAnnounce fact: OrderSubstituted) { pass(fact) }
    func stand(didAnnounce fact: OrderLost) { pass(fact) }
    func stand(didAnnounce fact: OrderBackordered) { pass(fact) }
    func stand(didAnnounce fact: StockChanged) { pass(fact) }
    func stand(didAnnounce fact: LowStock) { pass(fact) }
    func stand(didAnnounce fact: StockRecovered) { pass(fact) }
    func stand(didAnnounce fact: RestockOrdered) { pass(fact) }
    func stand(didAnnounce fact: RestockDelivered) { pass(fact) }
    func stand(didAnnounce fact: ConfigurationChanged) { pass(fact) }
    func stand(didAnnounce fact: RateChanged) { pass(fact) }
    func stand(didAnnounce fact: Paused) { pass(fact) }
    func stand(didAnnounce fact: Resumed) { pass(fact) }
    func stand(didAnnounce fact: Closed) { pass(fact) }
}
