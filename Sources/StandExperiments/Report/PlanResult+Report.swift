import JuiceStand
import Reports
import TextFormats

extension PlanResult {
    /// The best setting, the guarantee, the race, cost against service, and the days compared.
    ///
    /// - Parameter days: The stand as it is and with the best setting; nil if there is none.
    package func report(days: SimulationResult? = nil) -> Report {
        var report = Report(title: headline)
        report.details = "All settings"
        report.alarms = faults
        report.notes = remarks
        if let named { report.add("", [.figures(figures(of: named))]) }
        report.add("", guarantee.map { .paragraph($0) })
        report.add("", [.table(raceTable)])
        report.add("The objective and the constraints", for: .page, plots.isEmpty ? [] : [.plots(plots)])
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
    private static let mostPoints = 500

    /// A setting in a plot.
    private typealias Point = (candidate: Candidate, x: Double, y: Figure)

    /// The objective against the key with the most numbers, then each constraint against the objective.
    private var plots: [Markup] {
        let shown = candidates.prefix(Self.mostPoints).filter { $0.objective != nil }
        var plots: [Markup?] = []
        if let axis = SweepAxis(shown.map(\.set), names: plan.grid.axes.map(\.keyPath)) {
            let points = zip(shown, axis.valueOfRun).compactMap { candidate, value in
                candidate.objective.map { Point(candidate, value, $0) }
            }
            plots.append(plot("The objective", points, x: Axis(axis.key, at: axis.ticks), y: "\(plan.objective)"))
        }
        for (number, constraint) in plan.constraints.enumerated() {
            let points = shown.compactMap { candidate in
                candidate.constrained[number].map { Point(candidate, candidate.objective?.mean ?? 0, $0) }
            }
            guard let low = points.map(\.x).min(), let high = points.map(\.x).max() else { continue }
            let x = Axis("\(plan.objective)", low...high)
            plots.append(plot(words(constraint), points, x: x, y: "\(constraint.sum)", bound: constraint.bound))
        }
        return plots.compactMap { $0 }
    }

    private func plot(_ title: String, _ points: [Point], x: Axis, y: String, bound: Double? = nil) -> Markup? {
        let values = points.map(\.y.mean) + [bound].compactMap { $0 }
        guard !points.isEmpty, let low = values.min(), let high = values.max() else { return nil }
        let confidence = "\(Columns.readable(plan.confidence * 100))% confidence"
        var plot = Plot(
            title, description: points.prefix(50).map { label($0.candidate) }.joined(separator: "; ") + ".",
            caption: "Each point is a setting, with its interval of \(confidence).",
            series: Race.Fate.allCases.map(\.inWords), x: x, y: Axis(y, low...high))
        if let bound { plot.addThreshold(bound, label: title) }
        // The best setting is drawn last, above the others.
        for (candidate, x, y) in points.reversed() {
            let style = Race.Fate.allCases.firstIndex(of: candidate.fate) ?? 0
            let value = bound == nil ? "" : ", \(Columns.rounded(y.mean))"
            plot.addPoint(
                (x, y.mean), interval: y.halfWidth.map { y.mean - $0...y.mean + $0 },
                label: label(candidate) + value, style: style)
        }
        return plot.markup()
    }

    private func label(_ candidate: Candidate) -> String {
        "\(Self.shortName(candidate)), \(candidate.fate.inWords): "
            + describe(candidate.objective, of: plan.objective)
    }

    private var raceTable: Report.Table {
        var table = Report.Table(
            "The settings visited, and the replications until each was shown to be worse or to break a constraint",
            columns: ["setting", "fate", "\(plan.objective)"] + plan.constraints.map(words) + ["replications"],
            headings: 1, texts: [1])
        table.things = "settings"
        table.extras = 1
        func cell(_ figure: Figure?, _ sum: MetricSum) -> Report.Cell {
            let mean = figure.map { sum.unit(currency: currency).rounded($0.mean, beside: $0.halfWidth) }
            return Report.Cell(describe(figure, of: sum), brief: mean)
        }
        table.rows = candidates.map { candidate in
            let constrained = zip(plan.constraints, candidate.constrained).map { cell($1, $0.sum) }
            let replications = Report.Cell(
                Columns.grouped(candidate.replications), bar: (Double(candidate.replications), nil))
            let names: [Report.Cell] = [.init(Self.shortName(candidate)), .init(candidate.fate.inWords)]
            return .init(
                names + [cell(candidate.objective, plan.objective)] + constrained + [replications],
                isMarked: candidate.fate == .best)
        }
        return table
    }
}
