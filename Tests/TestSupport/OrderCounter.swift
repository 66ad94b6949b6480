import JuiceStand
import Synchronization

/// Counts served orders. A test compares its count with the stand's own.
package final class OrderCounter: Sendable {
    private let count = Atomic(0)

    package init() {}

    package var served: Int { count.load(ordering: .relaxed) }
}

extension OrderCounter: FactObserver {
    package var wanted: FactSet { FactSet(.orderServed) }

    /// Facts arrive one at a time under every wiring, so a load and a store suffice.
    package func hear(_ fact: OrderServed) { count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
}
