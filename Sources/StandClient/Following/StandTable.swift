import JuiceStand
import TextFormats

/// A table of many stands, in the order in which they need attention.
///
/// The table on a terminal and the page of many stands both draw this.
package struct StandTable: Sendable {
    package struct Row: Sendable {
        package let target: StandTarget
        package fileprivate(set) var name: String
        /// nil before the first answer.
        package fileprivate(set) var status: StatusDocument?
        /// Why the stand does not answer; nil if it answers.
        package fileprivate(set) var absence: String?
        package var isAway: Bool { absence != nil }
        private var trend = Trend()
        /// The number of the last alert that was taken.
        private var lastAlert: UInt64 = 0
        /// Fruits whose last alert is that they are low.
        package private(set) var low: Set<String> = []

        fileprivate init(_ target: StandTarget) {
            self.target = target
            name = "\(target)"
        }

        package var clock: String { status?.clock.present ?? "" }
        package var speed: Double { status?.speed ?? 1 }

        /// Orders a minute of stand time: lately, or since the opening until that is known.
        package var ordersPerMinute: Double? {
            guard let status else { return nil }
            let whole = status.time > 0 ? Double(status.orders) / status.time : nil
            return (trend.rate ?? whole).map { $0 * 60 }
        }

        /// The share of orders that were lost, in per cent.
        package var lost: Double {
            guard let status, status.orders > 0 else { return 0 }
            return 100 * Double(status.lostInAll) / Double(status.orders)
        }

        package var levels: [(fruit: String, level: Int)] {
            (status?.stock.members ?? []).compactMap { entry in entry.value.map { (entry.name, $0) } }
        }

        /// The fruit that is short first: its name, its level, and the stand seconds until then if that is a forecast.
        package var short: (fruit: String, level: Int, after: Double?)? {
            let levels = levels
            if let empty = levels.first(where: { $0.level == 0 }) { return (empty.fruit, 0, nil) }
            let forecasts = (status?.forecast?.fruits.members ?? []).compactMap { fruit in
                fruit.value.likely.map { (fruit: fruit.name, at: $0) }
            }
            if let first = forecasts.min(by: { $0.at < $1.at }) {
                let level = levels.first { $0.fruit == first.fruit }?.level ?? 0
                return (first.fruit, level, max(0, first.at - (status?.time ?? 0)))
            }
            return levels.filter { low.contains($0.fruit) }.min { $0.level < $1.level }.map {
                ($0.fruit, $0.level, nil)
            }
        }

        package var isBehind: Bool { status?.isBehind == true }
        private var isReady: Bool { status?.isReady != false || status?.phase == "closed" }

        /// How urgent it is that somebody looks at the stand; the greatest comes first.
        fileprivate var urgency: Double {
            if isAway { return 1000 }
            if !isReady { return 900 }
            if isBehind { return 800 }
            let short = short.map { $0.level == 0 ? 300 : $0.after.map { 200 - min(100, $0 / 3600) } ?? 100.0 } ?? 0
            return short + min(99, lost)
        }

        fileprivate mutating func take(_ status: StatusDocument, named name: String) {
            self.name = name
            absence = nil
            // A stand that was opened anew begins again.
            if (self.status?.sequence ?? 0) > status.sequence {
                trend = Trend()
                lastAlert = 0
            }
            self.status = status
            trend.record(Double(status.orders), at: status.time, speed: speed)
            low = []
            for event in status.alerts {
                guard let fruit = event["fruit"]?.text else { continue }
                if event.name == FactKind.lowStock.name { low.insert(fruit) } else { low.remove(fruit) }
            }
        }

        /// The number of the last alert, if it is new.
        fileprivate var newAlert: UInt64? { status?.alerts.last.map(\.sequence).flatMap { $0 > lastAlert ? $0 : nil } }

        fileprivate mutating func takeAlerts() -> [Alert] {
            guard let status, let last = newAlert else { return [] }
            let new = status.alerts.filter { $0.sequence > lastAlert }
            lastAlert = last
            return new.map { Alert(stand: name, clock: status.clock.text(seconds: $0.seconds), event: $0) }
        }
    }

    /// Something to look at, from one of the stands.
    package struct Alert: Sendable {
        package let stand: String
        /// The time of day there.
        package let clock: String
        package let event: LedgerEvent
    }

    private var rows: [StandTarget: Row] = [:]
    /// Why the list of stands could not be read again; nil if it could.
    package internal(set) var problem: String?

    package init(of targets: [StandTarget] = []) { follow(targets) }

    /// The stands whose names contain `part`, the most urgent first.
    package func rows(named part: String = "") -> [Row] {
        let part = part.lowercased()
        let found = rows.values.filter { part.isEmpty || $0.name.lowercased().contains(part) }
        return found.map { ($0.urgency, $0) }.sorted { ($1.0, $0.1.name) < ($0.0, $1.1.name) }.map(\.1)
    }

    package var count: Int { rows.count }
    package var awayCount: Int { rows.values.count { $0.isAway } }
    package var alertCount: Int { Figures.sum(rows.values.map { $0.status?.lowStockAlerts ?? 0 }) }

    /// Keeps or makes the rows of these stands, and drops all others.
    package mutating func follow(_ targets: [StandTarget]) {
        problem = nil
        let former = rows
        rows = [:]
        for target in targets { rows[target] = former[target] ?? Row(target) }
    }

    mutating func take(_ news: StandsFollower.News, of stand: FollowedStand) {
        switch news {
        case .status(let status): take(status, of: stand.target, named: stand.nameOrTarget)
        case .away(let reason): lose(stand.target, reason)
        default: break
        }
    }

    package mutating func take(_ status: StatusDocument, of target: StandTarget, named name: String) {
        rows[target]?.take(status, named: name)
    }

    /// Notes why the stand does not answer.
    package mutating func lose(_ target: StandTarget, _ reason: String) { rows[target]?.absence = reason }

    /// The alerts that are new since the last call, by the time of day.
    package mutating func takeAlerts() -> [Alert] {
        let targets = rows.keys.filter { rows[$0]?.newAlert != nil }
        return targets.flatMap { rows[$0]?.takeAlerts() ?? [] }.sorted { $0.clock < $1.clock }
    }
}
