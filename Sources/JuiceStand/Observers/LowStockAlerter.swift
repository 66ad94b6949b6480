import Platform

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

    private struct State {
        var last: Alert?
        var alerts = 0
    }

    private let tell: @Sendable (Alert) -> Void
    private let state = Guarded(State())

    /// - Parameter tell: called from within the fact's delivery.
    package init(_ tell: @escaping @Sendable (Alert) -> Void = { _ in }) {
        self.tell = tell
    }

    /// The news that came last.
    package var last: Alert? { state.withLock { $0.last } }

    /// How often fruit has run low.
    package var alerts: Int { state.withLock { $0.alerts } }

    /// Goes on counting after a stand that was open already.
    package func goOn(after alerts: Int) {
        state.withLock { $0.alerts = alerts }
    }

    private func take(_ alert: Alert) {
        state.withLock {
            $0.last = alert
            if alert.isLow { $0.alerts += 1 }
        }
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
