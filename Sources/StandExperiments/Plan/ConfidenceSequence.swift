import Platform

/// Confidence intervals of a mean that hold for all numbers of observations at once.
///
/// With probability of at least one minus ``error``, the true mean lies in the interval after every observation. So
/// looking after each one, and stopping for any reason, costs nothing. This is the t-test martingale with a normal
/// mixture of effect sizes, exact for independent normal observations of unknown variance. On the side where skewness
/// makes Student's interval too short, it is lengthened by Hall's transformation. It is never shortened.
///
/// Sources: Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
/// arXiv 2310.03722 (2023), after Lai, "On confidence sequences", Annals of Statistics 4 (1976). The likelihood ratio
/// in closed form: Rouder et al., "Bayesian t tests for accepting and rejecting the null hypothesis", Psychonomic
/// Bulletin and Review 16 (2009). Hall, "On the removal of skewness by transformation", Journal of the Royal
/// Statistical Society B 54 (1992).
package struct ConfidenceSequence: Sendable {
    package let error: Double

    /// - Parameter error: The probability that any interval misses, above 0 and below 1. Half of it is on each side.
    package init(error: Double) {
        precondition(error > 0 && error < 1, "an error of \(error)")
        self.error = error
    }

    /// Half the width of the interval in standard errors, without skewness; infinite for too few observations.
    package func ratio(count: Int) -> Double {
        guard count > 1 else { return .infinity }
        let n = Double(count)
        // The mixture has variance 1: its effects are about as large as the deviation of one observation.
        let spread = 1 + n
        let growth = exp(2 / n * (log(1 / error) + log(spread) / 2))
        guard growth < spread else { return .infinity }
        return ((n - 1) * (growth - 1) / (1 - growth / spread)).squareRoot()
    }

    /// How far the interval reaches from the mean of the observations.
    package struct Reach: Equatable, Sendable {
        package var below, above: Double
    }

    /// The interval after some observations; infinite if it is unknown.
    package func reach(_ moments: Moments) -> Reach {
        let ratio = ratio(count: moments.count)
        guard moments.variance > 0 else {
            // Equal observations. By chance alone, signs are equal with this probability.
            let isKnown = ratio < .infinity && pow(2, 1 - Double(moments.count)) <= error
            return isKnown ? Reach(below: 0, above: 0) : Reach(below: .infinity, above: .infinity)
        }
        func side(_ skewness: Double) -> Double {
            let n = Double(moments.count)
            let plain = ratio / n.squareRoot()
            guard skewness > 0, ratio < .infinity else { return moments.variance.squareRoot() * plain }
            let hall = 3 / skewness * (1 - cbrt(1 - skewness * (plain + skewness / (6 * n))))
            return moments.variance.squareRoot() * max(plain, hall)
        }
        return Reach(below: side(-moments.skewness), above: side(moments.skewness))
    }

    /// Whether there are enough observations for their skewness to rely on an interval on its side.
    ///
    /// Source: Cochran, Sampling Techniques, 3rd edition (1977), 2.15.
    package static func covers(skewness: Double, count: Int) -> Bool {
        skewness <= 0 || Double(count) >= 25 * skewness * skewness
    }
}

/// The mean, the variance and the skewness of some observations.
package struct Moments: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var mean = 0.0
    private var squares = 0.0
    private var cubes = 0.0

    /// Sources: Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4
    /// (1962); for the cubes, Terriberry's extension, as in Pébay, "Formulas for robust, one-pass parallel computation
    /// of covariances and arbitrary-order statistical moments", Sandia report SAND2008-6212 (2008).
    mutating func add(_ value: Double) {
        count += 1
        let n = Double(count)
        let distance = value - mean
        let step = distance / n
        let growth = distance * step * (n - 1)
        mean += step
        cubes += growth * step * (n - 2) - 3 * step * squares
        squares += growth
    }

    /// The sample variance; 0 for fewer than two observations.
    package var variance: Double { count > 1 ? squares / Double(count - 1) : 0 }

    /// The third standardized moment; 0 without variance.
    package var skewness: Double {
        squares > 0 ? cubes / Double(count) / pow(squares / Double(count), 1.5) : 0
    }

    package init() {}

    package init(_ values: some Sequence<Double>) {
        for value in values { add(value) }
    }
}
