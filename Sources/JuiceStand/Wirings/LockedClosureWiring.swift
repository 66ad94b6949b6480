import Platform

extension WiringChoice {
    package static let closureLocked = WiringChoice("closure-locked", "a list of closures under a lock") {
        LockedClosureWiring()
    }
}

/// Closures under a lock: the stand copies the list of a kind of fact under the lock and calls the closures after
/// unlocking.
///
/// Observers may come and go on any thread. A copied closure is called even if its observer
/// is disconnected meanwhile.
package final class LockedClosureWiring: Wiring {
    private let handlers = Guarded(FactTable())

    package init() {}

    package var wanted: FactSet { handlers.withLock { $0.wanted } }

    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let handler: @Sendable (F) -> Void = { fact in fact.hand(to: observer) }
        handlers.withLock { $0.append(handler, to: F.kind, of: observer) }
    }

    package func disconnect(_ observer: AnyObject) { _ = handlers.withLock { $0.removeAll(of: observer) } }

    package func hear<F: Fact>(_ fact: F) {
        let list = handlers.withLock { $0.list(of: F.kind, (@Sendable (F) -> Void).self)?.elements }
        for (_, handler) in list ?? [] { handler(fact) }
    }
}
