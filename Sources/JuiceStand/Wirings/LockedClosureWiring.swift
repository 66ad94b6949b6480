/// Closures under a lock: the stand copies the list of a kind of fact under the lock and calls the closures after
/// unlocking.
///
/// Observers may come and go on any thread. A copied closure is called even if its observer
/// is disconnected meanwhile.
package final class LockedClosureWiring: LockedTableWiring, Wiring {
    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let handler: @Sendable (F) -> Void = { fact in fact.hand(to: observer) }
        table.withLock { $0.append(handler, to: F.kind, of: observer) }
    }

    package func hear<F: Fact>(_ fact: F) {
        for (_, handler) in elements(of: F.kind, (@Sendable (F) -> Void).self) { handler(fact) }
    }
}

extension WiringChoice {
    package static let closureLocked = WiringChoice("closure-locked", "a list of closures under a lock") {
        LockedClosureWiring()
    }
}
