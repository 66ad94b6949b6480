/// One figure of a run.
///
/// ```swift
/// let metrics = try StandSimulation(configuration: "{}").run(for: .seconds(3600), posting: center)
/// for metric in metrics { print(metric.name, metric.value ?? "none") }
/// ```
public struct Metric: Equatable, Sendable {
    /// The name in every report, such as `wait.p95` or `stock.kiwi.mean`. <doc:Results> lists all names.
    public var name: String
    /// The value in the unit of the metric: seconds, customers, cups, pieces, a fraction, or money in the currency of
    /// the configuration. Nil if there were no observations.
    public var value: Double?

    package init(_ name: String, _ value: Double?) {
        self.name = name
        self.value = value
    }
}

extension Stand {
    /// All metrics of the measured period up to `end`, in the order of <doc:Results>.
    ///
    /// Times are in seconds and money in the currency of the configuration. Means over time are time-weighted.
    ///
    /// - Parameters:
    ///   - end: The end of the measured period.
    ///   - takesCommands: Whether to report losses that only commands cause.
    package func metrics(at end: SimulationTime, takesCommands: Bool = false) -> [Metric] {
        var metrics: [Metric] = []
        forEachMetric(at: end, takesCommands) { metrics.append(Metric($0(), $1)) }
        return metrics
    }

    /// The values of ``metrics(at:takesCommands:)`` without their names, which take most of its time.
    package func metricValues(at end: SimulationTime) -> [Double?] {
        var values: [Double?] = []
        forEachMetric(at: end, false) { values.append($1) }
        return values
    }

    /// Both sides of Little's law for the measured period up to `end`, in customers × nanoseconds: the integral of the
    /// number of customers present, and the sum of the times they spent in the stand. They are kept independently and
    /// must be equal.
    ///
    /// Source: Little, "A proof for the queuing formula L = λW", Operations Research 9 (1961). For a finite period the
    /// law holds exactly if the time of each customer is cut to the period.
    package func littlesLaw(at end: SimulationTime) -> (present: Int128, spent: Int128) {
        let start = state.tally.start
        let spent = state.orders.present.reduce(state.tally.timeSpent) {
            $0 + Int128((end - max($1.placed, start)).nanoseconds)
        }
        return (state.tally.present.area(to: end), spent)
    }

    /// For each fruit, in menu order: orders placed with the supplier, pieces delivered, and pieces spoiled.
    package var supply: [(orders: Int, delivered: Int, spoiled: Int)] {
        settings.menu.allFruits.map { fruit in
            let tally = state.tally.fruits[fruit.index]
            return (tally.ordersPlaced, tally.piecesDelivered, tally.piecesSpoiled)
        }
    }

    /// Receives a name, which is made only on demand, and a value.
    private typealias MetricBody = (_ name: @autoclosure () -> String, _ value: Double?) -> Void

    private func forEachMetric(at end: SimulationTime, _ takesCommands: Bool, _ body: MetricBody) {
        let costs = costs(at: end)
        forEachCustomerMetric(takesCommands, body)
        forEachQueueMetric(at: end, body)
        forEachStockMetric(at: end, body)
        body("cost.total", costs.total)
        body("cost.ordering", costs.ordering)
        body("cost.holding", costs.holding)
        body("cost.shortage", costs.shortage)
        if let makers = costs.makers { body("cost.makers", makers) }
        body("profit", state.tally.revenue - costs.total)
        body("alerts.lowStock", Double(state.tally.lowStockAlerts))
        body("notifications.posted", Double(state.factsAnnounced - state.tally.announcedBefore))
    }

    private func forEachCustomerMetric(_ takesCommands: Bool, _ body: MetricBody) {
        let tally = state.tally
        body("customers.arrived", Double(tally.arrived))
        body("customers.served", Double(tally.served))
        for reason in LossReason.reported where takesCommands || !reason.traits.isByCommand {
            body(reason.traits.metric, Double(tally.lost[reason]))
        }
        body("customers.substituted", Double(tally.substituted))
        body("customers.present", Double(state.present))
        body("cups.demanded", Double(tally.cupsDemanded))
        body("cups.served", Double(tally.cupsServed))
        body("cups.lost", Double(tally.cupsLost))
        body("fillRate", ratio(Double(tally.cupsFilledAtOnce), Double(tally.cupsDemanded)))
    }

