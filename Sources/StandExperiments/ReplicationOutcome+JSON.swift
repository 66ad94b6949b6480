import JuiceStand
import TextFormats

// The JSON of a replication in a result.

extension ReplicationOutcome {
    func json(withCharts: Bool) -> JSONValue {
        [
            "replication": .whole(number), "values": .array(values.map { .orNull($0) }),
            "charts": withCharts ? charts?.json : nil,
        ]
    }

    /// - Parameter count: The expected number of values.
    init(_ json: JSONValue, count: Int) throws(ResultProblem) {
        let values = try json.required("values").elements("values")
        guard values.count == count else {
            throw ResultProblem("a replication has \(values.count) values for \(count) metrics")
        }
        self.init(number: try json.required("replication").integer("replication"), values: [])
        for value in values { self.values.append(try value.optionalNumber("values")) }
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
        let pairs = try json.required("waits").integers("waits")
        for start in stride(from: 0, to: pairs.count - 1, by: 2) {
            guard (0..<SpanDistribution.end).contains(pairs[start]), let count = UInt64(exactly: pairs[start + 1])
            else {
                throw ResultProblem("\"waits\" has no bucket \(pairs[start])")
            }
            waits.add(count, at: pairs[start])
        }
        let hours = try json.required("lineByHour").elements("lineByHour")
        guard hours.count == 24 else { throw ResultProblem("\"lineByHour\" must have 24 hours, found \(hours.count)") }
        for (hour, value) in hours.enumerated() { lineByHour[hour] = try value.optionalNumber("lineByHour") }
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
        let step = try json.required("step").number("step")
        guard step >= 0 else { throw ResultProblem("\"step\" must not be negative, found \(step)") }
        self.init(step: SimulationTime(seconds: step), fruits: [])
        for fruit in try json.required("fruits").elements("fruits") {
            let point = try fruit.required("reorderPoint")
            fruits.append(
                Fruit(
                    name: try fruit.required("name").string("name"),
                    reorderPoint: point == .null ? nil : try point.integer("reorderPoint"),
                    levels: try fruit.required("levels").integers("levels")))
        }
    }
}
