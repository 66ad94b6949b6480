extension WiringChoice {
    package static let multicastDelegate = WiringChoice(
        "multicast-delegate", "a list of weak delegates"
    ) { MulticastDelegateWiring() }
}

/// Many delegates: the stand keeps a list of weak references for each kind of fact and calls each by protocol.
///
/// Couples both sides to the facts' protocols. Released observers are skipped, so none has to disconnect. In return,
/// every call loads a weak reference and looks up its conformance.
package final class MulticastDelegateWiring: Wiring {
    private var delegates = FactTable()

    package init() {}

    package var wanted: FactSet { delegates.wanted }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let observer = observer as AnyObject
        delegates.append(WeakDelegate(object: observer), of: type, owner: observer)
    }

    package func disconnect(_ observer: AnyObject) { delegates.removeAll(of: observer) }

    package func announce<F: Fact>(_ fact: F) {
        guard let list = delegates.list(of: F.self, WeakDelegate.self) else { return }
        for (_, delegate) in list.elements {
            if let observer = delegate.object as? F.Observer { fact.hand(to: observer) }
        }
    }
}

/// A weak reference in a list.
struct WeakDelegate {
    weak var object: AnyObject?
}
