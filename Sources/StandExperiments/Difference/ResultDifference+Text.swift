import JuiceStand
import TextFormats

extension ResultDifference {
    /// The metrics that differ, the largest difference first.
    package func text() -> String {
        var text = headline + "\n"
        for note in notes { text += "  note: \(note)\n" }
        for run in runs {
            let shown = run.metrics.filter(\.differs)
            guard !shown.isEmpty else { continue }
            text += "\n" + (runs.count > 1 ? "\(SimulationResult.describe(run.first)):\n" : "") + table(shown)
        }
        return text
    }

    var headline: String {
        let all = Columns.counted(runs.reduce(0) { $0 + $1.metrics.count }, "metric")
        let different = Columns.grouped(runs.reduce(0) { $0 + $1.metrics.count(where: \.differs) })
        let found: String =
            differs
            ? "\(first.source) and \(second.source) differ in \(different) of \(all)"
            : "\(first.source) and \(second.source) do not differ by more than chance in any of \(all)"
        let count = Columns.grouped(first.replications)
        let others = Columns.counted(second.replications, "replication")
        let test: String =
            method == .pairs
            ? "\(Columns.counted(first.replications, "pair")) of replications"
            : "\(count) and \(others), Welch's test"
        return "\(found) (\(test), \(Columns.readable(confidence * 100))% confidence for all metrics together)"
    }

    private func table(_ metrics: [Metric]) -> String {
        var rows = [["", first.source, second.source, "difference", "relative"]]
        for metric in metrics {
            rows.append([
                metric.name, Self.number(metric.first, metric.name),
                Self.number(metric.second, metric.name), Self.difference(metric),
                metric.relative.map(Self.percent) ?? "",
            ])
        }
        return Columns.table(rows)
    }

    static func number(_ value: Double?, _ name: String) -> String {
        value.map { Estimate.rounded($0, of: name) } ?? "none"
    }

    static func difference(_ metric: Metric) -> String {
        guard let difference = metric.difference, let halfWidth = metric.halfWidth else { return "none" }
        let text = Estimate.signed(difference, halfWidth: halfWidth, of: metric.name)
        return text.contains("±") ? text : "\(text) ± 0"
    }

    static func percent(_ share: Double) -> String {
        (share > 0 ? "+" : "") + Columns.percent(share)
    }
}

// MARK: - As JSON

extension ResultDifference {
    package func json() -> JSONValue {
        [
            "schema": .string(Self.schema), "differs": .bool(differs), "confidence": .number(confidence),
            "method": .string(method.rawValue), "adjustment": .string(adjustment.rawValue), "a": Self.json(first),
            "b": Self.json(second), "notes": notes.isEmpty ? nil : .strings(notes),
            "runs": .array(runs.map(Self.json)),
        ]
    }

    private static func json(_ result: RecordedResult) -> JSONValue {
        ["file": .string(result.source), "seed": .whole(result.seed), "replications": .whole(result.replications)]
    }

    private static func json(_ run: Run) -> JSONValue {
        ["a": .object(run.first), "b": .object(run.second), "metrics": .array(run.metrics.map(json))]
    }

    private static func json(_ metric: Metric) -> JSONValue {
        [
            "metric": .string(metric.name), "a": .orNull(metric.first), "b": .orNull(metric.second),
            "difference": .orNull(metric.difference), "halfWidth": .orNull(metric.halfWidth),
            "relative": .orNull(metric.relative), "p": .orNull(metric.probability), "differs": .bool(metric.differs),
        ]
    }
}
