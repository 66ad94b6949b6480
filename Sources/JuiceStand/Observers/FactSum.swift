import Synchronization

/// Sums order numbers. It does almost nothing, so that measurements show the cost of delivery.
package final class FactSum: Sendable {
    private let total = Atomic<UInt64>(0)

    package init() {}

    package var value: UInt64 { total.load(ordering: .relaxed) }
}

extension FactSum: OrderPlacedObserver {
    /// Not inlined, so that every wiring makes a real call. Facts arrive one at a time, so a load and a store suffice.
    @inline(never)
    package func receive(_ fact: OrderPlaced) {
        total.store(total.load(ordering: .relaxed) &+ fact.order, ordering: .relaxed)
    }
}
