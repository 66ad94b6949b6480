import JuiceStand
import StandState
import TextFormats

/// What is known of many stands, in the order in which they need attention.
///
/// The table on a terminal and the page of many stands both draw this.
package struct StandTable: Sendable {
    package struct Row: Sendable {
        package let target: StandTarget
        package fileprivate(set) var name: String
        /// nil before the first answer.
        package fileprivate(set) var status: JSONValue?
        /// Why it does not answer; nil if it does.
        fileprivate var absence: String?
        package var isAway: Bool { absence != nil }
        private var trend = Trend()
        /// The number of its last event among the alerts.
        private var lastAlert: UInt64 = 0
        /// Fruits whose last alert is that they are low.
        fileprivate var low: Set<String> = []

        fileprivate init(_ target: StandTarget) {
            self.target = target
            name = "\(target)"
        }

        package func count(_ key: String) -> Int { status?[key]?.count ?? 0 }
        private func seconds(_ key: String) -> Double { status?[key]?.seconds ?? 0 }

        package var clock: String { status.map { StandClock(status: $0).present } ?? "" }
        package var speed: Double { seconds("speed") }
        package var phase: String { status?["phase"]?.text ?? "" }
        /// Orders a minute of stand time: lately, or since the opening until that is known.
        package var ordersPerMinute: Double? {
            let whole = seconds("time") > 0 ? Double(count("orders")) / seconds("time") : nil
            return (trend.rate ?? whole).map { $0 * 60 }
        }
        package var alerts: Int { count("lowStockAlerts") }

        /// The share of orders that were lost, in per cent.
        package var lost: Double {
            let lost = Figures.sum((status?["lost"]?.members ?? []).map { $0.value.count ?? 0 })
            return count("orders") == 0 ? 0 : 100 * Double(lost) / Double(count("orders"))
        }

        /// Of the latest orders served, in seconds.
        package var medianWait: Double? { status?["waits"]?["p50"]?.seconds }

        fileprivate var levels: [(fruit: String, level: Int)] {
            (status?["stock"]?.members ?? []).compactMap { entry in entry.value.count.map { (entry.key, $0) } }
        }

        /// The fruit that is short first: its name, its level, and the seconds until then if that is a forecast.
        package var short: (fruit: String, level: Int, after: Double?)? {
            let levels = levels
            if let empty = levels.first(where: { $0.level == 0 }) { return (empty.fruit, 0, nil) }
            let forecasts = (status?["forecast"]?["fruits"]?.members ?? []).compactMap { entry in
                (entry.value["probability"]?.seconds ?? 0) >= 0.5
                    ? entry.value["p50"]?.seconds.map { (fruit: entry.key, at: $0) } : nil
            }
            if let first = forecasts.min(by: { $0.at < $1.at }) {
                let level = levels.first { $0.fruit == first.fruit }?.level ?? 0
                return (first.fruit, level, max(0, first.at - seconds("time")))
            }
            return levels.filter { low.contains($0.fruit) }.min { $0.level < $1.level }.map {
                ($0.fruit, $0.level, nil)
            }
        }

        /// Whether it is late by more than half a second of real time.
        package var isBehind: Bool { (status?["behind"]?["seconds"]?.seconds ?? 0) > speed / 2 }
        private var isReady: Bool { status?["ready"]?.isTrue != false || phase == "closed" }

        /// How urgent it is that somebody looks at the stand; the greatest comes first.
        fileprivate var urgency: Double {
            if isAway { return 1000 }
            if !isReady { return 900 }
            if isBehind { return 800 }
            let short = short.map { $0.level == 0 ? 300 : $0.after.map { 200 - min(100, $0 / 3600) } ?? 100.0 } ?? 0
            return short + min(99, lost)
        }

        /// - Returns: The alerts that are new.
        fileprivate mutating func take(_ news: ChainSource.News) -> [Alert] {
            let status: JSONValue
            switch news.status {
            case .failure(let absence):
                self.absence = absence.reason
                return []
            case .success(let found): (status, absence) = (found, nil)
            }
            name = news.name ?? name
            // A stand that was opened anew begins again.
            if count("sequence") > status["sequence"]?.count ?? 0 { (trend, lastAlert) = (Trend(), 0) }
            self.status = status
            trend.record(Double(count("orders")), at: seconds("time"), speed: speed)
            let events = (status["alerts"]?.elements ?? []).compactMap { LedgerEvent($0) }
            low = []
            for event in events {
                guard let fruit = event["fruit"]?.text else { continue }
                if event.name == FactKind.lowStock.name { low.insert(fruit) } else { low.remove(fruit) }
            }
            defer { lastAlert = events.last?.sequence ?? lastAlert }
            let clock = StandClock(status: status)
            return events.filter { $0.sequence > lastAlert }.map {
                Alert(stand: name, clock: clock.text(seconds: $0.seconds), event: $0)
            }
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

    package init() {}

    /// The stands whose name has a text, the most urgent first.
    package func rows(named part: String = "") -> [Row] {
        let part = part.lowercased()
        let found = rows.values.filter { part.isEmpty || $0.name.lowercased().contains(part) }
        return found.map { ($0.urgency, $0) }.sorted { ($1.0, $0.1.name) < ($0.0, $1.1.name) }.map(\.1)
    }

    package var count: Int { rows.count }
    package var awayCount: Int { rows.values.count { $0.isAway } }
    package var alertCount: Int { Figures.sum(rows.values.map(\.alerts)) }

    /// - Returns: The alerts that are new, by the time of day.
    package mutating func take(_ inbox: ChainSource.Inbox) -> [Alert] {
        if let targets = inbox.targets {
            let former = rows
            rows = [:]
            for target in targets { rows[target] = former[target] ?? Row(target) }
        }
        return inbox.news.values.flatMap { rows[$0.target]?.take($0) ?? [] }.sorted { $0.clock < $1.clock }
    }
}

// MARK: - JSON

extension StandTable {
    /// All stands, for the page.
    var json: JSONValue { .array(rows().map(\.json)) }
}

extension StandTable.Row {
    fileprivate var json: JSONValue {
        let known = status == nil || isAway ? nil : self
        return [
            "stand": .string(name), "target": .string("\(target)"), "page": .orNull(page), "away": .orNull(absence),
            "phase": known.map { .string($0.phase) }, "clock": .string(clock), "speed": known.map { .number($0.speed) },
            "behind": known.map { .bool($0.isBehind) },
            "perMinute": known?.ordersPerMinute.map { .number($0) },
            "queue": known.map { .whole($0.count("queue")) }, "wait": known?.medianWait.map { .number($0) },
            "short": known?.short.map {
                ["fruit": .string($0.fruit), "level": .whole($0.level), "after": .orNull($0.after)]
            },
            "alerts": known.map { .whole($0.alerts) }, "lost": known.map { .number($0.lost) },
            "levels": known.map { row in
                .array(
                    row.levels.map { fruit, level in
                        [
                            "fruit": .string(fruit), "level": .whole(level),
                            "low": level == 0 || row.low.contains(fruit) ? true : nil,
                        ]
                    })
            },
        ]
    }

    /// The address of its own page; nil if it has none.
    private var page: String? {
        if case .http = target { return "\(target)/" }
        // What another program says of itself becomes no other kind of link.
        return status?["url"]?.text.flatMap { $0.hasPrefix("http://") ? $0 : nil }
    }
}

extension StandTable.Alert {
    /// The event with its stand and the time of day there.
    var json: JSONValue {
        .object(
            [
                .init(key: "stand", value: .string(stand)), .init(key: "clock", value: .string(clock)),
                .init(key: "seq", value: .whole(event.sequence)), .init(key: "event", value: .string(event.name)),
            ] + event.members)
    }
}
