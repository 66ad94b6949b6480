import Platform

/// The mean, the variance and the skewness of some observations.
package struct Moments: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var mean = 0.0
    private var squares = 0.0
    private var cubes = 0.0

    /// Sources: Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4
    /// (1962); for the cubes, Terriberry's extension, as in Pébay, "Formulas for robust, one-pass parallel computation
    /// of covariances and arbitrary-order statistical moments", Sandia report SAND2008-6212 (2008).
    package mutating func add(_ value: Double) {
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

/// How far an interval reaches from the mean of some observations.
package struct Reach: Equatable, Sendable {
    package var below, above: Double

    package init(below: Double, above: Double) {
        self.below = below
        self.above = above
    }

    package init(bothSides: Double) { self.init(below: bothSides, above: bothSides) }

    /// To the farther end.
    package var farther: Double { max(below, above) }
}

extension Moments {
    /// An interval of the mean, given half its width in standard errors as it would be without skewness.
    ///
    /// On the side where skewness makes a symmetric interval too short, it is lengthened by Hall's transformation.
    /// It is never shortened. Source: Hall, "On the removal of skewness by transformation", Journal of the Royal
    /// Statistical Society B 54 (1992).
    package func reach(standardErrors: Double) -> Reach {
        let n = Double(count)
        let deviation = variance.squareRoot()
        let plain = standardErrors / n.squareRoot()
        func side(_ skewness: Double) -> Double {
            guard skewness > 0, plain < .infinity else { return deviation * plain }
            let hall = 3 / skewness * (1 - cbrt(1 - skewness * (plain + skewness / (6 * n))))
            return deviation * max(plain, hall)
        }
        return Reach(below: side(-skewness), above: side(skewness))
    }
}
