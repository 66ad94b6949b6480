import Platform

/// How much a fact matters to the people at the stand.
package enum Severity: Sendable {
    case info
    case warning

    /// The name of the level in log lines.
    package var name: StaticString {
        switch self {
        case .info: "info"
        case .warning: "warning"
        }
    }

    /// The syslog priority before a line, which the systemd journal reads.
    var priority: StaticString {
        switch self {
        case .info: "<6>"
        case .warning: "<4>"
        }
    }
}

extension FactKind {
    /// Only low stock needs somebody who acts.
    package var severity: Severity { self == .lowStock ? .warning : .info }
}

/// Keeps and counts low-stock alerts. Every alert that people or metrics see comes from here.
package final class LowStockAlerter: Sendable {
    /// A level that fell to its threshold, or rose above it again.
    package struct Alert: Codable, Equatable, Sendable {
        package var stamp: Stamp
        package var kind: FactKind
        package var fruit: Fruit
        package var level: Int
        package var threshold: Int

        package var severity: Severity { kind.severity }
    }

    /// All that the alerter knows.
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

    /// All that it knows, to go on with later.
    package var memory: Memory {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Continues the count of a stand that is already open.
    package func begin(with stand: Stand) {
        let count = stand.tally.lowStockAlerts
        state.withLock { $0.count = count }
    }

    private func take(_ alert: Alert) {
        state.withLock { state in
            if alert.severity == .warning { state.count += 1 }
            if state.alerts.count == Self.mostAlerts { state.alerts.removeFirst() }
            state.alerts.append(alert)
        }
    }
}

extension LowStockAlerter: FactObserver {
    package var wanted: FactSet { FactSet(.lowStock, .stockRecovered) }

    package func hear(_ fact: LowStock) {
        take(
            Alert(
                stamp: fact.stamp, kind: LowStock.kind, fruit: fact.fruit, level: fact.level, threshold: fact.threshold)
        )
    }

    package func hear(_ fact: StockRecovered) {
        take(
            Alert(
                stamp: fact.stamp, kind: StockRecovered.kind, fruit: fact.fruit, level: fact.level,
                threshold: fact.threshold))
    }
}
