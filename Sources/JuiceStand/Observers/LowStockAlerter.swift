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

    private struct State {
        var last: Alert?
        var alerts = 0
    }

    private let tell: @Sendable (Alert) -> Void
    private let state = Guarded(State())

    /// - Parameter tell: Called during delivery of the fact.
    package init(_ tell: @escaping @Sendable (Alert) -> Void = { _ in }) {
        self.tell = tell
    }

    /// The latest alert; nil if there was none.
    package var last: Alert? { state.withLock { $0.last } }

    /// How often fruit ran low.
    package var alerts: Int { state.withLock { $0.alerts } }

    /// Continues the count of a stand that was already open.
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
