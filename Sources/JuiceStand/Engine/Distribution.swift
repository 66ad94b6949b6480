import Platform

/// The probability distribution of a quantity. Its owner defines the unit: seconds, cups, a factor.
///
/// A `Sampler` draws from it. Reading a configuration checks the parameters: means, shapes and scales are positive,
/// deviations and the mean of a normal distribution are not negative.
package enum Distribution: Equatable, Sendable {
    case constant(Double)
    case exponential(mean: Double)
    case uniform(from: Double, to: Double)
    case triangular(from: Double, mode: Double, to: Double)
    /// Truncated: a negative draw is repeated, so the mean is a little above `mean`.
    case normal(mean: Double, deviation: Double)
    /// The mean and deviation are those of the variable, not of its logarithm.
    case lognormal(mean: Double, deviation: Double)
    case gamma(shape: Double, mean: Double)
    case erlang(stages: Int, mean: Double)
    case weibull(shape: Double, scale: Double)
    case poisson(mean: Double)
    /// On 1, 2, …: the number of trials up to the first success.
    case geometric(mean: Double)
    case empirical(Empirical)

    /// The order of magnitude of the draws: a mean, a scale or the largest value.
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

    /// The mean of the draws.
    package var mean: Double {
        switch self {
        case .constant(let value): return value
        case .exponential(let mean), .lognormal(let mean, _), .gamma(_, let mean), .erlang(_, let mean),
            .poisson(let mean), .geometric(let mean):
            return mean
        case .uniform(let low, let high): return (low + high) / 2
        case .triangular(let low, let mode, let high): return (low + mode + high) / 3
        case .normal(let mean, let deviation):
            guard deviation > 0 else { return mean }
            let start = mean / deviation
            // The inverse Mills ratio: draws below 0 are repeated.
            return mean + deviation * exp(-start * start / 2) / (.pi / 2).squareRoot() / erfc(-start / 2.0.squareRoot())
        case .weibull(let shape, let scale): return scale * tgamma(1 + 1 / shape)
        case .empirical(let law):
            return zip(law.values, law.weights).reduce(0) { $0 + $1.0 * $1.1 } / law.weights.reduce(0, +)
        }
    }

    /// The share of draws, in seconds, that round to 0 nanoseconds. Of continuous distributions, only one that is
    /// always 0 has such draws.
    package var shareOfZeros: Double {
        guard size >= 0.5e-9 else { return 1 }
        switch self {
        case .poisson(let mean): return exp(-mean)
        case .empirical(let law):
            let zeros = zip(law.values, law.weights).reduce(0) { $1.0 < 0.5e-9 ? $0 + $1.1 : $0 }
            return zeros / law.weights.reduce(0, +)
        case .constant, .exponential, .uniform, .triangular, .normal, .lognormal, .gamma, .erlang, .weibull, .geometric:
            return 0
        }
    }
}

// MARK: - Sampling

extension Distribution {
    /// Draws once. For many draws, keep a `Sampler`.
    ///
    /// - Complexity: O(1) on average; O(log *n*) for an empirical distribution of *n* values.
    package func sample(using random: inout some RandomNumberGenerator) -> Double {
        defer { withExtendedLifetime(self) {} }
        return Sampler(self).sample(using: &random)
    }
}

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

/// Relative weights, prepared for drawing an index by inversion.
///
/// Unlike with an alias table, a small change of one weight changes few draws.
package struct CumulativeWeights: Equatable, Sendable {
    private let sums: Table<Double>
    private let last: Int
    private static let few = 16

    /// - Precondition: No weight is negative and not all are 0.
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
