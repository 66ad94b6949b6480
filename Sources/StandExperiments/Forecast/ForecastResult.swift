import JuiceStand
import TextFormats

/// The result of `forecast`. Times are stand time in seconds.
package struct ForecastResult: Document {
    package static let kind = "juicestand.forecast/1"

    package var stand = ""
    /// The date and time of the opening.
    package var opens = ""
    package var at = 0.0
    package var seq: UInt64 = 0
    package var horizon = 0.0
    package var replications = 0
    package var seed: UInt64 = 0
    /// The first run changes nothing.
    package var runs: [Run] = []
    /// How the report shows the fruits; those without a face look as usual.
    package var faces: [String: FruitFace] = [:]

    package init() {}

    package static let fields: [DocumentField<Self>] = [
        .init("schema", constant: kind), .init("stand", \.stand), .init("opens", \.opens), .init("at", \.at),
        .init("seq", \.seq), .init("horizon", \.horizon), .init("replications", \.replications),
        .init("seed", \.seed), .init("runs", \.runs),
    ]

    /// The time of day of the forecast.
    var time: String { StandClock(opens: opens, now: DurationText.nanoseconds(seconds: at) ?? 0).present }

    /// Quantiles over the futures: `p05` is the smallest value with at least 5% of all values at or below it.
    package struct Quantiles: Document {
        package var p05 = 0.0, p25 = 0.0, p50 = 0.0, p75 = 0.0, p95 = 0.0

        package init() {}

        package static let fields: [DocumentField<Self>] = [
            .init("p05", \.p05), .init("p25", \.p25), .init("p50", \.p50), .init("p75", \.p75), .init("p95", \.p95),
        ]
    }

    /// A level or the queue at one instant.
    package struct Instant: Document {
        package var at = 0.0
        package var quantiles = Quantiles()

        package init() {}

        package static let fields: [DocumentField<Self>] = [
            .init("at", \.at), .init("p05", \.quantiles.p05), .init("p25", \.quantiles.p25),
            .init("p50", \.quantiles.p50), .init("p75", \.quantiles.p75), .init("p95", \.quantiles.p95),
        ]
    }

    /// A share with Wilson's interval of 95%.
    package struct Probability: Document {
        package var mean = 0.0, low = 0.0, high = 0.0

        package init() {}

        package static let fields: [DocumentField<Self>] = [
            .init("mean", \.mean), .init("low", \.low), .init("high", \.high),
        ]
    }

    package struct Fruit: NamedDocument {
        package var name = ""
        /// Less on hand than some juice needs for a cup.
        package var short = Event()
        /// None on hand.
        package var stockout = Event()
        package var levels: [Instant] = []

        package init() {}

        package static let fields: [DocumentField<Self>] = [
            .init("short", \.short), .init("stockout", \.stockout), .init("level", \.levels),
        ]
    }

    /// An event of a fruit that happens before the horizon in some futures.
    package struct Event: Document {
        package var probability = Probability()
        /// The time of its first occurrence, over the futures with one; nil if it occurs in none.
        package var at: Quantiles?

        package init() {}

        package static let fields: [DocumentField<Self>] = [
            .init("probability", \.probability), .init(optional: "at", \.at),
        ]
    }

    /// A metric over the futures.
    package struct Figure: NamedDocument {
        package var name = ""
        /// All nil without observations.
        package var mean, p05, p50, p95: Double?

        package init() {}

        package static let fields: [DocumentField<Self>] = [
            .init("mean", \.mean), .init("p05", \.p05), .init("p50", \.p50), .init("p95", \.p95),
        ]
    }

    /// The mean difference of a metric from the first run.
    package struct Difference: NamedDocument {
        package var name = ""
        /// Nil without pairs of observations. The half-width is also nil for a single pair.
        package var mean, halfWidth: Double?

        package init() {}

        package static let fields: [DocumentField<Self>] = [.init("mean", \.mean), .init("halfWidth", \.halfWidth)]
    }

    /// One course of action.
    package struct Run: Document {
        package var change: String?
        package var set: [JSONValue.Member] = []
        /// All fruits but the unlimited ones.
        package var fruits: [Fruit] = []
        package var queue: [Instant] = []
        package var metrics: [Figure] = []
        /// The differences from the first run, over pairs of futures with the same random numbers; empty in that run.
        package var differences: [Difference] = []

        package init() {}

        package static let fields: [DocumentField<Self>] = [
            .init(optional: "change", \.change), .init("set", \.setObject, schema: ["type": "object"]),
            .init(named: "fruits", \.fruits), .init("queue", \.queue), .init(named: "metrics", \.metrics),
            .init(named: "differences", \.differences, isOptional: true),
        ]

        private var setObject: JSONValue {
            get { .object(set) }
            set { set = newValue.members }
        }

        /// `restock banana=20`, `makers=3`, or `as it is`.
        package var title: String {
            let parts = (change.map { [$0] } ?? []) + (set.isEmpty ? [] : [SimulationResult.describe(set)])
            return parts.isEmpty ? "as it is" : parts.joined(separator: ", ")
        }
    }
}

