import Platform

/// Confidence intervals of a mean that hold for all numbers of observations at once.
///
/// With probability of at least one minus ``error``, the true mean lies in the interval after every observation. So
/// looking after each one, and stopping for any reason, costs nothing. This is the t-test martingale with a normal
/// mixture of effect sizes, exact for independent normal observations of unknown variance.
///
/// Source: Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
/// arXiv 2310.03722 (2023), after Lai, "On confidence sequences", Annals of Statistics 4 (1976). The likelihood ratio
/// in closed form: Rouder et al., "Bayesian t tests for accepting and rejecting the null hypothesis", Psychonomic
/// Bulletin and Review 16 (2009).
package struct ConfidenceSequence: Sendable {
    package let error: Double

    /// - Parameter error: The probability that any interval misses, above 0 and below 1.
    package init(error: Double) {
        precondition(error > 0 && error < 1, "an error of \(error)")
        self.error = error
    }

    /// Half the width of the interval in standard errors; infinite for too few observations.
    package func ratio(count: Int) -> Double {
        guard count > 1 else { return .infinity }
        let n = Double(count)
        // The mixture has variance 1: its effects are about as large as the deviation of one observation.
        let spread = 1 + n
        let growth = exp(2 / n * (log(1 / error) + log(spread) / 2))
        guard growth < spread else { return .infinity }
        return ((n - 1) * (growth - 1) / (1 - growth / spread)).squareRoot()
    }

    /// Half the width of the interval; infinite if it is unknown.
    ///
    /// - Parameter variance: The sample variance, with one less than `count` in its denominator.
    package func halfWidth(count: Int, variance: Double) -> Double {
        let ratio = ratio(count: count)
        guard variance > 0 else {
            // Equal observations. By chance alone, signs are equal with this probability.
            return ratio < .infinity && pow(2, 1 - Double(count)) <= error ? 0 : .infinity
        }
        return ratio * (variance / Double(count)).squareRoot()
    }
}

/// The mean and the variance of some observations.
package struct Moments: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var mean = 0.0
    private var squares = 0.0

    /// Source: Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4
    /// (1962).
    mutating func add(_ value: Double) {
        count += 1
        let distance = value - mean
        mean += distance / Double(count)
        squares += distance * (value - mean)
    }

    /// The sample variance; 0 for fewer than two observations.
    var variance: Double { count > 1 ? squares / Double(count - 1) : 0 }

    init() {}

    init(_ values: some Sequence<Double>) {
        for value in values { add(value) }
    }
}
