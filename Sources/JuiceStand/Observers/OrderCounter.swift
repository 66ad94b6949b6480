import Synchronization

/// Counts orders served, as far as it hears of them.
///
/// The smallest observer there is: what it counts must be what the stand itself counts.
package final class OrderCounter: Sendable {
    private let count = Atomic(0)

    package init() {}

    package var served: Int { count.load(ordering: .relaxed) }
}

extension OrderCounter: OrderServedObserver {
    /// Facts come one after another, whatever the wiring: nobody else is counting, and no locked addition is needed.
    package func receive(_ fact: OrderServed) {
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
}
