import JuiceStand
import StandState
import TextFormats

// The JSON of instants that have passed. What only the settings tell, such as capacities, is that of the present.

extension StandStatus {
    /// The status at an instant.
    ///
    /// It lacks what the ledger does not settle: how many cups of one order are being made at once, and what a reload
    /// changed since.
    package func json(at view: Instants.View) -> JSONValue {
        let (audit, counts, finding) = (view.stand, view.stand.counts, view.stand.finding)
        let present = audit.presentOrders
        let making = present.filter { $0.started != nil }
        let line = present.filter { $0.started == nil }
        let phase = finding.isClosed ? Phase.closed : counts.isPaused ? .paused : .open
        func isSettled(_ key: String) -> Bool { view.changes[key].map { $0 <= audit.sequence } ?? true }
        let makers = settings.shifts?.makers(at: view.time) ?? settings.makers
        let keptPrices = !view.changes.keys.contains { $0.hasSuffix(".price") }
        return [
            "stand": .string(settings.stand), "phase": .string(phase.rawValue), "opens": .string(settings.opens),
            "seed": .whole(settings.seed), "time": .number(view.time.seconds), "speed": .number(speed),
            "rate": .number(counts.rate), "sequence": .whole(audit.sequence), "queue": .whole(line.count),
            "present": .whole(present.count),
            "busyMakers": making.allSatisfy { $0.cups == 1 } ? .whole(making.count) : nil,
            "makers": isSettled("makers") ? makers.limitJSON : nil,
            "places": isSettled("queue.limit") ? settings.queueLimit.limitJSON : nil,
            "orders": .whole(finding.orders), "served": .whole(finding.served),
            "lost": counts.lost.json,
            "substituted": .whole(counts.substituted), "cupsServed": .whole(counts.cupsServed),
            "revenue": keptPrices ? .number(revenue(of: audit)) : nil,
            "lowStockAlerts": .whole(counts.lowStockAlerts),
            "stock": .object(
                settings.menu.fruits.map { .init(key: $0.name, value: .orNull(audit.level(of: $0.name))) }),
            "onOrder": .object(
                settings.menu.fruits.map { .init(key: $0.name, value: .whole(max(0, audit.onOrder($0.name)))) }),
            "waits": counts.waits.waitsJSON, "line": .array(line.map(\.json)),
            "making": .array(making.map(\.json)),
            "alerts": .array(counts.alerts.map(\.json)), "events": .array(Self.events(view.lines)),
        ]
    }

    private func revenue(of audit: LedgerAudit) -> Double {
        let revenue = settings.menu.allJuices.reduce(audit.counts.earlierRevenue) { sum, juice in
            sum + settings.offers[juice.index].price * Double(audit.cupsServed(of: settings.menu.name(of: juice)))
        }
        return settings.money(revenue)
    }

    private static func events(_ lines: [UInt8]) -> [JSONValue] {
        lines.split(separator: UInt8(ascii: "\n")).compactMap { JSONValue(parsing: $0) }
    }

    func stockJSON(at view: Instants.View) -> JSONValue {
        var then = self
        then.shown.levels = settings.menu.fruits.map { view.stand.level(of: $0.name) }
        then.shown.onOrder = settings.menu.fruits.map { max(0, view.stand.onOrder($0.name)) }
        return then.stockJSON(editTag: .null)
    }

    /// The stand over time.
    func historyJSON(_ states: [LedgerAudit], from start: SimulationTime, to end: SimulationTime) -> JSONValue {
        func column(_ value: (LedgerAudit) -> Int) -> JSONValue { .array(states.map { .whole(value($0)) }) }
        return [
            "from": .number(start.seconds), "to": .number(end.seconds),
            "at": .array(states.map { .number($0.time.seconds) }),
            "sequence": column { Int($0.sequence) }, "queue": column(\.ordersWaiting),
            "present": column(\.ordersPresent), "orders": column(\.finding.orders),
            "served": column(\.finding.served),
            "lost": .object(
                LossReason.allCases.map { reason in
                    .init(key: reason.name, value: column { $0.counts.lost[reason] })
                }),
            "stock": .object(
                settings.menu.fruits.map { fruit in
                    .init(key: fruit.name, value: .array(states.map { .orNull($0.level(of: fruit.name)) }))
                }),
        ]
    }
}

extension [Int64] {
    /// Percentiles of waits in seconds; null before anybody was served.
    var waitsJSON: JSONValue {
        let waits = percentiles(perMille: [500, 950, 990]).map { JSONValue.orNull($0?.seconds) }
        return ["p50": waits[0], "p95": waits[1], "p99": waits[2]]
    }
}

extension LowStockAlerter.Alert {
    /// The event of the ledger.
    func json(_ menu: Menu) -> JSONValue {
        [
            "seq": .whole(stamp.sequence), "at": .number(stamp.time.seconds), "event": .string(kind.name),
            "fruit": .string(menu.name(of: fruit)), "level": .whole(level), "threshold": .whole(threshold),
        ]
    }
}

extension LedgerAudit.Counts.Alert {
    /// The event of the ledger.
    fileprivate var json: JSONValue {
        [
            "seq": .whole(sequence), "at": .number(time.seconds),
            "event": .string(isLow ? FactKind.lowStock.name : FactKind.stockRecovered.name), "fruit": .string(fruit),
            "level": .whole(level), "threshold": .whole(threshold),
        ]
    }
}

extension LedgerAudit.PresentOrder {
    fileprivate var json: JSONValue {
        [
            "order": .whole(number), "juice": .string(juice), "cups": .whole(cups),
            "placed": .number(placed.seconds), "started": started.map { .number($0.seconds) },
        ]
    }
}
