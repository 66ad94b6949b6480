import JuiceStand
import Reports
import TextFormats

extension ResultDifference {
    private static let mostBars = 24

    /// What differs, as a table and as bars, then all metrics.
    package func report() -> Report {
        var report = Report(title: headline, about: test)
        report.notes = notes
        for run in runs {
            let name = runs.count > 1 ? SimulationResult.describe(run.first) : ""
            let shown = run.metrics.filter(\.differs)
            if !shown.isEmpty {
                let table = table(shown, "What differs, the largest difference first", isWhole: false)
                report.add(name, [.table(table)])
            }
            report.add("", for: .page, bars(shown))
            let all = table(run.metrics, "All metrics, those that differ first", isWhole: true)
            report.add("", for: .curious, [.folded("All metrics", isOpen: true, [.table(all)])])
        }
        return report
    }

    private var headline: String {
        let all = Columns.counted(runs.reduce(0) { $0 + $1.metrics.count }, "metric")
        let different = Columns.grouped(runs.reduce(0) { $0 + $1.metrics.count(where: \.differs) })
        return differs
            ? "\(first.source) and \(second.source) differ in \(different) of \(all)"
            : "\(first.source) and \(second.source) do not differ by more than chance in any of \(all)"
    }

    private var test: String {
        let replications: String =
            method == .pairs
            ? "\(Columns.counted(first.replications, "pair")) of replications"
            : "\(Columns.grouped(first.replications)) and "
                + "\(Columns.counted(second.replications, "replication")), Welch's test"
        return "\(replications), \(Columns.readable(confidence * 100))% confidence for all metrics together"
    }

    /// - Parameter isWhole: Whether these are all metrics, of which those that differ are to be marked.
    private func table(_ metrics: [Metric], _ caption: String, isWhole: Bool) -> Report.Table {
        var table = Report.Table(
            caption,
            columns: ["metric", first.source, second.source, "difference", "relative"] + (isWhole ? ["p"] : []))
        table.rows = metrics.map { metric in
            let unit = MetricUnit(of: metric.name, currency: first.currency)
            let cells = [
                metric.name, metric.first.map(unit.rounded) ?? "none", metric.second.map(unit.rounded) ?? "none",
                difference(metric), metric.relative.map(Self.percent) ?? "",
            ]
            let p = isWhole ? [metric.probability.map { Columns.fixed($0, decimals: 4) } ?? ""] : []
            return .init((cells + p).map { .init($0) }, isMarked: isWhole && metric.differs)
        }
        table.mostInText = isWhole ? .max : 15
        return table
    }

    private func difference(_ metric: Metric) -> String {
        guard let difference = metric.difference, let halfWidth = metric.halfWidth else { return "none" }
        let text = Estimate.signed(difference, halfWidth: halfWidth, of: metric.name, first.currency)
        return text.contains("±") ? text : "\(text) ± 0"
    }

    private static func percent(_ share: Double) -> String { (share > 0 ? "+" : "") + Columns.percent(share) }

    private func bars(_ metrics: [Metric]) -> [Report.Block] {
        let shown = metrics.filter { $0.relative != nil }.prefix(Self.mostBars)
        guard !shown.isEmpty else { return [] }
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
        return [.plots([chart.markup()])]
    }
}
