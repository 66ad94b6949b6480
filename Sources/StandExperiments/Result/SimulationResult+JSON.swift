import JuiceStand
import TextFormats

extension SimulationResult {
    /// The most replications whose values a whole result has. More would make a file of many megabytes, and hardly
    /// change a comparison.
    static let mostOutcomes = 1000

    /// The JSON document. It has the values of each replication: for merging in a shard, else for comparing results by
    /// pairs.
    package func json() -> JSONValue {
        [
            "schema": .string(Self.schema), "seed": .whole(seed), "replications": .whole(replications),
            "horizon": .orNull(horizon?.seconds), "warmUp": .number(warmUp.seconds),
            "from": from.map { ["at": .number($0.at.seconds), "seq": .whole($0.sequence)] },
            "partial": isPartial ? true : nil,
            "shard": shard.map {
                ["index": .whole($0.index), "count": .whole($0.count), "configuration": .string(configuration)]
            },
            "notes": notes.isEmpty ? nil : .strings(notes),
            "faults": faults.isEmpty ? nil : .strings(faults),
            "config": config, "runs": .array(runs.indices.map(runJSON)),
        ]
    }

    private func runJSON(_ index: Int) -> JSONValue {
        let run = runs[index]
        let hasOutcomes = shard != nil || (2...Self.mostOutcomes).contains(replications)
        return [
            "set": .object(run.set), "metrics": Self.json(run.metrics), "losses": .array(run.losses.map(\.json)),
            "juices": shard == nil ? nil : .strings(run.juices),
            "differences": index > 0 ? Self.json(run.differences(from: runs[0])) : nil,
            "outcomes": hasOutcomes ? .array(outcomes(of: run)) : nil,
        ]
    }

    private func outcomes(of run: Run) -> [JSONValue] {
        // Values of the wall clock would make equal runs differ.
        let timing = shard == nil ? run.names.firstIndex(of: Experiment.timingMetric) : nil
        return run.outcomes.map { outcome in
            var outcome = outcome
            if let timing { outcome.values.remove(at: timing) }
            return outcome.json(ofShard: shard != nil)
        }
    }

    private static func json(_ estimates: [Estimate]) -> JSONValue {
        .object(estimates.map { .init(key: $0.name, value: $0.json) })
    }
}

extension Loss {
    fileprivate var json: JSONValue {
        [
            "juice": .string(juice), "hour": .whole(hour), "reason": .string(reason.name),
            "perDay": ["mean": .orNull(perDay.mean), "halfWidth": .orNull(perDay.halfWidth)],
        ]
    }
}

extension Estimate {
    fileprivate var json: JSONValue {
        [
            "mean": .orNull(mean), "halfWidth": .orNull(halfWidth), "low": .orNull(wholeInterval?.lowerBound),
            "high": .orNull(wholeInterval?.upperBound), "confidence": .number(Self.confidence), "n": .whole(count),
        ]
    }
}

// MARK: - Replications

extension ReplicationOutcome {
    /// - Parameter isOfShard: Whether to write the losses and the data of plots, which a merge needs.
    fileprivate func json(ofShard isOfShard: Bool) -> JSONValue {
        [
            "replication": .whole(number), "values": .array(values.map { .orNull($0) }),
            "days": isOfShard ? .number(days) : nil,
            "losses": isOfShard ? .array(losses.rows.flatMap { [.whole($0.place.order), .whole($0.customers)] }) : nil,
            "charts": isOfShard ? charts?.json : nil,
        ]
    }
}

extension ReplicationCharts {
    fileprivate var json: JSONValue {
        // Pairs of bucket and count: most buckets are empty.
        let waits = waits.counts.enumerated().filter { $0.element > 0 }.flatMap {
            [JSONValue.whole($0.offset), .whole($0.element)]
        }
        return [
            "waits": .array(waits), "lineByHour": .array(lineByHour.map { .orNull($0) }), "levels": levels?.json,
        ]
    }
}

extension LevelSeries {
    fileprivate var json: JSONValue {
        [
            "step": .number(step.seconds),
            "fruits": .array(
                fruits.map { fruit in
                    [
                        "name": .string(fruit.name), "reorderPoint": .orNull(fruit.reorderPoint),
                        "levels": .array(fruit.levels.map { .whole($0) }),
                    ]
                }),
        ]
    }
}
