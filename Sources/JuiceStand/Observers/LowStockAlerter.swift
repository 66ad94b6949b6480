import Platform

/// Calls a closure when fruit runs low and when it has recovered.
package final class LowStockAlerter: Sendable {
    /// The new state of one fruit.
    package struct Alert: Equatable, Sendable {
        package var time: SimulationTime
        package var fruit: Fruit
        package var level: Int
        package var threshold: Int
        package var isLow: Bool
    }

    private let tell: @Sendable (Alert) -> Void
    private let count = Guarded(0)

    /// - Parameter tell: Called during delivery of the fact.
    package init(_ tell: @escaping @Sendable (Alert) -> Void = { _ in }) {
        self.tell = tell
    }

    /// How often fruit ran low.
    package var alerts: Int { count.withLock { $0 } }

    /// Continues the count of a stand that was already open.
    package func goOn(after alerts: Int) {
        count.withLock { $0 = alerts }
    }

    private func take(_ alert: Alert) {
        if alert.isLow { count.withLock { $0 += 1 } }
        tell(alert)
    }
}

extension LowStockAlerter: LowStockObserver, StockRecoveredObserver {
    package func receive(_ fact: LowStock) {
        take(Alert(time: fact.stamp.time, fruit: fact.fruit, level: fact.level, threshold: fact.threshold, isLow: true))
    }

    package func receive(_ fact: StockRecovered) {
        take(
            Alert(time: fact.stamp.time, fruit: fact.fruit, level: fact.level, threshold: fact.threshold, isLow: false))
    }
}
