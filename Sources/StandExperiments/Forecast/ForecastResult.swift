import JuiceStand
import TextFormats

/// The result of `forecast`. Times are stand time in seconds.
package struct ForecastResult: Equatable, Sendable {
    package static let schema = "juicestand.forecast/1"

    /// Quantiles over the futures: `p05` is the smallest value with at least 5% of all values at or below it.
    package struct Quantiles: Equatable, Sendable {
        package var p05, p25, p50, p75, p95: Double
    }

    /// A level or the queue at one instant.
    package struct Instant: Equatable, Sendable {
        package var at: Double
        package var quantiles: Quantiles
    }

    /// A share with Wilson's interval of 95%.
    package struct Probability: Equatable, Sendable {
        package var mean, low, high: Double
    }

    package struct Fruit: Equatable, Sendable {
        package var name: String
        /// Less on hand than some juice needs for a cup.
        package var short: Event
        /// None on hand.
        package var stockout: Event
        package var levels: [Instant]
    }

    /// What happens to a fruit before the horizon, in some futures.
    package struct Event: Equatable, Sendable {
        package var probability: Probability
        /// When it happens first, over the futures in which it does; nil if it does in none.
        package var at: Quantiles?
    }

    /// A metric over the futures.
    package struct Figure: Equatable, Sendable {
        package var name: String
        /// All nil without observations.
        package var mean, p05, p50, p95: Double?
    }

    /// The mean difference of a metric from the first run.
    package struct Difference: Equatable, Sendable {
        package var name: String
        /// Nil without pairs of observations. The half-width is also nil for a single pair.
        package var mean, halfWidth: Double?
    }

    /// One course of action.
    package struct Run: Equatable, Sendable {
        package var change: String?
        package var set: [JSONValue.Member]
        /// Without unlimited fruits.
        package var fruits: [Fruit]
        package var queue: [Instant]
        package var metrics: [Figure]
        /// From the first run, over pairs of futures with the same random numbers. Empty in the first run.
        package var differences: [Difference]

        /// `restock banana=20`, `makers=3`, or `as it is`.
        package var title: String {
            let parts = (change.map { [$0] } ?? []) + (set.isEmpty ? [] : [SimulationResult.describe(set)])
            return parts.isEmpty ? "as it is" : parts.joined(separator: ", ")
        }
    }

    package var stand: String
    /// The date and time of the opening.
    package var opens: String
    package var at: Double
    package var seq: UInt64
    package var horizon: Double
    package var replications: Int
    package var seed: UInt64
    /// The first changes nothing.
    package var runs: [Run]
    /// How the report shows the fruits; those without a face look as usual.
    package var faces: [String: FruitFace] = [:]

    /// The time of day of the forecast.
    var time: String { StandClock(opens: opens, now: DurationText.nanoseconds(seconds: at) ?? 0).present }
}

// MARK: - From the futures

extension Forecast {
    /// The quantiles over the futures of one instant.
    struct Bands: Sendable {
        /// Of the levels of all fruits.
        var levels: [ForecastResult.Quantiles]
        var queue: ForecastResult.Quantiles
    }

    /// - Parameter place: Of the instant, counted from 0.
    func bands(of outcomes: [Outcome], at place: Int) -> Bands {
        func quantiles(_ value: (Outcome) -> Int) -> ForecastResult.Quantiles {
            .init(outcomes.map { Double(value($0)) })!
        }
        let count = menu.fruits.count
        return Bands(
            levels: (0..<count).map { fruit in quantiles { $0.levels[place * count + fruit] } },
            queue: quantiles { $0.queue[place] })
    }

    /// - Parameter bands: Of each course, and of each of its instants.
    func result(_ outcomes: [[Outcome]], _ bands: [Bands]) -> ForecastResult {
        var result = ForecastResult(
            stand: name, opens: opens, at: futures.time.seconds, seq: sequence, horizon: horizon.seconds,
            replications: span.replications, seed: seed,
            runs: courses.indices.map { place in
                run(
                    courses[place], outcomes[place], bands[place * span.instants..<(place + 1) * span.instants],
                    first: place == 0 ? nil : outcomes[0])
            })
        result.faces = menu.faces
        return result
    }

    private func run(
        _ course: Course, _ outcomes: [Outcome], _ bands: ArraySlice<Bands>, first: [Outcome]?
    ) -> ForecastResult.Run {
        let times = (1...span.instants).map { instant($0).seconds }
        func instants(_ quantiles: (Bands) -> ForecastResult.Quantiles) -> [ForecastResult.Instant] {
            zip(times, bands).map { .init(at: $0, quantiles: quantiles($1)) }
        }
        let fruits = fruits.map { fruit in
            ForecastResult.Fruit(
                name: menu.name(of: fruit), short: .init(first: outcomes.map { $0.shorts[fruit.index] }),
                stockout: .init(first: outcomes.map { $0.stockouts[fruit.index] }),
                levels: instants { $0.levels[fruit.index] })
        }
        return ForecastResult.Run(
            change: course.change?.text, set: course.set, fruits: fruits, queue: instants(\.queue),
            metrics: figures(course, outcomes), differences: first.map { differences(course, outcomes, from: $0) } ?? []
        )
    }

    private func figures(_ course: Course, _ outcomes: [Outcome]) -> [ForecastResult.Figure] {
        course.metricNames.enumerated().map { place, name in
            let values = outcomes.compactMap { $0.metrics[place] }
            let quantiles = ForecastResult.Quantiles(values)
            return .init(
                name: name, mean: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count),
                p05: quantiles?.p05, p50: quantiles?.p50, p95: quantiles?.p95)
        }
    }

    private func differences(
        _ course: Course, _ outcomes: [Outcome], from first: [Outcome]
    ) -> [ForecastResult.Difference] {
        let pairs = zip(outcomes, first).map { (values: $0.metrics, first: $1.metrics) }
        return Estimate.differences(course.metricNames, from: courses[0].metricNames, pairs).map {
            .init(name: $0.name, mean: $0.mean, halfWidth: $0.halfWidth)
        }
    }
}

extension ForecastResult.Event {
    /// - Parameter times: The first time in each future; `never` where it does not happen.
    fileprivate init(first times: [SimulationTime]) {
        let known = times.filter { $0 < .never }
        self.init(probability: .init(known.count, of: times.count), at: .init(known.map(\.seconds)))
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
        self.init(p05: quantile(5), p25: quantile(25), p50: quantile(50), p75: quantile(75), p95: quantile(95))
    }
}

extension ForecastResult.Probability {
    package init(_ hits: Int, of count: Int) {
        let interval = Normal.interval(ofShare: hits, of: count)
        self.init(mean: Double(hits) / Double(count), low: interval.lowerBound, high: interval.upperBound)
    }
}
