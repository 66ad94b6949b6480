import Synchronization

/// Tells somebody when fruit runs low, and when there is enough again; hears of nothing else.
package final class LowStockAlerter: Sendable {
    /// News about one fruit.
    package struct Alert: Equatable, Sendable {
        package var time: SimulationTime
        package var fruit: Fruit
        package var level: Int
        package var threshold: Int
        package var isLow: Bool
    }

    private let tell: @Sendable (Alert) -> Void
    private let count = Atomic(0)

    /// - Parameter tell: called from within the fact's delivery.
    package init(_ tell: @escaping @Sendable (Alert) -> Void = { _ in }) {
        self.tell = tell
    }

    /// How often fruit has run low.
    package var alerts: Int { count.load(ordering: .relaxed) }
}

extension LowStockAlerter: LowStockObserver, StockRecoveredObserver {
    package func receive(_ fact: LowStock) {
        count.add(1, ordering: .relaxed)
        tell(
            Alert(time: fact.stamp.time, fruit: fact.fruit, level: fact.level, threshold: fact.threshold, isLow: true))
    }

    package func receive(_ fact: StockRecovered) {
        tell(
            Alert(time: fact.stamp.time, fruit: fact.fruit, level: fact.level, threshold: fact.threshold, isLow: false))
    }
}
