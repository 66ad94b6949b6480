/// The law of a random quantity: seconds, cups or whatever unit its owner gives it.
///
/// ``Sampler`` draws from it. Parameters are checked where a configuration is read: means,
/// shapes and scales are positive, deviations not negative, and a normal law's mean is not negative (it is drawn again
/// while negative).
package enum Distribution: Equatable, Sendable {
    case constant(Double)
    case exponential(mean: Double)
    case uniform(from: Double, to: Double)
    case triangular(from: Double, mode: Double, to: Double)
    /// Truncated: drawn again while negative, so that its mean is a little above `mean`.
    case normal(mean: Double, deviation: Double)
    /// Mean and deviation of the variable itself, not of its logarithm.
    case lognormal(mean: Double, deviation: Double)
    case gamma(shape: Double, mean: Double)
    case erlang(stages: Int, mean: Double)
    case weibull(shape: Double, scale: Double)
    case poisson(mean: Double)
    /// On 1, 2, …: trials up to the first success.
    case geometric(mean: Double)
    case empirical(Empirical)

    /// Whether a draw never varies, so that none is needed.
    package var isConstant: Bool {
        if case .constant = self { true } else { false }
    }

    /// A size that draws are around: a mean, a scale or the largest value.
    package var size: Double {
        switch self {
        case .constant(let value), .uniform(_, let value), .triangular(_, _, let value): value
        case .exponential(let mean), .gamma(_, let mean), .erlang(_, let mean), .poisson(let mean),
            .geometric(let mean):
            mean
        case .normal(let mean, let deviation): max(mean, deviation)
        case .lognormal(let mean, _): mean
        case .weibull(_, let scale): scale
        case .empirical(let law): zip(law.values, law.weights).reduce(0) { $1.1 > 0 ? max($0, $1.0) : $0 }
        }
    }

    /// Whether draws, in seconds, are no nanosecond.
    package var isAlwaysZero: Bool { size < 0.5e-9 }
}

// MARK: - Sampling

extension Distribution {
    /// One draw; who draws often keeps a ``Sampler``.
    ///
    /// - Complexity: O(1) on average; O(log *n*) for an empirical law of *n* values.
    package func sample(using random: inout some RandomNumberGenerator) -> Double {
        defer { withExtendedLifetime(self) {} }
        return Sampler(self).sample(using: &random)
    }
}

extension Distribution {
    /// A law given by its values and their relative weights.
    package struct Empirical: Equatable, Sendable {
        package let values: [Double]
        package let weights: [Double]
        let draw: Draw

        /// What a draw needs.
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

        /// - Precondition: as many weights as values; no weight negative, not all 0.
        package init(values: [Double], weights: [Double]) {
            precondition(values.count == weights.count, "\(values.count) values and \(weights.count) weights")
            self.values = values
            self.weights = weights
            draw = Draw(values, weights)
        }
    }
}

/// Relative weights, ready for drawing an index by inversion.
///
/// Inversion and not an alias table: where one weight changes a little, few draws change with it.
package struct CumulativeWeights: Equatable, Sendable {
    private let sums: Table<Double>
    private let last: Int
    private static let few = 16

    /// - Precondition: no weight is negative and not all are 0.
    package init(_ weights: [Double]) {
        var sum = 0.0
        sums = Table(
            weights.map { weight in
                precondition(weight >= 0, "a weight of \(weight)")
                sum += weight
                return sum
            })
        precondition(sum > 0, "all weights are 0")
        last = weights.lastIndex { $0 > 0 } ?? 0
    }

    /// The index whose share of [0, 1) holds `uniform`.
    ///
    /// - Complexity: O(log *n*)
    package func index(at uniform: Double) -> Int {
        let target = uniform * sums[last]
        // The number of sums that are not above the target: among many by halving them, among few by counting.
        var low = 0
        var left = last
        while left > Self.few {
            let half = (left &+ 1) / 2
            if sums[low &+ half &- 1] <= target { low &+= half }
            left &-= half
        }
        var index = low
        for place in low..<low &+ left {
            // Without a branch to mispredict: numbers that are not negative are ordered as their bits, and the difference
            // of these has a sign. Places are below `last`.
            let difference = unsafe sums[unchecked: place].bitPattern &- target.bitPattern &- 1
            index &+= Int(truncatingIfNeeded: difference &>> 63)
        }
        return index
    }
}
