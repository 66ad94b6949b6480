import Platform

/// The standard normal distribution, and the laws that it approximates.
package enum Normal {
    /// The 97.5% point.
    package static let z = 1.959963984540054

    /// The probability above `x`.
    package static func tail(_ x: Double) -> Double { erfc(x / 2.0.squareRoot()) / 2 }

    /// The probability that a chi-square variable exceeds `x`.
    ///
    /// The error is below .003. Source: Wilson and Hilferty, "The distribution of chi-square", PNAS 17 (1931).
    package static func chiSquareTail(_ x: Double, degrees: Double) -> Double {
        let c = 2 / (9 * degrees)
        return tail((pow(x / degrees, 1.0 / 3) - (1 - c)) / c.squareRoot())
    }

    /// Half the 95% point of the chi-square law with one degree of freedom.
    package static let halfOfChiSquare = z * z / 2

    /// The 95% interval of a mean of counts from its estimate and standard error, from gamma quantiles: counts are
    /// skewed. The quantiles are Wilson and Hilferty's.
    ///
    /// - Parameters:
    ///   - mean: The estimate, from 0.
    ///   - error: Its standard error.
    ///   - factor: Widens the interval, for a standard error that is itself estimated.
    package static func interval(ofCounts mean: Double, error: Double, factor: Double = 1) -> ClosedRange<Double> {
        guard mean > 0, error > 0 else { return mean...mean }
        // Half a count more, as with Jeffreys' prior.
        let shape = pow(mean / (error * factor), 2) + 0.5
        let scale = mean / (shape - 0.5)
        func quantile(_ z: Double) -> Double {
            let c = 1 / (9 * shape)
            return scale * shape * pow(max(0, 1 - c + z * c.squareRoot()), 3)
        }
        return quantile(-z)...quantile(z)
    }

    /// The 95% interval of a share.
    ///
    /// Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    ///
    /// - Parameters:
    ///   - hits: From 0 to `count`.
    ///   - count: The number of trials.
    package static func interval(ofShare hits: Int, of count: Int) -> ClosedRange<Double> {
        let n = Double(count)
        let share = Double(hits) / n
        let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot() / (1 + z * z / n)
        // At the ends the interval reaches them exactly, whatever the rounding.
        let low = hits == 0 ? 0 : max(0, middle - half)
        let high = hits == count ? 1 : min(1, middle + half)
        return low...high
    }
}
