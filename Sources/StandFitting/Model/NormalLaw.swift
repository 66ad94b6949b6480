import Platform

/// Quantiles and tails of the usual laws, by approximations whose error is far below that of the estimates.
package enum NormalLaw {
    /// The 97.5% point.
    static let z = 1.959964

    /// The probability above `x`.
    static func tail(_ x: Double) -> Double { erfc(x / 2.0.squareRoot()) / 2 }

    /// The probability that a chi-square variable exceeds `x`. Source: Wilson and Hilferty, "The distribution of
    /// chi-square", PNAS 17 (1931).
    package static func chiSquareTail(_ x: Double, degrees: Double) -> Double {
        let c = 2 / (9 * degrees)
        return tail((pow(x / degrees, 1.0 / 3) - (1 - c)) / c.squareRoot())
    }

    /// The 97.5% point of Student's t. Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    package static func t(degrees: Double) -> Double {
        let z2 = z * z
        return z + z * (z2 + 1) / (4 * degrees) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * degrees * degrees)
            + z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * degrees * degrees * degrees)
    }

    /// The interval of a mean of counts from its estimate and standard error, from gamma quantiles: counts are skewed.
    ///
    /// - Parameter factor: Widens the interval, for a standard error that is itself estimated.
    static func interval(ofCounts mean: Double, error: Double, factor: Double = 1) -> ClosedRange<Double> {
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
}
