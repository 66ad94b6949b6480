import JuiceStand
import Reports
import TextFormats

extension ResultDifference {
    /// The metrics that differ, then all metrics.
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

    /// - Parameter isWhole: Whether these are all metrics; those that differ are then marked.
    private func table(_ metrics: [Metric], _ caption: String, isWhole: Bool) -> Report.Table {
        var table = Report.Table(
            caption,
            columns: ["metric", first.source, second.source, "difference", "relative"] + (isWhole ? ["p"] : []))
        table.rows = metrics.map { metric in
            let unit = MetricUnit(of: metric.name, currency: first.currency)
            var cells: [Report.Cell] = [
                .init(metric.name), .init(metric.first.map(unit.rounded) ?? "none"),
                .init(metric.second.map(unit.rounded) ?? "none"), .init(difference(metric, unit)),
                .init(metric.relative.map(Self.percent) ?? "", bar: isWhole ? nil : bar(metric)),
            ]
            if isWhole { cells.append(.init(metric.probability.map { Columns.fixed($0, decimals: 4) } ?? "")) }
            return .init(cells, isMarked: isWhole && metric.differs)
        }
        table.things = "metrics"
        table.extras = isWhole ? 2 : 1
        return table
    }

    private func difference(_ metric: Metric, _ unit: MetricUnit) -> String {
        guard let difference = metric.difference, let halfWidth = metric.halfWidth else { return "none" }
        let text = unit.signed(difference, halfWidth: halfWidth)
        return text.contains("±") ? text : "\(text) ± 0"
    }

    private static func percent(_ share: Double) -> String { (share > 0 ? "+" : "") + Columns.percent(share) }

    /// The relative difference with an interval that holds for all metrics together.
    private func bar(_ metric: Metric) -> Report.Bar? {
        guard let relative = metric.relative, let first = metric.first, let halfWidth = metric.halfWidth else {
            return nil
        }
        let reach = halfWidth / abs(first)
        return (relative, relative - reach...relative + reach)
    }
}
