import Platform

/// Student's t distribution, for confidence intervals of means.
package enum StudentT {
    /// Half the width of a confidence interval in standard errors.
    ///
    /// - Parameters:
    ///   - confidence: Between 0 and 1, both excluded.
    ///   - degrees: Degrees of freedom, at least 1.
    /// - Complexity: O(`degrees`) up to 10,000 degrees, O(1) above.
    package static func halfWidth(confidence: Double, degrees: Int) -> Double {
        precondition(degrees >= 1 && confidence > 0 && confidence < 1, "\(confidence) with \(degrees) degrees")
        // Bisection on the angle, whose range is bounded for any tail.
        var (low, high) = (0.0, Double.pi / 2)
        let root = Double(degrees).squareRoot()
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if central(tangent: root * tan(middle), degrees: degrees) < confidence {
                low = middle
            } else {
                high = middle
            }
        }
        return root * tan((low + high) / 2)
    }

    /// The probability of a value between −`t` and `t`.
    ///
    /// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4, which are exact. For more
    /// than 10,000 degrees, 26.7.8 approximates it by the normal distribution with an error below 1e-9.
    package static func central(tangent t: Double, degrees: Int) -> Double {
        let nu = Double(degrees)
        guard degrees <= 10_000 else {
            let x = t * (1 - 1 / (4 * nu)) / (1 + t * t / (2 * nu)).squareRoot()
            return erf(x / 2.0.squareRoot())
        }
        let angle = atan(t / nu.squareRoot())
        let (sine, cosine) = (sin(angle), cos(angle))
        let isOdd = degrees % 2 == 1
        // Odd: cos + 2/3 cos³ + 2·4/(3·5) cos⁵ …; even: 1 + 1/2 cos² + 1·3/(2·4) cos⁴ …
        var term = isOdd ? cosine : 1.0
        var sum = degrees == 1 ? 0.0 : term
        for k in stride(from: isOdd ? 3 : 2, to: degrees - 1, by: 2) {
            term *= cosine * cosine * Double(k - 1) / Double(k)
            sum += term
        }
        return isOdd ? 2 / Double.pi * (angle + sine * sum) : sine * sum
    }
}
