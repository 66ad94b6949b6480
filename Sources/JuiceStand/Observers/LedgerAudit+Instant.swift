// The stand as the lines read so far tell it.

extension LedgerAudit {
    /// Counts since the opening, and what else a line can change.
    package struct Counts: Equatable, Codable, Sendable {
        /// Orders lost, by reason.
        package internal(set) var lost = LossCounts()
        package internal(set) var substituted = 0
        /// Cups of orders served.
        package internal(set) var cupsServed = 0
        /// The same by the number of the juice; without the cups in ``earlierRevenue``.
        var cups = Numbered<Int>()
        /// What was earned before the first line read.
        package internal(set) var earlierRevenue = 0.0
        package internal(set) var lowStockAlerts = 0
        /// The latest low levels and recoveries, at most six, oldest first.
        package private(set) var alerts: [Alert] = []
        /// The factor on the arrival rate.
        package internal(set) var rate = 1.0
        package internal(set) var isPaused = false
        private var settings = NameTable()
        /// The number of the last line that changed a setting.
        private var lastChanges = Numbered<UInt64>()
        /// The waits of the latest orders served, in nanoseconds; a ring once it is full.
        package private(set) var waits: [Int64] = []
        private var oldestWait = 0

        /// The number of waits kept.
        package static let mostWaits = 500

        /// A level that fell to its threshold, or rose above it again.
        package struct Alert: Equatable, Codable, Sendable {
            package var sequence: UInt64
            package var time: SimulationTime
            package var isLow: Bool
            package var fruit: String
            package var level: Int
            package var threshold: Int
        }

        private static let mostAlerts = 6

        /// Whether all waits are kept that would be if every one of that many orders had been read.
        fileprivate func hasWaits(of served: Int) -> Bool { waits.count == min(served, Self.mostWaits) }
        fileprivate var hasAllAlerts: Bool { alerts.count == Self.mostAlerts }

        mutating func alert(_ alert: Alert) {
            if alert.isLow { lowStockAlerts += 1 }
            alerts = alerts.suffix(Self.mostAlerts - 1) + [alert]
        }

        /// The number of the last line that changed a setting, by its key.
        package var changes: [String: UInt64] {
            Dictionary(
                uniqueKeysWithValues: settings.names.enumerated().map { ($1, lastChanges[$0] ?? 0) })
        }

        mutating func change(_ key: String, at sequence: UInt64) { lastChanges[settings.add(key)] = sequence }

        mutating func serve(_ juice: Int, cups count: Int, wait: Int64) {
            cupsServed += count
            cups[juice] = (cups[juice] ?? 0) + count
            guard waits.count == Self.mostWaits else { return waits.append(wait) }
            waits[oldestWait] = wait
            oldestWait = (oldestWait + 1) % Self.mostWaits
        }
    }

    /// An order in the stand.
    package struct PresentOrder: Equatable, Sendable {
        package var number: UInt64
        package var juice: String
        package var cups: Int
        package var placed: SimulationTime
        /// When its first cup was started; nil while it waits.
        package var started: SimulationTime?
    }

    /// How far to replay a ledger.
    package enum End: Equatable, Sendable {
        /// Through the line of that number.
        case event(UInt64)
        /// Through the last line at or before that stand time.
        case time(SimulationTime)
    }

    /// The number of the last line read; 0 before the first.
    package var sequence: UInt64 { (expectedSequence ?? 1) - 1 }
    /// The stand time of the last line read.
    package var time: SimulationTime { SimulationTime(nanoseconds: nanoseconds) }
    /// The number of orders in the stand.
    package var ordersPresent: Int { orders.count }

    /// Those of which no cup has been started.
    ///
    /// - Complexity: O(*n*) for *n* orders in the stand
    package var ordersWaiting: Int { orders.values.count { $0.started == nil } }

    /// The orders in the stand, by their numbers.
    package var presentOrders: [PresentOrder] {
        orders.map { number, order in
            PresentOrder(
                number: number, juice: juices.names[order.juice], cups: order.cups,
                placed: SimulationTime(nanoseconds: order.placed),
                started: order.started.map { SimulationTime(nanoseconds: $0) })
        }.sorted { $0.number < $1.number }
    }

    /// Pieces on hand; nil for unlimited fruit, and for fruit that no line names.
    package func level(of fruit: String) -> Int? { fruits.number(of: fruit).flatMap { levels[$0] } }

    /// Cups served of a juice, without those before the first line read.
    package func cupsServed(of juice: String) -> Int { juices.number(of: juice).flatMap { counts.cups[$0] } ?? 0 }

    /// Pieces on order from the supplier.
    package func onOrder(_ fruit: String) -> Int { fruits.number(of: fruit).flatMap { onOrder[$0] } ?? 0 }

    /// Whether the latest waits and alerts are all those of the ledger, although the audit began with a stand in the
    /// middle of it.
    package var hasLatest: Bool {
        counts.hasWaits(of: finding.served) && (counts.hasAllAlerts || counts.lowStockAlerts == 0)
    }

    /// Begins with a stand between two events: the next line is the one after its last.
    package init(after stand: Stand) {
        let menu = stand.settings.menu
        expectedSequence = stand.factsAnnounced + 1
        (startsLater, beganWithStand) = (true, true)
        for (fruit, level) in zip(menu.fruits, stand.maker.levels) {
            if let level { levels[fruits.add(fruit.name)] = level } else { unlimited.insert(fruit.name) }
        }
        for (fruit, pieces) in zip(menu.fruits, stand.onOrder) { onOrder[fruits.add(fruit.name)] = pieces }
        for (number, order) in stand.presentOrders {
            orders[number] = AuditedOrder(
                juice: juices.add(menu.name(of: order.juice)), cups: order.cups, placed: order.placed.nanoseconds,
                started: order.started?.nanoseconds)
        }
        lastOrder = stand.ordersNumbered
        let tally = stand.tally
        finding.nanoseconds = stand.now.nanoseconds
        finding.events = Int(stand.factsAnnounced)
        (finding.orders, finding.served, finding.present) = (Int(stand.ordersNumbered), tally.served, orders.count)
        counts.lost = tally.lost
        finding.lost = tally.lost.total
        (counts.substituted, counts.cupsServed) = (tally.substituted, tally.cupsServed)
        (counts.earlierRevenue, counts.lowStockAlerts) = (tally.revenue, tally.lowStockAlerts)
        (counts.rate, counts.isPaused) = (stand.rate, stand.isPaused)
    }

    /// Replays the next lines of a ledger, but none after `end`.
    ///
    /// - Parameters:
    ///   - lines: Whole lines.
    ///   - start: Where the first one begins.
    ///   - end: How far to replay.
    /// - Returns: Where the first line begins that was not replayed; the count of `lines` if all were.
    /// - Complexity: O(*n*) for *n* bytes replayed
    package mutating func replay(_ lines: [UInt8], from start: Int = 0, through end: End) -> Int {
        var start = start
        var fields = LedgerFields()
        while let newline = Self.endOfLine(in: lines, from: start) {
            switch end {
            case .event(let last): guard sequence < last else { return start }
            case .time(let last):
                guard LedgerLine.nanoseconds(ofLineAt: start, in: lines) ?? 0 <= last.nanoseconds else { return start }
            }
            place.line += 1
            readLine(lines, start..<newline, &fields)
            start = newline + 1
        }
        return start
    }
}
