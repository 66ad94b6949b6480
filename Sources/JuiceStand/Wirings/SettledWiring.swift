/// Waits after every fact until all observers have heard it, so that a run under an asynchronous wiring is
/// deterministic.
///
/// Waiting once per step is not enough: observation tracking would miss all but the last fact of a step.
package final class SettledWiring: Wiring {
    private let base: any Wiring

    package init(_ base: any Wiring) {
        self.base = base
    }

    package var wanted: FactSet { base.wanted }

    package func connect(_ observer: any FactObserver & Sendable) { base.connect(observer) }

    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        base.connect(observer, to: type)
    }

    package func disconnect(_ observer: AnyObject) {
        base.disconnect(observer)
        base.settle()
    }

    package func hear<F: Fact>(_ fact: F) {
        fact.hand(to: base)
        base.settle()
    }

    package func settle() { base.settle() }
}
