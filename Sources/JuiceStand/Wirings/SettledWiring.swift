/// Waits after every fact until all have heard it, so that a wiring which delivers later can be part of a run whose
/// course is settled by its seed.
///
/// After every fact and not after every step: tracking that is armed again once a step misses all facts but the last.
package final class SettledWiring: Wiring {
    private let base: any Wiring

    package init(_ base: any Wiring) {
        self.base = base
    }

    package var wanted: FactSet { base.wanted }

    package func connect(_ observer: AnyObject) {
        base.connect(observer)
    }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        base.connect(observer, to: type)
    }

    package func disconnect(_ observer: AnyObject) {
        base.disconnect(observer)
        base.settle()
    }

    package func announce<F: Fact>(_ fact: F) {
        fact.announce(to: base)
        base.settle()
    }

    package func settle() {
        base.settle()
    }
}
