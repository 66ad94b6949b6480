extension Distribution {
    /// A distribution given by its values and their relative weights.
    package struct Empirical: Equatable, Sendable {
        package let values: [Double]
        package let weights: [Double]
        let draw: Draw

        /// The data that a draw reads.
        final class Draw: Equatable, Sendable {
            private let values: [Double]
            private let cumulative: CumulativeWeights

            init(_ values: [Double], _ weights: [Double]) {
                self.values = values
                cumulative = CumulativeWeights(weights)
            }

            static func == (a: Draw, b: Draw) -> Bool { a.values == b.values && a.cumulative == b.cumulative }

            func value(at uniform: Double) -> Double { values[cumulative.index(at: uniform)] }
        }

        /// - Precondition: There are as many weights as values; no weight is negative and not all are 0.
        package init(values: [Double], weights: [Double]) {
            precondition(values.count == weights.count, "\(values.count) values and \(weights.count) weights")
            self.values = values
            self.weights = weights
            draw = Draw(values, weights)
        }
    }
}

extension Distribution.Empirical {
    /// Draws among the values from `least` on; gives `least` if there is none.
    func value(atLeast least: Double, using random: inout some RandomNumberGenerator) -> Double {
        let remaining = zip(values, weights).map { value, weight in value >= least ? weight : 0 }
        guard remaining.contains(where: { $0 > 0 }) else { return least }
        return values[CumulativeWeights(remaining).index(at: random.uniform())]
    }
}

/// Relative weights, prepared for drawing an index by inversion.
///
/// Unlike with an alias table, a small change of one weight changes few draws.
package struct CumulativeWeights: Equatable, Sendable {
    private let sums: HotArray<Double>
    private let last: Int
    private static let few = 16

    /// - Precondition: No weight is negative and not all are 0.
    package init(_ weights: [Double]) {
        var sum = 0.0
        sums = HotArray(
            weights.map { weight in
                precondition(weight >= 0, "a weight of \(weight)")
                sum += weight
                return sum
            })
        precondition(sum > 0, "all weights are 0")
        last = weights.lastIndex { $0 > 0 } ?? 0
    }

    /// The index whose share of [0, 1) contains `uniform`.
    ///
    /// - Complexity: O(log *n*) for *n* weights.
    package func index(at uniform: Double) -> Int {
        let target = uniform * sums[last]
        // The number of sums up to the target: found by bisection among many, by counting among few.
        var low = 0
        var left = last
        while left > Self.few {
            let half = (left &+ 1) / 2
            if sums[low &+ half &- 1] <= target { low &+= half }
            left &-= half
        }
        var index = low
        for place in low..<low &+ left {
            // This avoids a branch: non-negative numbers have the order of their bits, and the sign of the difference
            // compares them. Places are below `last`.
            let difference = unsafe sums[unchecked: place].bitPattern &- target.bitPattern &- 1
            index &+= Int(truncatingIfNeeded: difference &>> 63)
        }
        return index
    }
}
