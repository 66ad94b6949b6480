import JuiceStand
import TextFormats

/// A result of `simulate`, read from its JSON document to compare or to add it.
package struct RecordedResult: Equatable, Sendable {
    package struct Run: Equatable, Sendable {
        package var set: [JSONValue.Member]
        /// Without metrics of the wall clock.
        package var estimates: [Estimate]
        /// The replications by number, with a value for each of ``estimates``; empty if the document has none.
        package var outcomes: [ReplicationOutcome]
    }

    /// The file name.
    package var source: String
    package var stand: String
    package var currency: String
    package var seed: UInt64
    package var replications: Int
    /// In seconds; nil if a trace ran to its end.
    package var horizon: Double?
    package var warmUp: Double
    package var runs: [Run]

    /// - Parameter source: The file name for error messages.
    /// - Throws: ``ResultFileError`` for anything but a complete result with enough replications.
    package init(_ bytes: [UInt8], source: String, fewestReplications: Int = 2) throws(ResultFileError) {
        let json = try JSONValue(file: bytes, source: source)
        do { try self.init(json, source, fewestReplications) } catch {
            throw ResultFileError(source: source, message: error.message)
        }
    }

    private init(_ json: JSONValue, _ source: String, _ fewestReplications: Int) throws(ResultProblem) {
        try SimulationResult.checkSchema(json)
        if json["partial"] != nil { throw ResultProblem("is partial: its run was interrupted; run it again") }
        if let shard = json["shard"], try shard.integer("count") > 1 {
            throw ResultProblem("is a shard: merge all shards with juicestand merge first")
        }
        self.source = source
        let config = json["config"]
        (stand, currency) = (config?["stand"]?.text ?? "", config?["currency"]?.text ?? "")
        seed = UInt64(try json.integer("seed"))
        replications = try json.integer("replications")
        guard (1...Precision.mostReplications).contains(replications) else {
            throw ResultProblem(
                "\"replications\" must be from 1 to \(Precision.mostReplications), found \(replications)")
        }
        guard replications >= fewestReplications else {
            throw ResultProblem(
                "has one replication, which cannot show what is chance; use simulate --replications 30 or more")
        }
        horizon = try json.optionalNumber("horizon")
        warmUp = try json.number("warmUp")
        runs = try json.elements("runs").map(Run.init)
        for estimate in runs.lazy.flatMap(\.estimates) where estimate.count > replications {
            throw ResultProblem(
                "\(estimate.name.inQuotes) must have at most \(replications) as \"n\", found \(estimate.count)")
        }
        guard runs.allSatisfy({ $0.outcomes.isEmpty || $0.outcomes.map(\.number) == Array(0..<replications) }) else {
            throw ResultProblem("\"outcomes\" must have every replication from 0 to \(replications - 1) once")
        }
        guard !runs.isEmpty else { throw ResultProblem("\"runs\" must not be empty") }
    }
}

extension RecordedResult.Run {
    fileprivate init(_ json: JSONValue) throws(ResultProblem) {
        set = try json.members("set")
        estimates = try json.members("metrics").map(Estimate.init)
        let timing = estimates.firstIndex { $0.name == Experiment.timingMetric }
        if let timing { estimates.remove(at: timing) }
        let entries = json["outcomes"] == nil ? [] : try json.elements("outcomes")
        let count = estimates.count
        outcomes = try entries.map { entry throws(ResultProblem) in
            // Only a shard has values of the wall clock.
            let values = try entry.elements("values").count
            let isTimed = timing != nil && values == count + 1
            var outcome = try ReplicationOutcome(entry, count: count + (isTimed ? 1 : 0))
            if let timing, isTimed { outcome.values.remove(at: timing) }
            return outcome
        }.sorted { $0.number < $1.number }
    }
}

extension Estimate {
    fileprivate init(_ metric: JSONValue.Member) throws(ResultProblem) {
        self.init(name: metric.key, of: [Double?]())
        mean = try metric.value.optionalNumber("mean")
        let halfWidth = try metric.value.optionalNumber("halfWidth")
        guard halfWidth ?? 0 >= 0 else {
            throw ResultProblem("\"halfWidth\" of \(metric.key.inQuotes) must not be negative")
        }
        // Results of earlier versions have neither end.
        reach = halfWidth.map { Reach(bothSides: $0) }
        if let mean, metric.value["low"] != nil, let low = try metric.value.optionalNumber("low"),
            let high = try metric.value.optionalNumber("high")
        {
            guard low <= mean, mean <= high else {
                throw ResultProblem("\"low\" and \"high\" of \(metric.key.inQuotes) must enclose its mean")
            }
            reach = Reach(below: mean - low, above: high - mean)
        }
        count = try metric.value.integer("n")
        guard try metric.value.number("confidence") == Self.confidence else {
            throw ResultProblem("\"confidence\" must be \(Self.confidence)")
        }
    }
}
