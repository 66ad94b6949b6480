/// Closures: the stand keeps a list of closures for each kind of fact and calls them in turn.
///
/// Couples neither side to the other. Each closure keeps what it captured alive until it is removed, and nothing
/// protects the list from a second thread.
package final class ClosureWiring: TableWiring, Wiring {
    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let handler: (F) -> Void = { fact in fact.hand(to: observer) }
        table.append(handler, to: F.kind, of: observer)
    }

    package func hear<F: Fact>(_ fact: F) {
        guard let list = table.list(of: F.kind, ((F) -> Void).self) else { return }
        for (_, handler) in list.elements { handler(fact) }
    }
}

extension WiringChoice {
    package static let closure = WiringChoice("closure", "a list of closures") { ClosureWiring() }
}
