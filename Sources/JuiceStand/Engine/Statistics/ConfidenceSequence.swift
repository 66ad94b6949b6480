import Platform

/// Confidence intervals of a mean that hold for all numbers of observations at once.
///
/// With probability of at least one minus ``error``, the true mean lies in the interval after every observation. So
/// looking after each one, and stopping for any reason, costs nothing. This is the t-test martingale with a normal
/// mixture of effect sizes, exact for independent normal observations of unknown variance. ``Reach`` corrects it for
/// skewness.
///
/// Sources: Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
/// arXiv 2310.03722 (2023), after Lai, "On confidence sequences", Annals of Statistics 4 (1976). The likelihood ratio
/// in closed form: Rouder et al., "Bayesian t tests for accepting and rejecting the null hypothesis", Psychonomic
/// Bulletin and Review 16 (2009).
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

    /// The interval after some observations; infinite if it is unknown.
    ///
    /// Observations that are equal so far say nothing about the next one, so their interval is unknown.
    ///
    /// - Parameters:
    ///   - moments: The moments of the observations.
    ///   - isCertain: Whether the model makes all observations equal. Then the interval has no width.
    ///   - scale: The size of the figures from which the observations were computed. Deviations that are small beside
    ///     it or the mean are rounding errors, and such observations count as equal.
    package func reach(_ moments: Moments, isCertain: Bool = false, scale: Double = 0) -> Reach {
        let noise = Self.roundingError * max(scale, abs(moments.mean))
        guard moments.count > 0, moments.variance.squareRoot() > noise else {
            return Reach(bothSides: isCertain && moments.count > 0 ? 0 : .infinity)
        }
        return moments.reach(standardErrors: ratio(count: moments.count))
    }

    /// The rounding error of a deviation, as a share of the figures.
    private static let roundingError = 1e-10

    /// Whether there are enough observations for their skewness to rely on an interval on its side.
    ///
    /// Source: Cochran, Sampling Techniques, 3rd edition (1977), 2.15.
    package static func covers(skewness: Double, count: Int) -> Bool {
        skewness <= 0 || Double(count) >= 25 * skewness * skewness
    }
}
