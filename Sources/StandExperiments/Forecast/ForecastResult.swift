import JuiceStand
import TextFormats

/// The result of `forecast`. Times are stand time in seconds.
package struct ForecastResult: Equatable, Sendable {
    package static let schema = "juicestand.forecast/1"

    /// Shares of the futures: the smallest value with at least that share of all values at or below it.
    package struct Quantiles: Equatable, Sendable {
        package var p05, p25, p50, p75, p95: Double
    }

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
        /// That it is sold out at some time before the horizon.
        package var stockout: Probability
        /// When first, over the futures in which it is; nil if in none.
        package var stockoutAt: Quantiles?
        package var levels: [Instant]
    }

    package struct Figure: Equatable, Sendable {
        package var name: String
        /// All nil without observations.
        package var mean, p05, p50, p95: Double?
    }

    package struct Difference: Equatable, Sendable {
        package var name: String
        package var mean, halfWidth: Double?
    }

    /// One course of action.
    package struct Run: Equatable, Sendable {
        package var change: String?
        package var set: [JSONValue.Member]
        /// Without unlimited ones.
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

        package func metric(_ name: String) -> Figure? { metrics.first { $0.name == name } }
    }

    package var stand: String
    package var at: Double
    package var seq: UInt64
    package var horizon: Double
    package var replications: Int
    package var seed: UInt64
    /// The first changes nothing.
    package var runs: [Run]
}

// MARK: - From the futures

extension Forecast {
    func result(_ outcomes: [[Outcome]]) -> ForecastResult {
        ForecastResult(
            stand: name, at: futures.time.seconds, seq: sequence, horizon: horizon.seconds,
            replications: span.replications, seed: seed,
            runs: courses.indices.map { run(courses[$0], outcomes[$0], first: $0 == 0 ? nil : outcomes[0]) })
    }

    private func run(_ course: Course, _ outcomes: [Outcome], first: [Outcome]?) -> ForecastResult.Run {
        let times = (1...span.instants).map { step in
            (futures.time + SimulationTime(nanoseconds: span.every.nanoseconds * Int64(step))).seconds
        }
        func instants(_ value: (Outcome, Int) -> Int) -> [ForecastResult.Instant] {
            times.enumerated().map { place, time in
                .init(at: time, quantiles: .init(outcomes.map { Double(value($0, place)) })!)
            }
        }
        let fruits = fruits.map { fruit in
            let stockouts = outcomes.map { $0.stockouts[fruit.index] }.filter { $0 < .never }
            return ForecastResult.Fruit(
                name: menu.name(of: fruit), stockout: .init(stockouts.count, of: outcomes.count),
                stockoutAt: .init(stockouts.map(\.seconds)),
                levels: instants { $0.levels[$1 * menu.fruits.count + fruit.index] })
        }
        return ForecastResult.Run(
            change: course.change?.text, set: course.set, fruits: fruits, queue: instants { $0.queue[$1] },
            metrics: figures(outcomes), differences: first.map { differences(outcomes, from: $0) } ?? [])
    }

    private func figures(_ outcomes: [Outcome]) -> [ForecastResult.Figure] {
        outcomes[0].metrics.indices.map { place in
            let values = outcomes.compactMap { $0.metrics[place].value }
            let quantiles = ForecastResult.Quantiles(values)
            return .init(
                name: outcomes[0].metrics[place].name,
                mean: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count),
                p05: quantiles?.p05, p50: quantiles?.p50, p95: quantiles?.p95)
        }
    }

    private func differences(_ outcomes: [Outcome], from first: [Outcome]) -> [ForecastResult.Difference] {
        let places = Dictionary(uniqueKeysWithValues: first[0].metrics.enumerated().map { ($1.name, $0) })
        return outcomes[0].metrics.enumerated().compactMap { place, metric in
            guard let other = places[metric.name] else { return nil }
            let estimate = Estimate(
                name: metric.name,
                of: zip(outcomes, first).map { outcome, first -> Double? in
                    guard let value = outcome.metrics[place].value, let other = first.metrics[other].value else {
                        return nil
                    }
                    return value - other
                })
            return .init(name: metric.name, mean: estimate.mean, halfWidth: estimate.halfWidth)
        }
    }
}

extension ForecastResult.Quantiles {
    /// Nil for no values.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        func quantile(_ percent: Int) -> Double { sorted[(sorted.count * percent + 99) / 100 - 1] }
        self.init(p05: quantile(5), p25: quantile(25), p50: quantile(50), p75: quantile(75), p95: quantile(95))
    }
}

extension ForecastResult.Probability {
    /// Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    init(_ hits: Int, of count: Int) {
        let n = Double(count)
        let share = Double(hits) / n
        // The 97.5% point of the normal distribution.
        let z = 1.959963984540054
        let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot() / (1 + z * z / n)
        // At the ends the interval reaches them exactly, whatever the rounding.
        self.init(
            mean: share, low: hits == 0 ? 0 : max(0, middle - half), high: hits == count ? 1 : min(1, middle + half))
    }
}
