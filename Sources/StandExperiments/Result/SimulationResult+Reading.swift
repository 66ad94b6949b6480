import JuiceStand
import TextFormats

extension SimulationResult {
    /// Reads the JSON document.
    ///
    /// - Parameters:
    ///   - source: The file name for error messages.
    ///   - isShard: Whether to read a shard, for a merge. Otherwise the document is a whole result, read for a
    ///     comparison, without metrics of the wall clock.
    /// - Throws: ``ResultFileError`` for any other document, and for a whole result of a single replication.
    package init(_ bytes: [UInt8], source: String, isShard: Bool = false) throws(ResultFileError) {
        let (root, problems) = JSON5Parser.parse(bytes, source: source)
        guard problems.isEmpty, let root, let json = JSONValue(root) else { throw ResultFileError(problems) }
        if let problem = Figures.problem(in: root) { throw ResultFileError([problem]) }
        do {
            try isShard ? Self.checkShard(json) : Self.checkWhole(json)
            try self.init(json)
            if !isShard { try finishWhole() }
        } catch {
            throw ResultFileError(source: source, message: error.message)
        }
        self.source = source
    }

    private static func checkSchema(_ json: JSONValue) throws(TextProblem) {
        guard let found = json["schema"]?.text else {
            throw TextProblem("is not a result of juicestand simulate: it must have a \"schema\"")
        }
        guard found == schema else { throw TextProblem("must be of schema \(schema), found \"\(found)\"") }
    }

    private static func checkShard(_ json: JSONValue) throws(TextProblem) {
        try checkSchema(json)
        if json["shard"] == nil {
            throw TextProblem("is a whole result, not a shard: only results of simulate --shard can be merged")
        }
        if json["partial"] != nil { throw TextProblem("is partial: its run was interrupted; run this shard again") }
    }

    private static func checkWhole(_ json: JSONValue) throws(TextProblem) {
        try checkSchema(json)
        if json["partial"] != nil { throw TextProblem("is partial: its run was interrupted; run it again") }
        if let shard = json["shard"], try shard.integer("count") > 1 {
            throw TextProblem("is a shard: merge all shards with juicestand merge first")
        }
        if json["replications"]?.whole == 1 {
            throw TextProblem(
                "has one replication, which cannot show what is chance; use simulate --replications 30 or more")
        }
    }

    private mutating func finishWhole() throws(TextProblem) {
        for index in runs.indices {
            for metric in runs[index].metrics where metric.count > replications {
                throw TextProblem(
                    "\(metric.name.inQuotes) must have at most \(replications) as \"n\", found \(metric.count)")
            }
            let outcomes = runs[index].outcomes
            guard outcomes.isEmpty || outcomes.map(\.number) == Array(0..<replications) else {
                throw TextProblem("\"outcomes\" must have every replication from 0 to \(replications - 1) once")
            }
            runs[index].leaveOutTiming()
        }
    }

    private init(_ json: JSONValue) throws(TextProblem) {
        let replications = try json.integer("replications")
        guard (1...Precision.mostReplications).contains(replications) else {
            throw TextProblem(
                "\"replications\" must be from 1 to \(Precision.mostReplications), found \(replications)")
        }
        let part = json["shard"]
        let horizon = try json.optionalNumber("horizon").map(Self.time)
        self.init(
            seed: UInt64(try json.integer("seed")), replications: replications, horizon: horizon,
            warmUp: try Self.time(try json.number("warmUp")), config: json["config"] ?? [:],
            runs: try json.elements("runs").map { run throws(TextProblem) in try Run(run, isShard: part != nil) })
        guard !runs.isEmpty else { throw TextProblem("\"runs\" must not be empty") }
        if let from = json["from"] {
            self.from = .init(at: try Self.time(try from.number("at")), sequence: UInt64(try from.integer("seq")))
        }
        if let part {
            shard = Shard(index: try part.integer("index"), count: try part.integer("count"))
            guard shard != nil else { throw TextProblem("\"shard\" must have an index from 1 to its count") }
            configuration = try part.string("configuration")
        }
        if json["notes"] != nil { notes = try json.strings("notes") }
        if json["faults"] != nil { faults = try json.strings("faults") }
    }

    private static func time(_ seconds: Double) throws(TextProblem) -> SimulationTime {
        guard seconds >= 0 else { throw TextProblem("a time must not be negative, found \(seconds)") }
        return SimulationTime(seconds: seconds)
    }
}

