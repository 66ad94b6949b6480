import Synchronization

/// Adds up the numbers of the orders it hears of: next to nothing, so that what is measured is how it was reached.
package final class FactSum: Sendable {
    private let total = Atomic<UInt64>(0)

    package init() {}

    package var value: UInt64 { total.load(ordering: .relaxed) }
}

extension FactSum: OrderPlacedObserver {
    /// Not inlined, so that a call is a call under every wiring. One at a time: a load and a store, as with any variable.
    @inline(never)
    package func receive(_ fact: OrderPlaced) {
        total.store(total.load(ordering: .relaxed) &+ fact.order, ordering: .relaxed)
    }
}
