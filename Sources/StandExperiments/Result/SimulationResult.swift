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
        /// The juices of the menu.
        package var juices: [String]
        /// The replications, by number; empty if a document has none.
        package var outcomes: [ReplicationOutcome]
        /// The means over the outcomes, in the order of their values.
        package var metrics: [Estimate]

        package init(set: [JSONValue.Member], names: [String], juices: [String], outcomes: [ReplicationOutcome]) {
            self.set = set
            self.juices = juices
            self.outcomes = outcomes
            metrics = names.indices.map { index in
                Estimate(name: names[index], of: outcomes.map { $0.values[index] })
            }
        }

        package var names: [String] { metrics.map(\.name) }

        package func metric(_ name: String) -> Estimate? { metrics.first { $0.name == name } }

        /// The mean differences from `first` of the metrics that both have, over pairs of replications with the same
        /// customers. Metrics of the wall clock are left out.
        ///
        /// - Parameter wanted: The names of the metrics; nil for all.
        package func differences(from first: Run, of wanted: [String]? = nil) -> [Estimate] {
            let others = Dictionary(uniqueKeysWithValues: first.outcomes.map { ($0.number, $0.values) })
            let pairs = outcomes.compactMap { outcome in
                others[outcome.number].map { (values: outcome.values, first: $0) }
            }
            let places = Dictionary(uniqueKeysWithValues: first.names.enumerated().map { ($1, $0) })
            return names.enumerated().compactMap { index, name in
                guard name != Experiment.timingMetric, wanted?.contains(name) ?? true, let place = places[name] else {
                    return nil
                }
                let differences = pairs.map { pair -> Double? in
                    guard let value = pair.values[index], let other = pair.first[place] else { return nil }
                    return value - other
                }
                return Estimate(name: name, of: differences)
            }
        }
    }

    /// The file name of a document; empty for a result of this run.
    package var source = ""
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
    package var configuration = ""
    /// Whether the run was interrupted. The figures then cover what had happened by then.
    package var isPartial = false
    /// Remarks on how far the figures can be trusted.
    package var notes: [String] = []
    /// Contradictions that prove an error of the program. With any, no figure can be trusted.
    package var faults: [String] = []

    package init(
        seed: UInt64, replications: Int, horizon: SimulationTime?, warmUp: SimulationTime, config: JSONValue,
        runs: [Run]
    ) {
        self.seed = seed
        self.replications = replications
        self.horizon = horizon
        self.warmUp = warmUp
        self.config = config
        self.runs = runs
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
