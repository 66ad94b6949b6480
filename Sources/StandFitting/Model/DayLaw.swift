import JuiceStand

/// How the orders of days vary around the rates of a week.
package struct DayLaw: Sendable {
    /// The open days, as the likelihood of the shape takes them.
    private let days: [ShapeLikelihood.Day]
    let shortGaps: ShortGaps
    /// The test of whether days differ by more than chance.
    let dispersion: (index: Double, p: Double)
    /// The shape of the gamma law, by maximum likelihood; infinite if days differ by chance alone.
    let shape: Double
    /// The shape that gives simulated days the variance of these days.
    let levelShape: Double

    /// Days differ by more than chance if the p-value of their dispersion is below this.
    private static let levelChance = 0.01

    /// - Parameters:
    ///   - days: The open days.
    ///   - p: The p-value that decides whether there is a level; nil for that of these days.
    ///   - steps: See ``ShapeLikelihood/maximum(steps:)``.
    init(
        of days: [(weekday: Int, orders: Double)], _ rates: WeekRates, _ gaps: ShortGaps,
        _ restriction: WeekModel.Restriction, p: Double? = nil, steps: Int = 32
    ) {
        let days = days.map { weekday, orders in
            ShapeLikelihood.Day(count: orders, mean: rates.totals[weekday], leverage: rates.leverages[weekday])
        }
        let chance = gaps.dispersion(rates)
        self.days = days
        shortGaps = gaps
        dispersion = Self.dispersion(days, chance: chance)
        let hasLevel = restriction.allowsLevel && p ?? dispersion.p < Self.levelChance
        shape = hasLevel ? ShapeLikelihood(days).maximum(steps: steps) : .infinity
        levelShape = Self.levelShape(days, shape, chance: chance)
    }

    /// The shapes near enough to ``shape`` for 95% confidence.
    var intervalOfShape: ClosedRange<Double> { ShapeLikelihood(days).interval(around: shape) }

    /// The shape that gives simulated days the variance of the till's days.
    ///
    /// This is `shape` if its variance is within 2% of the till's. Otherwise the shape follows from the variance alone.
    ///
    /// - Parameter chance: The variance of a count within a day of known level, divided by its mean.
    package static func levelShape(_ days: [ShapeLikelihood.Day], _ shape: Double, chance: Double) -> Double {
        guard shape.isFinite, days.count > 1 else { return shape }
        let number = Double(days.count)
        let count = days.reduce(0) { $0 + $1.count } / number
        let mean = days.reduce(0) { $0 + $1.mean } / number
        let squares = days.reduce(0) { $0 + $1.mean * $1.mean } / number
        let variance = days.reduce(0) { $0 + ($1.count - count) * ($1.count - count) } / (number - 1)
        let ofWeekdays = squares - mean * mean
        let fitted = ofWeekdays + chance * mean + squares / shape
        guard abs(fitted - variance) > 0.02 * variance else { return shape }
        let excess = variance - ofWeekdays - chance * mean
        return excess > 1e-5 * squares ? squares / excess : .infinity
    }

    /// Pearson's test of independent counts, with the mean of each weekday.
    ///
    /// - Parameter chance: The variance of a count divided by its mean; 1 for Poisson counts.
    package static func dispersion(_ days: [ShapeLikelihood.Day], chance: Double) -> (index: Double, p: Double) {
        let open = days.filter { $0.mean > 0 }
        let sum = open.reduce(0) { $0 + ($1.count - $1.mean) * ($1.count - $1.mean) / $1.mean }
        let degrees = open.reduce(0) { $0 + 1 - $1.leverage }
        guard degrees > 0 else { return (1, 1) }
        return (sum / degrees, Normal.chiSquareTail(sum / chance, degrees: degrees))
    }
}
