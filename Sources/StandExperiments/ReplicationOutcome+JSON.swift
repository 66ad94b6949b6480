import JuiceStand
import TextFormats

// The JSON of a replication in a result.

extension ReplicationOutcome {
    /// - Parameter isOfShard: Whether a merge needs it, and so the losses and the data of plots.
    func json(ofShard isOfShard: Bool) -> JSONValue {
        [
            "replication": .whole(number), "values": .array(values.map { .orNull($0) }),
            "days": isOfShard ? .number(days) : nil,
            "losses": isOfShard ? .array(losses.rows.flatMap { [.whole($0.place.order), .whole($0.customers)] }) : nil,
            "charts": isOfShard ? charts?.json : nil,
        ]
    }

    /// - Parameter count: The expected number of values.
    init(_ json: JSONValue, count: Int) throws(ResultProblem) {
        let values = try json.optionalNumbers("values")
        guard values.count == count else {
            throw ResultProblem("a replication has \(values.count) values for \(count) metrics")
        }
        self.init(number: try json.integer("replication"), values: values)
        if json["days"] != nil { days = try json.number("days") }
        let pairs = json["losses"] == nil ? [] : try json.integers("losses")
        for start in stride(from: 0, to: pairs.count - 1, by: 2) {
            guard let place = LossTable.Place(order: pairs[start]) else {
                throw ResultProblem("\"losses\" has no place \(pairs[start])")
            }
            losses.add(pairs[start + 1], at: place)
        }
        if let charts = json["charts"] { self.charts = try ReplicationCharts(charts) }
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

    fileprivate init(_ json: JSONValue) throws(ResultProblem) {
        self.init()
        let pairs = try json.integers("waits")
        for start in stride(from: 0, to: pairs.count - 1, by: 2) {
            guard (0..<SpanDistribution.end).contains(pairs[start]), let count = UInt64(exactly: pairs[start + 1])
            else {
                throw ResultProblem("\"waits\" has no bucket \(pairs[start])")
            }
            waits.add(count, at: pairs[start])
        }
        lineByHour = try json.optionalNumbers("lineByHour")
        guard lineByHour.count == 24 else {
            throw ResultProblem("\"lineByHour\" must have 24 hours, found \(lineByHour.count)")
        }
        if let levels = json["levels"] { self.levels = try LevelSeries(levels) }
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

    fileprivate init(_ json: JSONValue) throws(ResultProblem) {
        let step = try json.number("step")
        guard step >= 0 else { throw ResultProblem("\"step\" must not be negative, found \(step)") }
        let fruits = try json.elements("fruits").map { fruit throws(ResultProblem) in
            Fruit(
                name: try fruit.string("name"),
                reorderPoint: fruit["reorderPoint"] == .null ? nil : try fruit.integer("reorderPoint"),
                levels: try fruit.integers("levels"))
        }
        self.init(step: SimulationTime(seconds: step), fruits: fruits)
    }
}
