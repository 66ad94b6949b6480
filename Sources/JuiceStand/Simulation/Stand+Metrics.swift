/// One figure of a run.
public struct Metric: Equatable, Sendable {
    /// The name in every report, such as `wait.p95` or `stock.kiwi.mean`. <doc:Results> lists all names.
    public var name: String
    /// The value in the unit of the metric: seconds, customers, cups, pieces, a fraction, or money in the currency of the
    /// configuration. Nil if there were no observations.
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
    package func metrics(at end: SimulationTime) -> [Metric] {
        let costs = costs(at: end)
        return customerMetrics() + queueMetrics(at: end) + stockMetrics(at: end) + [
            Metric("cost.total", costs.total),
            Metric("cost.ordering", costs.ordering),
            Metric("cost.holding", costs.holding),
            Metric("cost.shortage", costs.shortage),
            Metric("alerts.lowStock", Double(state.tally.lowStockAlerts)),
            Metric("notifications.posted", Double(state.factsAnnounced - state.tally.announcedBefore)),
        ]
    }

    /// Both sides of Little's law for the measured period up to `end`, in customers × nanoseconds: the integral of the
    /// number of customers present, and the sum of the times they spent in the stand. They are kept independently and
    /// must be equal.
    ///
    /// Source: Little, "A proof for the queuing formula L = λW", Operations Research 9 (1961). For a finite period the law
    /// holds exactly if the time of each customer is cut to the period.
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

    private func customerMetrics() -> [Metric] {
        let tally = state.tally
        return [
            Metric("customers.arrived", Double(tally.arrived)),
            Metric("customers.served", Double(tally.served)),
            Metric("customers.balked", Double(tally.balked)),
            Metric("customers.reneged", Double(tally.reneged)),
            Metric("customers.soldOut", Double(tally.soldOut)),
            Metric("customers.substituted", Double(tally.substituted)),
            Metric("customers.present", Double(state.present)),
            Metric("cups.demanded", Double(tally.cupsDemanded)),
            Metric("cups.served", Double(tally.cupsServed)),
            Metric("cups.lost", Double(tally.cupsLost)),
            Metric("fillRate", ratio(Double(tally.cupsFilledAtOnce), Double(tally.cupsDemanded))),
        ]
    }

    private func queueMetrics(at end: SimulationTime) -> [Metric] {
        let tally = state.tally
        let span = (end - tally.start).seconds
        var metrics = histogramMetrics("wait", tally.waits)
        metrics.append(Metric("waitProbability", ratio(Double(tally.waited), Double(tally.waits.count))))
        metrics += histogramMetrics("stay", tally.stays)
        metrics += [
            Metric("queue.mean", tally.queue.mean(to: end)),
            Metric("queue.max", Double(tally.queue.maximum(to: end))),
            Metric("queue.hours", tally.queue.integral(to: end) / 3600),
            Metric("present.mean", tally.present.mean(to: end)),
            Metric("present.hours", tally.present.integral(to: end) / 3600),
        ]
        if settings.makers < .max {
            let onDuty = tally.makers?.integral(to: end) ?? Double(settings.makers) * span
            metrics.append(Metric("makers.utilization", utilization(at: end)))
            metrics.append(Metric("makers.onDuty.hours", onDuty / 3600))
        }
        metrics.append(Metric("throughput", ratio(Double(tally.served), span)))
        metrics.append(Metric("revenue", tally.revenue))
        return metrics
    }

    private func utilization(at end: SimulationTime) -> Double? {
        guard let onDuty = state.tally.makers else {
            return state.tally.busy.mean(to: end).map { $0 / Double(settings.makers) }
        }
        return ratio(state.tally.busy.integral(to: end), onDuty.integral(to: end))
    }

    private func histogramMetrics(_ name: String, _ histogram: Histogram) -> [Metric] {
        let perMille: [UInt64] = [500, 900, 950, 990]
        return [Metric("\(name).mean", histogram.mean)]
            + zip(perMille, histogram.percentiles(perMille: perMille)).map { perMille, span in
                Metric("\(name).p\(perMille / 10)", span?.seconds)
            } + [Metric("\(name).max", histogram.maximum?.seconds)]
    }

    private func stockMetrics(at end: SimulationTime) -> [Metric] {
        settings.menu.allFruits.flatMap { fruit -> [Metric] in
            let tally = state.tally.fruits[fruit.index]
            guard let level = tally.level else { return [] }
            let name = settings.menu.name(of: fruit)
            return [
                Metric("stock.\(name).mean", level.mean(to: end)),
                Metric("stock.\(name).min", Double(level.minimum)),
                Metric("stock.\(name).soldOutFraction", level.fractionAtZero(to: end)),
                Metric("stock.\(name).backordered.mean", tally.backordered.mean(to: end)),
                Metric("restock.\(name).orders", Double(tally.ordersPlaced)),
                Metric("restock.\(name).pieces", Double(tally.piecesDelivered)),
                Metric("spoiled.\(name)", Double(tally.piecesSpoiled)),
            ]
        }
    }

    private func ratio(_ part: Double, _ whole: Double) -> Double? { whole > 0 ? part / whole : nil }

    /// Costs of the measured period in the currency of the configuration.
    private func costs(at end: SimulationTime) -> (ordering: Double, holding: Double, shortage: Double, total: Double) {
        let secondsADay = 86_400.0
        var (ordering, holding, shortage) = (0.0, 0.0, 0.0)
        for (tally, shelf) in zip(state.tally.fruits, settings.shelves) {
            guard let level = tally.level else { continue }
            ordering += Double(tally.ordersPlaced) * shelf.costs.order + Double(tally.piecesOrdered) * shelf.costs.unit
            holding += level.integral(to: end) / secondsADay * shelf.costs.holding
            shortage += tally.backordered.integral(to: end) / secondsADay * shelf.costs.shortage
        }
        return (ordering, holding, shortage, ordering + holding + shortage)
    }
}