// MARK: - From the futures

extension Forecast {
    /// Summarizes the futures of a course.
    ///
    /// - Parameter first: The futures without a change; nil for that course itself.
    func run(_ course: Course, _ outcomes: [Outcome], first: [Outcome]?) -> ForecastResult.Run {
        func instants(_ value: (Outcome, _ place: Int) -> Int) -> [ForecastResult.Instant] {
            (0..<span.instants).map { place in
                var instant = ForecastResult.Instant()
                instant.at = self.instant(place + 1).seconds
                instant.quantiles = .init(outcomes.map { Double(value($0, place)) }) ?? .init()
                return instant
            }
        }
        let count = menu.fruits.count
        var run = ForecastResult.Run()
        run.change = course.change?.text
        run.set = course.set
        run.fruits = fruits.map { fruit in
            var result = ForecastResult.Fruit()
            result.name = menu.name(of: fruit)
            result.short = .init(first: outcomes.map { $0.shorts[fruit.index] })
            result.stockout = .init(first: outcomes.map { $0.stockouts[fruit.index] })
            result.levels = instants { $0.levels[$1 * count + fruit.index] }
            return result
        }
        run.queue = instants { $0.queue[$1] }
        let simulated = simulationRun(course, outcomes)
        run.metrics = simulated.metrics.enumerated().map { place, estimate in
            var figure = ForecastResult.Figure()
            figure.name = estimate.name
            figure.mean = estimate.mean
            guard let quantiles = ForecastResult.Quantiles(outcomes.compactMap { $0.metrics[place] }) else {
                return figure
            }
            figure.p05 = quantiles.p05
            figure.p50 = quantiles.p50
            figure.p95 = quantiles.p95
            return figure
        }
        guard let first else { return run }
        run.differences = simulated.differences(from: simulationRun(courses[0], first)).map { estimate in
            var difference = ForecastResult.Difference()
            difference.name = estimate.name
            difference.mean = estimate.mean
            difference.halfWidth = estimate.halfWidth
            return difference
        }
        return run
    }

    /// The futures of a course as replications.
    private func simulationRun(_ course: Course, _ outcomes: [Outcome]) -> SimulationResult.Run {
        .init(
            set: [], names: course.metricNames, juices: [],
            outcomes: outcomes.enumerated().map { ReplicationOutcome(number: $0, values: $1.metrics) })
    }
}

extension ForecastResult.Event {
    /// - Parameter times: The first time in each future; `never` where it does not happen.
    fileprivate init(first times: [SimulationTime]) {
        let known = times.filter { $0 < .never }
        self.init()
        probability = .init(known.count, of: times.count)
        at = .init(known.map(\.seconds))
    }
}

extension ForecastResult.Quantiles {
    /// Nil for no values.
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        var values = values
        func place(_ percent: Int) -> Int { (values.count * percent + 99) / 100 - 1 }
        values.select([5, 25, 50, 75, 95].map(place))
        func quantile(_ percent: Int) -> Double { values[place(percent)] }
        self.init()
        p05 = quantile(5)
        p25 = quantile(25)
        p50 = quantile(50)
        p75 = quantile(75)
        p95 = quantile(95)
    }
}

extension ForecastResult.Probability {
    package init(_ hits: Int, of count: Int) {
        let interval = Normal.interval(ofShare: hits, of: count)
        self.init()
        mean = Double(hits) / Double(count)
        low = interval.lowerBound
        high = interval.upperBound
    }
}
