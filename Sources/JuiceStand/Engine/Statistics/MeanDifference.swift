import Platform

/// The difference of two means with its standard error.
package struct MeanDifference: Equatable, Sendable {
    /// The mean of some independent values with its standard error.
    package struct Sample {
        package var mean: Double
        package var standardError: Double
        package var count: Int

        package init(mean: Double, standardError: Double, count: Int) {
            self.mean = mean
            self.standardError = standardError
            self.count = count
        }
    }

    package var difference: Double
    package var standardError: Double
    package var degrees: Int
    /// The probability for a standard error of 0: the share of permutations with a difference at least as large.
    private var leastProbability: Double

    /// The difference in standard errors, without its sign.
    package var ratio: Double { difference == 0 ? 0 : abs(difference) / standardError }

    /// The two-sided probability of such a ratio for equal means, by Student's t.
    package var probability: Double {
        guard difference != 0 else { return 1 }
        return standardError > 0 ? max(0, 1 - StudentT.central(tangent: ratio, degrees: degrees)) : leastProbability
    }

    /// The mean of the differences of pairs. Returns nil for fewer than two pairs.
    package init?(pairs: [Double]) {
        let n = Double(pairs.count)
        guard pairs.count > 1 else { return nil }
        let mean = pairs.reduce(0, +) / n
        difference = mean
        standardError = (pairs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1) / n).squareRoot()
        degrees = pairs.count - 1
        leastProbability = pow(2, 1 - n)
    }

    /// The difference of two samples by Welch's test, with the degrees of freedom rounded down. Returns nil for fewer
    /// than two values on either side.
    ///
    /// Source: Welch, "The generalization of 'Student's' problem when several different population variances are
    /// involved", Biometrika 34 (1947).
    package init?(from first: Sample, to second: Sample) {
        guard first.count > 1, second.count > 1 else { return nil }
        difference = second.mean - first.mean
        let variance = first.standardError * first.standardError
        let otherVariance = second.standardError * second.standardError
        let sum = variance + otherVariance
        standardError = sum.squareRoot()
        let n = Double(first.count)
        let m = Double(second.count)
        let spread = variance * variance / (n - 1) + otherVariance * otherVariance / (m - 1)
        degrees = spread > 0 ? max(1, Int(min(sum * sum / spread, n + m - 2))) : first.count + second.count - 2
        leastProbability = min(1, (1...first.count).reduce(2) { $0 * Double($1) / (m + Double($1)) })
    }
}