    private func forEachQueueMetric(at end: SimulationTime, _ body: MetricBody) {
        let tally = state.tally
        forEachMetric(of: tally.waits, "wait", body)
        body("waitProbability", ratio(Double(tally.waited), Double(tally.waits.count)))
        forEachMetric(of: tally.stays, "stay", body)
        body("queue.mean", tally.queue.mean(to: end))
        body("queue.max", Double(tally.queue.maximum(to: end)))
        body("queue.hours", tally.queue.integral(to: end) / 3600)
        body("present.mean", tally.present.mean(to: end))
        body("present.hours", tally.present.integral(to: end) / 3600)
        if let hours = hoursOnDuty(at: end) {
            body("makers.utilization", utilization(at: end))
            body("makers.onDuty.hours", hours)
        }
        body("throughput", ratio(Double(tally.served), (end - tally.start).seconds))
        body("revenue", tally.revenue)
    }

    /// The hours that makers were on duty; nil if their number has no limit.
    private func hoursOnDuty(at end: SimulationTime) -> Double? {
        guard settings.makers < .max else { return nil }
        let constant = { Double(settings.makers) * (end - state.tally.start).seconds }
        return (state.tally.makers?.integral(to: end) ?? constant()) / 3600
    }

    private func utilization(at end: SimulationTime) -> Double? {
        guard let onDuty = state.tally.makers else {
            return state.tally.busy.mean(to: end).map { $0 / Double(settings.makers) }
        }
        return ratio(state.tally.busy.integral(to: end), onDuty.integral(to: end))
    }

    private func forEachMetric(of histogram: Histogram, _ name: String, _ body: MetricBody) {
        let perMille: [UInt64] = [500, 900, 950, 990]
        body("\(name).mean", histogram.mean)
        for (perMille, span) in zip(perMille, histogram.percentiles(perMille: perMille)) {
            body("\(name).p\(perMille / 10)", span?.seconds)
        }
        body("\(name).max", histogram.maximum?.seconds)
    }

    private func forEachStockMetric(at end: SimulationTime, _ body: MetricBody) {
        for fruit in settings.menu.allFruits {
            let tally = state.tally.fruits[fruit.index]
            guard let level = tally.level else { continue }
            let name = settings.menu.name(of: fruit)
            body("stock.\(name).mean", level.mean(to: end))
            body("stock.\(name).min", Double(level.minimum))
            body("stock.\(name).shortFraction", tally.shortFraction(need: needs[fruit.index], to: end))
            body("stock.\(name).soldOutFraction", level.fractionAtZero(to: end))
            body("stock.\(name).backordered.mean", tally.backordered.mean(to: end))
            body("restock.\(name).orders", Double(tally.ordersPlaced))
            body("restock.\(name).pieces", Double(tally.piecesDelivered))
            body("spoiled.\(name)", Double(tally.piecesSpoiled))
        }
    }

    private func ratio(_ part: Double, _ whole: Double) -> Double? { whole > 0 ? part / whole : nil }

    /// Costs of the measured period in the currency of the configuration; those of makers are nil if their number has
    /// no limit.
    private func costs(
        at end: SimulationTime
    ) -> (ordering: Double, holding: Double, shortage: Double, makers: Double?, total: Double) {
        let secondsADay = 86_400.0
        var ordering = 0.0
        var holding = 0.0
        var shortage = 0.0
        for (tally, shelf) in zip(state.tally.fruits, settings.shelves) {
            guard let level = tally.level else { continue }
            ordering += Double(tally.ordersPlaced) * shelf.costs.order + Double(tally.piecesOrdered) * shelf.costs.unit
            holding += level.integral(to: end) / secondsADay * shelf.costs.holding
            shortage += tally.backordered.integral(to: end) / secondsADay * shelf.costs.shortage
        }
        let makers = hoursOnDuty(at: end).map { $0 * settings.wage }
        return (ordering, holding, shortage, makers, ordering + holding + shortage + (makers ?? 0))
    }
}
