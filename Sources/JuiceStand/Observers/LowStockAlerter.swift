import Platform

/// Keeps and counts low-stock alerts. Every alert that people or metrics see comes from here.
package final class LowStockAlerter: Sendable {
    /// A level that fell to its threshold, or rose above it again.
    package struct Alert: Codable, Equatable, Sendable {
        package var stamp: Stamp
        package var kind: FactKind
        package var fruit: Fruit
        package var level: Int
        package var threshold: Int
    }

    /// The saved state of an alerter.
    package struct Memory: Codable, Sendable {
        var count = 0
        var alerts: [Alert] = []
    }

    /// The number of alerts kept.
    package static let mostAlerts = 50

    private let state = Guarded(Memory())

    package init() {}

    /// How often fruit ran low.
    package var count: Int { state.withLock { $0.count } }

    /// The latest low levels and recoveries since the alerter began, oldest first.
    package var alerts: [Alert] { state.withLock { $0.alerts } }

    /// The state to save, from which an alerter can continue later.
    package var memory: Memory {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Continues the count of a stand that is already open.
    package func begin(with stand: Stand) {
        let count = stand.tally.lowStockAlerts
        state.withLock { $0.count = count }
    }

    private func take(_ kind: FactKind, _ stamp: Stamp, _ fruit: Fruit, _ level: Int, _ threshold: Int) {
        let alert = Alert(stamp: stamp, kind: kind, fruit: fruit, level: level, threshold: threshold)
        state.withLock { state in
            if kind == .lowStock { state.count += 1 }
            if state.alerts.count == Self.mostAlerts { state.alerts.removeFirst() }
            state.alerts.append(alert)
        }
    }
}

extension LowStockAlerter: FactObserver {
    package var wanted: FactSet { FactSet(.lowStock, .stockRecovered) }

    package func hear(_ fact: LowStock) { take(.lowStock, fact.stamp, fact.fruit, fact.level, fact.threshold) }

    package func hear(_ fact: StockRecovered) {
        take(.stockRecovered, fact.stamp, fact.fruit, fact.level, fact.threshold)
    }
}

extension FactKind {
    /// The level in log lines, and the syslog priority before a line, which the systemd journal reads.
    ///
    /// Low stock is a warning, because somebody must act. All other facts are information.
    package var severity: (name: StaticString, priority: StaticString) {
        self == .lowStock ? (name: "warning", priority: "<4>") : (name: "info", priority: "<6>")
    }
}
