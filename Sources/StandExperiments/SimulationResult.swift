import JuiceStand

/// A figure with its uncertainty, over replications.
package struct Estimate: Equatable, Sendable {
    package var name: String
    /// nil where no replication had an observation.
    package var mean: Double?
    /// Half the width of the confidence interval; nil for fewer than two replications.
    package var halfWidth: Double?
    /// Replications with an observation.
    package var count: Int

    package static let confidence = 0.95

    package init(name: String, mean: Double?, halfWidth: Double?, count: Int) {
        self.name = name
        self.mean = mean
        self.halfWidth = halfWidth
        self.count = count
    }
}

/// What `simulate` found: contract, section 4.
package struct SimulationResult: Sendable {
    package static let schema = "juicestand.simulation/1"

    /// One setting of the varied keys.
    package struct Run: Sendable {
        package var set: [JSONValue.Member]
        package var metrics: [Estimate]

        package init(set: [JSONValue.Member], metrics: [Estimate]) {
            self.set = set
            self.metrics = metrics
        }
    }

    package var settings: StandSettings
    package var replications: Int
    /// nil where a trace ran to its end.
    package var horizon: SimulationTime?
    package var warmUp: SimulationTime
    package var runs: [Run]
    /// Whether it was interrupted, so that figures are of what had happened by then.
    package var isPartial: Bool

    package init(
        settings: StandSettings, replications: Int, horizon: SimulationTime?, warmUp: SimulationTime, runs: [Run],
        isPartial: Bool
    ) {
        self.settings = settings
        self.replications = replications
        self.horizon = horizon
        self.warmUp = warmUp
        self.runs = runs
        self.isPartial = isPartial
    }
}

// MARK: - As JSON

extension SimulationResult {
    package func json() -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "schema", value: .string(Self.schema)),
            .init(key: "seed", value: .integer(Int64(settings.seed))),
            .init(key: "replications", value: .integer(Int64(replications))),
            .init(key: "horizon", value: horizon.map { .number($0.seconds) } ?? .null),
            .init(key: "warmUp", value: .number(warmUp.seconds)),
        ]
        if isPartial { members.append(.init(key: "partial", value: true)) }
        members += [
            .init(key: "config", value: settings.resolved()),
            .init(key: "runs", value: .array(runs.map(\.json))),
        ]
        return .object(members)
    }
}

extension SimulationResult.Run {
    fileprivate var json: JSONValue {
        ["set": .object(set), "metrics": .object(metrics.map { .init(key: $0.name, value: $0.json) })]
    }
}

extension Estimate {
    fileprivate var json: JSONValue {
        [
            "mean": mean.map { .number($0) } ?? .null, "halfWidth": halfWidth.map { .number($0) } ?? .null,
            "confidence": .number(Self.confidence), "n": .integer(Int64(count)),
        ]
    }
}
