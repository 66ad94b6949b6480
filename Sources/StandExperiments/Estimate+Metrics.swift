import JuiceStand
import TextFormats

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

    /// The confidence interval; nil without one. Not for differences.
    ///
    /// The interval of a share is cut at 0 and 1. The true share is never outside of them.
    var interval: ClosedRange<Double>? {
        guard let mean, let whole = wholeInterval, Self.isShare(name) else { return wholeInterval }
        return min(mean, max(0, whole.lowerBound))...max(mean, min(1, whole.upperBound))
    }

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
