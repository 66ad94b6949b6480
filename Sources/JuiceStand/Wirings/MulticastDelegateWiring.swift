extension WiringChoice {
    package static let multicastDelegate = WiringChoice(
        "multicast-delegate", "a list of weak delegates"
    ) { MulticastDelegateWiring() }
}

/// Many delegates: the stand keeps a list of them for each kind of fact, weakly, and asks each by protocol.
///
/// Couples the stand to the facts' protocols and the observers to nothing but these. Nobody has to be taken out of the
/// list, since who is gone is skipped; in return every call loads a weak reference and asks it for its conformance.
package final class MulticastDelegateWiring: Wiring {
    private var delegates = FactTable()

    package init() {}

    package var wanted: FactSet { delegates.wanted }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let observer = observer as AnyObject
        delegates.append(WeakDelegate(object: observer), of: type, owner: observer)
    }

    package func disconnect(_ observer: AnyObject) {
        delegates.removeAll(of: observer)
    }

    package func announce<F: Fact>(_ fact: F) {
        guard let list = delegates.list(of: F.self, WeakDelegate.self) else { return }
        for (_, delegate) in list.elements {
            if let observer = delegate.object as? F.Observer { fact.hand(to: observer) }
        }
    }
}

/// A place in the list that keeps nobody alive.
struct WeakDelegate {
    weak var object: AnyObject?
}
