import JuiceStand
import Platform
import TextFormats

extension PlanResult {
    /// The result as a self-contained page: the best setting, the race, cost against service, and the days compared.
    ///
    /// - Parameter days: The stand as it is and with the best setting; nil if there is none.
    package func html(days: SimulationResult?) -> String {
        HTMLPage(
            title: "\(SimulationResult.describe(named?.set ?? [])): plan",
            body: [
                header, HTMLPage.section("The race", racePlots + raceTable), front,
                days.map {
                    HTMLPage.section("Today and the best setting", comparison(of: $0)) + $0.waitPlots + $0.levelPlots
                }
                    ?? "",
            ].joined()
        ).source()
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

    private var header: Markup {
        let values = figures(of: named).map { name, figure -> Markup in
            "<div><dt>\(name)</dt><dd>\(Self.describe(figure))</dd></div>\n"
        }
        let alarms = faults.map { "<p class=\"alarm\">✗ \($0)</p>\n" as Markup }
        let notes = remarks.map { "<p class=\"note\">Note: \($0)</p>\n" as Markup }
        return """
            <header>
            <h1>\(headline)</h1>
            <p class="about">\(guarantee.joined(separator: " "))</p>
            \(alarms)\(notes)</header>
            <dl class="figures">
            \(values)</dl>

            """
    }
}

// MARK: - The race

extension PlanResult {
    private static let mostBars = 24
    private static let mostRows = 500
    private static let mostPoints = 500

    private var racePlots: Markup {
        let shown = candidates.prefix(Self.mostBars)
        let bars = BarChart(
            "How long each setting was in the race",
            description: shown.map { "\(Self.shortName($0)): \($0.replications), \($0.fate.rawValue)" }
                .joined(separator: "; ") + ".",
            caption: "A setting leaves when it is shown to be worse, or to break a constraint.", unit: "replications",
            bars: shown.map {
                .init(
                    name: Self.shortName($0), value: Double($0.replications),
                    label: "\(Columns.grouped($0.replications)), \($0.fate.rawValue)")
            }
        ).markup()
        return "<div class=\"plots\">\n\(bars)\(objectivePlot?.markup() ?? "")</div>\n"
            + SimulationResult.leftOut(
                shown.count, of: candidates.count, "settings", elsewhere: "the table has more, the JSON has all")
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

    private var fateNames: [String] { Race.Fate.allCases.map(\.rawValue) }

    private func style(of candidate: Candidate) -> Int { Race.Fate.allCases.firstIndex(of: candidate.fate) ?? 0 }

    private func label(_ candidate: Candidate) -> String {
        "\(Self.shortName(candidate)), \(candidate.fate.rawValue): \(Self.describe(candidate.objective))"
    }

    private func describe(_ shown: [Candidate]) -> String { shown.prefix(50).map(label).joined(separator: "; ") + "." }

    /// The range of the means; nil without any.
    private func range(_ figures: [Figure?]) -> ClosedRange<Double>? {
        let means = figures.compactMap { $0?.mean }
        guard let low = means.min(), let high = means.max() else { return nil }
        return low...high
    }

    private var raceTable: Markup {
        let shown = candidates.prefix(Self.mostRows)
        return HTMLPage.table(
            caption: "The settings visited",
            columns: plan.grid.axes.map(\.keyPath) + ["fate", "\(plan.objective)"] + plan.constraints.map { "\($0)" }
                + ["replications"], headings: plan.grid.axes.count,
            rows: shown.map { candidate in
                let values: [Markup] = candidate.set.map { "\(SimulationResult.plain($0.value))" }
                let figures: [Markup] = ([candidate.objective] + candidate.constrained).map { "\(Self.describe($0))" }
                return values + ["\(candidate.fate.rawValue)"] + figures + [
                    "\(Columns.grouped(candidate.replications))"
                ]
            })
            + SimulationResult.leftOut(shown.count, of: candidates.count, "settings", elsewhere: "the JSON has all")
    }
}

// MARK: - Cost against service

extension PlanResult {
    /// A plot for each constraint: its value against the objective, with the bound.
    private var front: Markup {
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
        return plots.isEmpty
            ? "" : HTMLPage.section("The objective against the constraints", "<div class=\"plots\">\n\(plots)</div>\n")
    }

    /// The main figures of both days side by side.
    private func comparison(of days: SimulationResult) -> Markup {
        let names = days.commonNames.filter { SimulationResult.headlines.contains($0) || $0 == "queue.hours" }
        let differences = days.runs[1].differences(from: days.runs[0], of: names)
        return HTMLPage.table(
            caption: "Means of \(days.replications) replications with the same customers",
            columns: [
                "", "today", "with \(days.runs[1].set.isEmpty ? "" : SimulationResult.describe(best?.set ?? []))",
                "difference",
            ],
            rows: names.map { name in
                let found = days.runs.map { run -> Markup in "\(run.metric(name)?.roundedDescription ?? "none")" }
                let difference = differences.first { $0.name == name }
                return ["\(name)"] + found + ["\(difference?.signedRounded ?? "")"]
            })
    }
}
