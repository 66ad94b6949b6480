import JuiceStand
import TextFormats

extension ResultDifference {
    private static let mostBars = 24

    /// The result as a self-contained page: what differs, as bars and as a table of all metrics.
    package func html() -> String {
        let remarks = notes.map { "<p class=\"note\">Note: \($0)</p>\n" as Markup }
        return HTMLPage(
            title: "\(first.source) and \(second.source)",
            body: """
                <header>
                <h1>\(differs ? "The results differ" : "The results do not differ")</h1>
                <p class="about">\(headline)</p>
                \(remarks)</header>
                \(runs.map(section))
                """
        ).source()
    }

    private func section(_ run: Run) -> Markup {
        let name = runs.count > 1 ? SimulationResult.describe(run.first) : "Metrics"
        return HTMLPage.section(name, bars(run) + table(run))
    }

    private func bars(_ run: Run) -> Markup {
        let shown = run.metrics.filter { $0.differs && $0.relative != nil }.prefix(Self.mostBars)
        guard !shown.isEmpty else { return "" }
        let chart = BarChart(
            "What differs, as a share of \(first.source)",
            description: shown.map { "\($0.name): \(Self.percent($0.relative ?? 0))" }.joined(separator: "; ") + ".",
            caption: "With intervals that hold for all metrics together.", unit: "% of \(first.source)",
            bars: shown.map { metric in
                let scale = metric.first.map { 100 / abs($0) } ?? 0
                let value = (metric.difference ?? 0) * scale
                return .init(
                    name: metric.name, value: value,
                    interval: metric.halfWidth.map { value - $0 * scale...value + $0 * scale },
                    label: Self.percent(metric.relative ?? 0))
            })
        return "<div class=\"plots\">\n\(chart.markup())</div>\n"
    }

    private func table(_ run: Run) -> Markup {
        HTMLPage.table(
            caption: "All metrics, those that differ first",
            columns: ["metric", first.source, second.source, "difference", "relative", "p", "differs"],
            rows: run.metrics.map { metric in
                [
                    "\(metric.name)", "\(Self.number(metric.first, metric.name))",
                    "\(Self.number(metric.second, metric.name))",
                    "\(Self.difference(metric))", "\(metric.relative.map(Self.percent) ?? "")",
                    "\(metric.probability.map { Columns.fixed($0, decimals: 4) } ?? "")",
                    "\(metric.differs ? "yes" : "no")",
                ]
            })
    }
}
