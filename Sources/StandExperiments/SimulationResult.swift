import JuiceStand
import TextFormats

/// The result of `simulate`. The `Results` article of `JuiceStand` describes its metrics and its JSON document.
package struct SimulationResult: Equatable, Sendable {
    package static let schema = "juicestand.simulation/1"

    /// The state from which the replications went on.
    package struct Origin: Equatable, Sendable {
        package var at: SimulationTime
        /// The number of the last event before.
        package var sequence: UInt64

        package init(at: SimulationTime, sequence: UInt64) {
            self.at = at
            self.sequence = sequence
        }
    }

    /// One setting of the varied keys.
    package struct Run: Equatable, Sendable {
        /// The varied keys with their values; empty if none was varied.
        package var set: [JSONValue.Member]
        /// The names of the metrics, in the order of the values of every outcome.
        package let names: [String]
        /// The juices of the menu.
        package let juices: [String]
        /// The replications, by number.
        package let outcomes: [ReplicationOutcome]
        /// The means over the outcomes.
        package let metrics: [Estimate]

        package init(set: [JSONValue.Member], names: [String], juices: [String], outcomes: [ReplicationOutcome]) {
            self.set = set
            self.names = names
            self.juices = juices
            self.outcomes = outcomes
            metrics = names.indices.map { index in
                Estimate(name: names[index], of: outcomes.map { $0.values[index] })
            }
        }

        package func metric(_ name: String) -> Estimate? { metrics.first { $0.name == name } }

        /// The mean differences from `first`, over pairs of replications with the same customers. Metrics of the wall
        /// clock are left out.
        ///
        /// - Parameter wanted: The names of the metrics; nil for all.
        package func differences(from first: Run, of wanted: [String]? = nil) -> [Estimate] {
            let others = Dictionary(uniqueKeysWithValues: first.outcomes.map { ($0.number, $0.values) })
            let pairs = outcomes.compactMap { outcome in
                others[outcome.number].map { (values: outcome.values, first: $0) }
            }
            return Estimate.differences(names, from: first.names, pairs) {
                $0 != Experiment.timingMetric && wanted?.contains($0) ?? true
            }
        }
    }

    package var seed: UInt64
    package var replications: Int
    /// Nil if a trace ran to its end.
    package var horizon: SimulationTime?
    package var warmUp: SimulationTime
    /// Nil if the replications opened the stand.
    package var from: Origin?
    /// The resolved configuration before any key was varied.
    package var config: JSONValue
    /// How reports show the fruits; a document has none, and then they look as usual.
    package var faces: [String: FruitFace] = [:]
    package var runs: [Run]
    /// Nil for a whole result.
    package var shard: Shard?
    /// The hash of the configuration, as in the ledger. Only shards write it.
    package var configuration: String
    /// Whether the run was interrupted. The figures then cover what had happened by then.
    package var isPartial: Bool
    /// Remarks on how far the figures can be trusted.
    package var notes: [String]
    /// Contradictions that prove an error of the program. With any, no figure can be trusted.
    package var faults: [String]

    package init(
        seed: UInt64, replications: Int, horizon: SimulationTime?, warmUp: SimulationTime, from: Origin? = nil,
        config: JSONValue, runs: [Run], shard: Shard? = nil, configuration: String = "", isPartial: Bool = false,
        notes: [String] = [], faults: [String] = []
    ) {
        self.seed = seed
        self.replications = replications
        self.horizon = horizon
        self.warmUp = warmUp
        self.from = from
        self.config = config
        self.runs = runs
        self.shard = shard
        self.configuration = configuration
        self.isPartial = isPartial
        self.notes = notes
        self.faults = faults
    }

    /// The metrics that all settings have, in the order of the first.
    package var commonNames: [String] {
        runs.dropFirst().reduce(runs.first?.names ?? []) { common, run in common.filter(run.names.contains) }
    }

    /// `makers=2, queue.limit=10`; empty if nothing was varied.
    package static func describe(_ set: [JSONValue.Member]) -> String {
        set.map { "\($0.key)=\(plain($0.value))" }.joined(separator: ", ")
    }

    /// A value as `--set` takes it.
    package static func plain(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { value.compact() }
    }

    /// A string of the configuration, such as `stand` or `currency`; empty if it is absent.
    package func text(_ key: String) -> String {
        if case .string(let text)? = config[key] { text } else { "" }
    }
}

// MARK: - As JSON

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
