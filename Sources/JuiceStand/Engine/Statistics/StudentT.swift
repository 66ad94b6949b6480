import Platform

/// Student's t distribution, for confidence intervals of means.
package enum StudentT {
    /// Half the width of a confidence interval in standard errors.
    ///
    /// - Parameters:
    ///   - confidence: Between 0 and 1, both excluded.
    ///   - degrees: Degrees of freedom, at least 1.
    /// - Complexity: O(1) for arguments that were asked for lately. Otherwise O(`degrees`) up to 10,000 degrees, and
    ///   O(1) above.
    package static func halfWidth(confidence: Double, degrees: Int) -> Double {
        precondition(degrees >= 1 && confidence > 0 && confidence < 1, "\(confidence) with \(degrees) degrees")
        let question = Question(confidence: confidence, degrees: degrees)
        if let known = known.withLock({ $0[question] }) { return known }
        let root = Double(degrees).squareRoot()
        // The angle has a bounded range for any tail.
        let angle = bisection(0...Double.pi / 2, steps: 60) {
            central(tangent: root * tan($0), degrees: degrees) < confidence
        }
        let found = root * tan(angle)
        known.withLock { known in
            if known.count == mostKnown { known.removeAll() }
            known[question] = found
        }
        return found
    }

    private struct Question: Hashable {
        var confidence: Double
        var degrees: Int
    }

    /// The half widths found so far. Every metric of a result asks for the same one.
    private static let known = Guarded<[Question: Double]>([:])
    private static let mostKnown = 4096

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
        let sine = sin(angle)
        let cosine = cos(angle)
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
