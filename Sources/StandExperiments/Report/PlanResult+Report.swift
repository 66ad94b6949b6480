import JuiceStand
import Reports
import TextFormats

extension PlanResult {
    /// The best setting, the guarantee, the race, cost against service, and the days compared.
    ///
    /// - Parameter days: The stand as it is and with the best setting; nil if there is none.
    package func report(days: SimulationResult? = nil) -> Report {
        var report = Report(title: headline)
        report.alarms = faults
        report.notes = remarks
        if let named { report.add("", [.figures(figures(of: named))]) }
        report.add("", guarantee.map { .paragraph($0) })
        report.add("The race", for: .page, racePlots)
        report.add("", [.table(raceTable)])
        report.add("The objective against the constraints", for: .page, front)
        if let days {
            let columns = (SimulationResult.compared + ["queue.hours"]).filter(days.commonNames.contains)
            report.add(
                "Today and the best setting", for: .page,
                [.table(days.comparison(columns, best: 1, isShort: false))] + days.waitPlots)
            report.add("Stock over time", for: .page, days.levelPlots)
        }
        return report
    }

    /// The stand as it is and with the best setting, over replications with the same customers; nil without a best
    /// setting.
    package func simulateDays(today: StandSettings, _ execution: Experiment.Execution) -> SimulationResult? {
        guard let best, let settings = plan.makeSettings(best.combination) else { return nil }
        return Experiment(
            base: today,
            settings: [
                .init(set: [.init(key: "setting", value: "today")], settings: today),
                .init(set: [.init(key: "setting", value: "best")], settings: settings),
            ], replications: 10, horizon: plan.horizon, warmUp: .fixed(plan.warmUp), includesTiming: false,
            drawsCharts: true
        ).run(execution)
    }
}

// MARK: - The race

extension PlanResult {
    private static let mostBars = 24
    private static let mostPoints = 500

    private var racePlots: [Report.Block] {
        let shown = candidates.prefix(Self.mostBars)
        let bars = BarChart(
            "How long each setting was in the race",
            description: shown.map { "\(Self.shortName($0)): \($0.replications), \($0.fate.inWords)" }
                .joined(separator: "; ") + ".",
            caption: "A setting leaves when it is shown to be worse, or to break a constraint.", unit: "replications",
            bars: shown.map {
                .init(
                    name: Self.shortName($0), value: Double($0.replications),
                    label: "\(Columns.grouped($0.replications)), \($0.fate.inWords)")
            }
        ).markup()
        let others = Report.leftOut(
            shown.count, of: candidates.count, "settings", elsewhere: "the table has more, the JSON has all")
        return [.plots([bars] + [objectivePlot?.markup()].compactMap { $0 })] + [others].compactMap { $0 }
    }

    /// The objective against the key with the most numbers; nil if no key has two.
    private var objectivePlot: Plot? {
        let shown = candidates.prefix(Self.mostPoints).filter { $0.objective != nil }
        let keys = plan.grid.axes.map(\.keyPath)
        guard let axis = SweepAxis(shown.map(\.set), names: keys), let range = range(shown.map { $0.objective }) else {
            return nil
        }
        var plot = Plot(
            "The objective", description: describe(Array(shown)),
            caption: "With intervals of \(Columns.readable(plan.confidence * 100))% confidence each.",
            series: fateNames,
            x: Axis(axis.key, at: axis.ticks), y: Axis("\(plan.objective)", range))
        // The best setting is drawn last, above the others.
        for (candidate, value) in zip(shown, axis.valueOfRun).reversed() {
            guard let figure = candidate.objective else { continue }
            let style = style(of: candidate)
            plot.addInterval(at: value, figure.halfWidth.map { figure.mean - $0...figure.mean + $0 }, style: style)
            plot.addPoint(.init(value, figure.mean), label: label(candidate), style: style)
        }
        return plot
    }

    private var fateNames: [String] { Race.Fate.allCases.map(\.inWords) }

    private func style(of candidate: Candidate) -> Int { Race.Fate.allCases.firstIndex(of: candidate.fate) ?? 0 }

    private func label(_ candidate: Candidate) -> String {
        "\(Self.shortName(candidate)), \(candidate.fate.inWords): "
            + describe(candidate.objective, of: plan.objective)
    }

    private func describe(_ shown: [Candidate]) -> String { shown.prefix(50).map(label).joined(separator: "; ") + "." }

    /// The range of the means; nil without any.
    private func range(_ figures: [Figure?]) -> ClosedRange<Double>? {
        let means = figures.compactMap { $0?.mean }
        guard let low = means.min(), let high = means.max() else { return nil }
        return low...high
    }

    private var raceTable: Report.Table {
        var table = Report.Table(
            "The settings visited",
            columns: ["setting", "fate", "\(plan.objective)"] + plan.constraints.map { "\($0)" } + ["replications"],
            headings: 1, texts: [1])
        table.rows = candidates.map { candidate in
            let constrained = zip(plan.constraints, candidate.constrained).map { describe($1, of: $0.sum) }
            let cells =
                [Self.shortName(candidate), candidate.fate.inWords, describe(candidate.objective, of: plan.objective)]
                + constrained + [Columns.grouped(candidate.replications)]
            return .init(cells.map { .init($0) }, isMarked: candidate.fate == .best)
        }
        return table
    }

    /// A plot for each constraint: its value against the objective, with the bound.
    private var front: [Report.Block] {
        let shown = candidates.prefix(Self.mostPoints)
        let plots = plan.constraints.enumerated().compactMap { number, constraint -> Markup? in
            let points = shown.compactMap { candidate -> (Candidate, Double, Double)? in
                guard let cost = candidate.objective?.mean, let value = candidate.constrained[number]?.mean else {
                    return nil
                }
                return (candidate, cost, value)
            }
            guard let costs = range(points.map { $0.0.objective }),
                let low = points.map(\.2).min(), let high = points.map(\.2).max()
            else { return nil }
            var plot = Plot(
                "\(constraint)", description: describe(points.map(\.0)),
                caption: "Each point is a setting.", series: fateNames,
                x: Axis("\(plan.objective)", costs),
                y: Axis("\(constraint.sum)", min(low, constraint.bound)...max(high, constraint.bound)))
            plot.addThreshold(constraint.bound, label: "\(constraint)")
            for (candidate, cost, value) in points.reversed() {
                plot.addPoint(
                    .init(cost, value), label: "\(label(candidate)), \(Columns.readable(value))",
                    style: style(of: candidate))
            }
            return plot.markup()
        }
        return plots.isEmpty ? [] : [.plots(plots)]
    }
}