extension SimulationResult.Run {
    fileprivate init(_ json: JSONValue, isShard: Bool) throws(TextProblem) {
        self.init(
            set: try json.members("set"), names: [], juices: json["juices"] == nil ? [] : try json.strings("juices"),
            outcomes: [])
        metrics = try json.members("metrics").map(Estimate.init)
        // Only a shard has values of the wall clock.
        let count = metrics.count - (isTimed && !isShard ? 1 : 0)
        let entries = json["outcomes"] == nil ? [] : try json.elements("outcomes")
        outcomes = try entries.map { entry throws(TextProblem) in try ReplicationOutcome(entry, count: count) }
            .sorted { $0.number < $1.number }
    }

    private var isTimed: Bool { metrics.last?.name == Experiment.timingMetric }

    fileprivate mutating func leaveOutTiming() {
        guard isTimed else { return }
        metrics.removeLast()
        for index in outcomes.indices { outcomes[index].values = Array(outcomes[index].values.prefix(metrics.count)) }
    }
}

extension Estimate {
    fileprivate init(_ metric: JSONValue.Member) throws(TextProblem) {
        self.init(name: metric.key, of: [Double?]())
        mean = try metric.value.optionalNumber("mean")
        let halfWidth = try metric.value.optionalNumber("halfWidth")
        guard halfWidth ?? 0 >= 0 else {
            throw TextProblem("\"halfWidth\" of \(metric.key.inQuotes) must not be negative")
        }
        // Results of earlier versions have no `low` and `high`.
        reach = halfWidth.map { Reach(bothSides: $0) }
        if let mean, metric.value["low"] != nil, let low = try metric.value.optionalNumber("low"),
            let high = try metric.value.optionalNumber("high")
        {
            guard low <= mean, mean <= high else {
                throw TextProblem("\"low\" and \"high\" of \(metric.key.inQuotes) must enclose its mean")
            }
            reach = Reach(below: mean - low, above: high - mean)
        }
        count = try metric.value.integer("n")
        guard try metric.value.number("confidence") == Self.confidence else {
            throw TextProblem("\"confidence\" must be \(Self.confidence)")
        }
    }
}

// MARK: - Replications

extension ReplicationOutcome {
    /// - Parameter count: The expected number of values.
    fileprivate init(_ json: JSONValue, count: Int) throws(TextProblem) {
        let values = try json.optionalNumbers("values")
        guard values.count == count else {
            throw TextProblem("a replication has \(values.count) values for \(count) metrics")
        }
        self.init(number: try json.integer("replication"), values: values)
        if json["days"] != nil { days = try json.number("days") }
        if json["losses"] != nil {
            for (place, customers) in try json.pairs("losses") {
                guard let place = LossTable.Place(order: place) else {
                    throw TextProblem("\"losses\" has no place \(place)")
                }
                losses.add(customers, at: place)
            }
        }
        if let charts = json["charts"] { self.charts = try ReplicationCharts(charts) }
    }
}

extension ReplicationCharts {
    fileprivate init(_ json: JSONValue) throws(TextProblem) {
        self.init()
        for (bucket, count) in try json.pairs("waits") {
            guard (0..<SpanDistribution.end).contains(bucket) else {
                throw TextProblem("\"waits\" has no bucket \(bucket)")
            }
            waits.add(UInt64(count), at: bucket)
        }
        lineByHour = try json.optionalNumbers("lineByHour")
        guard lineByHour.count == 24 else {
            throw TextProblem("\"lineByHour\" must have 24 hours, found \(lineByHour.count)")
        }
        guard let levels = json["levels"] else { return }
        let step = try levels.number("step")
        guard step >= 0 else { throw TextProblem("\"step\" must not be negative, found \(step)") }
        let fruits = try levels.elements("fruits").map { fruit throws(TextProblem) in
            LevelSeries.Fruit(
                name: try fruit.string("name"),
                reorderPoint: fruit["reorderPoint"] == .null ? nil : try fruit.integer("reorderPoint"),
                levels: try fruit.integers("levels"))
        }
        self.levels = LevelSeries(step: SimulationTime(seconds: step), fruits: fruits)
    }
}

extension JSONValue {
    /// Pairs of a place and a count, from an array in which they alternate.
    fileprivate func pairs(_ key: String) throws(TextProblem) -> [(Int, Int)] {
        let numbers = try integers(key)
        return stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
    }
}
