/// Many delegates: the stand keeps a list of weak references for each kind of fact and calls each by protocol.
///
/// Couples both sides to the delegate protocol. Released observers are skipped, so none has to disconnect. In return,
/// every call loads a weak reference.
package final class MulticastDelegateWiring: TableWiring, Wiring {
    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        table.append(WeakDelegate(observer: observer), to: F.kind, of: observer)
    }

    package func hear<F: Fact>(_ fact: F) {
        guard let list = table.list(of: F.kind, WeakDelegate.self) else { return }
        for (_, delegate) in list.elements {
            if let observer = delegate.observer { fact.hand(to: observer) }
        }
    }
}

/// A weak reference in a list.
private struct WeakDelegate {
    weak var observer: (any FactObserver)?
}

extension WiringChoice {
    package static let multicastDelegate = WiringChoice(
        "multicast-delegate", "a list of weak delegates"
    ) { MulticastDelegateWiring() }
}
