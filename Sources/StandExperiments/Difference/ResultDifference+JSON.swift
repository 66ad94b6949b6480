import TextFormats

extension ResultDifference {
    package func json() -> JSONValue {
        [
            "schema": .string(Self.schema), "differs": .bool(differs), "confidence": .number(confidence),
            "method": .string(method.rawValue), "adjustment": .string(adjustment.rawValue), "a": Self.json(first),
            "b": Self.json(second), "notes": notes.isEmpty ? nil : .strings(notes),
            "runs": .array(runs.map(Self.json)),
        ]
    }

    private static func json(_ result: SimulationResult) -> JSONValue {
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
