import JuiceStand
import TextFormats

/// The mean of a metric over replications, with its confidence interval.
package struct Estimate: Equatable, Sendable {
    package var name: String
    /// Nil if no replication had an observation.
    package var mean: Double?
    /// How far the confidence interval reaches from the mean; nil for fewer than two observations.
    package var reach: Reach?
    /// The number of replications with an observation.
    package var count: Int

    package static let confidence = 0.95
    /// With fewer observations, their skewness is too uncertain to correct the interval for it.
    package static let fewestForSkewness = 10

    /// The estimate from one value of each replication; nil stands for no observation.
    ///
    /// The values are independent because the replications are: Law, Simulation Modeling and Analysis, 9.4.1. The
    /// interval is Student's, from ``fewestForSkewness`` values on corrected for skewness by
    /// ``Moments/reach(standardErrors:)``.
    package init(name: String, of values: some Collection<Double?>) {
        self.name = name
        var sum = 0.0
        count = 0
        for case .some(let value) in values {
            sum += value
            count += 1
        }
        guard count > 0 else { return }
        let mean = sum / Double(count)
        self.mean = mean
        guard count > 1 else { return }
        let moments = Moments(values.lazy.compactMap { $0 })
        let standardErrors = StudentT.halfWidth(confidence: Self.confidence, degrees: count - 1)
        reach =
            count < Self.fewestForSkewness
            ? Reach(bothSides: (moments.variance / Double(count)).squareRoot() * standardErrors)
            : moments.reach(standardErrors: standardErrors)
    }

    /// From the mean to the farther end of the interval; nil without an interval.
    package var halfWidth: Double? { reach?.farther }
}

extension Estimate {
    /// The mean differences of the metrics that both sides have, over pairs of replications with the same customers.
    ///
    /// - Parameters:
    ///   - pairs: The values of both sides, in the order of their names.
    ///   - firstNames: The metrics of the side that is subtracted.
    static func differences(
        _ names: [String], from firstNames: [String], _ pairs: [(values: [Double?], first: [Double?])],
        where isWanted: (String) -> Bool = { _ in true }
    ) -> [Estimate] {
        let places = Dictionary(uniqueKeysWithValues: firstNames.enumerated().map { ($1, $0) })
        return names.enumerated().compactMap { index, name in
            guard isWanted(name), let place = places[name] else { return nil }
            return Estimate(
                name: name,
                of: pairs.map { pair in pair.values[index].flatMap { value in pair.first[place].map { value - $0 } } })
        }
    }

    /// The confidence interval; nil without one, or if it is too wide for a number.
    package var wholeInterval: ClosedRange<Double>? {
        guard let mean, let reach else { return nil }
        let low = mean - reach.below
        let high = mean + reach.above
        return low <= high ? low...high : nil
    }

    /// The confidence interval; nil without one. Not for differences.
    ///
    /// The interval of a share is cut at 0 and 1. The true share is never outside of them.
    var interval: ClosedRange<Double>? {
        guard let mean, let whole = wholeInterval, Self.isShare(name) else { return wholeInterval }
        return min(mean, max(0, whole.lowerBound))...max(mean, min(1, whole.upperBound))
    }

    /// Whether the interval of a difference excludes 0.
    var differs: Bool { wholeInterval.map { !$0.contains(0) } ?? false }

    /// The interval, if it is cut at 0 or 1 and so has no half-width to print.
    var cutInterval: ClosedRange<Double>? {
        guard let halfWidth = shownHalfWidth, halfWidth > 0, interval != wholeInterval else { return nil }
        return interval
    }

    /// Whether a metric of this name is between 0 and 1.
    static func isShare(_ name: String) -> Bool {
        ["fillRate", "waitProbability", "makers.utilization"].contains(name)
            || name.hasPrefix("stock.") && (name.hasSuffix(".shortFraction") || name.hasSuffix(".soldOutFraction"))
    }
}

extension Estimate: CustomStringConvertible {
    /// `12.5 ± 0.3`, or `0.99 (0.97 to 1)` for a share whose interval is cut, with readable numbers.
    package var description: String {
        guard let mean else { return "no observations" }
        guard let cutInterval else { return Columns.readable(mean, halfWidth: halfWidth) }
        let (low, high) = (Columns.readable(cutInterval.lowerBound), Columns.readable(cutInterval.upperBound))
        return "\(Columns.readable(mean)) (\(low) to \(high))"
    }

    /// The half-width for texts: 0 if it is only rounding error.
    var shownHalfWidth: Double? {
        guard let mean, let halfWidth else { return nil }
        return Columns.withoutNoise(halfWidth, beside: mean)
    }
}
