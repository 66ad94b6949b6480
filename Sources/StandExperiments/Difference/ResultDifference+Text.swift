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
        let all = runs.reduce(0) { $0 + $1.metrics.count }
        let different = runs.reduce(0) { $0 + $1.metrics.count(where: \.differs) }
        let found =
            differs
            ? "\(first.source) and \(second.source) differ in \(Columns.grouped(different)) of \(Columns.counted(all, "metric"))"
            : "\(first.source) and \(second.source) do not differ by more than chance in any of \(Columns.counted(all, "metric"))"
        let test =
            method == .pairs
            ? "\(Columns.counted(first.replications, "pair")) of replications"
            : "\(Columns.grouped(first.replications)) and \(Columns.counted(second.replications, "replication")), Welch's test"
        return "\(found) (\(test), \(Columns.readable(confidence * 100))% confidence for all metrics together)"
    }

    private func table(_ metrics: [Metric]) -> String {
        var rows = [["", first.source, second.source, "difference", "relative"]]
        for metric in metrics {
            rows.append([
                metric.name, Self.number(metric.first), Self.number(metric.second), Self.difference(metric),
                metric.relative.map(Self.percent) ?? "",
            ])
        }
        return Columns.table(rows)
    }

    static func number(_ value: Double?) -> String { value.map(Columns.readable) ?? "none" }

    static func difference(_ metric: Metric) -> String {
        guard let difference = metric.difference, let halfWidth = metric.halfWidth else { return "none" }
        return (difference > 0 ? "+" : "") + Columns.readable(difference, halfWidth: halfWidth)
    }

    static func percent(_ share: Double) -> String {
        (share > 0 ? "+" : "") + Columns.fixed(share * 100, decimals: 1) + "%"
    }
}

// MARK: - As JSON

extension ResultDifference {
    package func json() -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "schema", value: .string(Self.schema)), .init(key: "differs", value: .bool(differs)),
            .init(key: "confidence", value: .number(confidence)), .init(key: "method", value: .string(method.rawValue)),
            .init(key: "adjustment", value: .string(adjustment.rawValue)), .init(key: "a", value: Self.json(first)),
            .init(key: "b", value: Self.json(second)),
        ]
        if !notes.isEmpty { members.append(.init(key: "notes", value: .array(notes.map { .string($0) }))) }
        members.append(.init(key: "runs", value: .array(runs.map(Self.json))))
        return .object(members)
    }

    private static func json(_ result: RecordedResult) -> JSONValue {
        [
            "file": .string(result.source), "seed": .integer(Int64(result.seed)),
            "replications": .integer(Int64(result.replications)),
        ]
    }

    private static func json(_ run: Run) -> JSONValue {
        [
            "a": .object(run.first), "b": .object(run.second), "metrics": .array(run.metrics.map(json)),
        ]
    }

    private static func json(_ metric: Metric) -> JSONValue {
        [
            "metric": .string(metric.name), "a": number(metric.first), "b": number(metric.second),
            "difference": number(metric.difference), "halfWidth": number(metric.halfWidth),
            "relative": number(metric.relative), "p": number(metric.probability), "differs": .bool(metric.differs),
        ]
    }

    private static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
}
