/// The mean of a metric over replications, with its confidence interval.
package struct Estimate: Equatable, Sendable {
    package var name: String
    /// The mean; nil if no replication had an observation.
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
    package init(name: String, of values: [Double?]) {
        self.name = name
        // An array: lazy collections of another module's types are not specialized, and took a quarter of the time of a
        // short replication.
        let observed = values.compactMap { $0 }
        count = observed.count
        guard count > 0 else { return }
        let mean = observed.reduce(0, +) / Double(count)
        self.mean = mean
        guard count > 1 else { return }
        let moments = Moments(observed)
        let standardErrors = StudentT.halfWidth(confidence: Self.confidence, degrees: count - 1)
        reach =
            count < Self.fewestForSkewness
            ? Reach(bothSides: (moments.variance / Double(count)).squareRoot() * standardErrors)
            : moments.reach(standardErrors: standardErrors)
    }

    /// From the mean to the farther end of the interval; nil without an interval.
    package var halfWidth: Double? { reach?.farther }

    /// The standard error behind the interval; nil without an interval over replications.
    ///
    /// The interval is Student's on its nearer side: skewness lengthens the other one.
    package var standardError: Double? {
        guard let reach, count > 1 else { return nil }
        return min(reach.below, reach.above) / StudentT.halfWidth(confidence: Self.confidence, degrees: count - 1)
    }

    /// The confidence interval; nil without one, or if it is too wide for a number.
    package var wholeInterval: ClosedRange<Double>? {
        guard let mean, let reach else { return nil }
        let low = mean - reach.below
        let high = mean + reach.above
        return low <= high ? low...high : nil
    }

    /// Whether the interval of a difference excludes 0.
    package var differs: Bool { wholeInterval.map { !$0.contains(0) } ?? false }
}
