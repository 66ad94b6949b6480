#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The law of a random quantity: seconds, cups or whatever unit its owner gives it.
///
/// Sampling methods and their sources stand beside them. Parameters are checked where a configuration is read: means,
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
    /// One draw.
    ///
    /// - Complexity: O(1) on average; O(log *n*) for an empirical law of *n* values.
    package func sample(using random: inout some RandomNumberGenerator) -> Double {
        switch self {
        case .constant(let value): value
        case .exponential(let mean): mean * random.exponential()
        case .uniform(let from, let to): from + (to - from) * random.uniform()
        case .triangular(let from, let mode, let to): Self.triangular(from, mode, to, &random)
        case .normal(let mean, let deviation): Self.truncatedNormal(mean, deviation, &random)
        case .lognormal(let mean, let deviation): Self.lognormal(mean, deviation, &random)
        case .gamma(let shape, let mean): mean / shape * Self.gamma(shape, &random)
        case .erlang(let stages, let mean): mean / Double(stages) * Self.gamma(Double(stages), &random)
        case .weibull(let shape, let scale): scale * pow(random.exponential(), 1 / shape)
        case .poisson(let mean): Self.poisson(mean, &random)
        case .geometric(let mean): Self.geometric(mean, &random)
        case .empirical(let law): law.value(at: random.uniform())
        }
    }

    /// By inversion.
    private static func triangular(
        _ from: Double, _ mode: Double, _ to: Double, _ random: inout some RandomNumberGenerator
    ) -> Double {
        guard to > from else { return from }
        let u = random.uniform()
        return u < (mode - from) / (to - from)
            ? from + (u * (to - from) * (mode - from)).squareRoot()
            : to - ((1 - u) * (to - from) * (to - mode)).squareRoot()
    }

    private static func truncatedNormal(
        _ mean: Double, _ deviation: Double, _ random: inout some RandomNumberGenerator
    ) -> Double {
        while true {
            let draw = mean + deviation * random.normal()
            if draw >= 0 { return draw }
        }
    }

    /// exp of a normal whose variance is log(1 + deviation²/mean²) and whose mean is log(mean) less half of that.
    private static func lognormal(
        _ mean: Double, _ deviation: Double, _ random: inout some RandomNumberGenerator
    ) -> Double {
        let variance = log(1 + deviation * deviation / (mean * mean))
        return mean * exp(variance.squareRoot() * random.normal() - variance / 2)
    }

    /// Unit scale. Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000); below
    /// shape 1 with their boost by the power of a uniform.
    private static func gamma(_ shape: Double, _ random: inout some RandomNumberGenerator) -> Double {
        guard shape >= 1 else {
            return gamma(shape + 1, &random) * pow(random.positiveUniform(), 1 / shape)
        }
        let d = shape - 1 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = random.normal()
            let root = 1 + c * x
            guard root > 0 else { continue }
            let v = root * root * root
            let u = random.positiveUniform()
            // Their squeeze: most draws are accepted without a logarithm.
            if u < 1 - 0.0331 * x * x * x * x { return d * v }
            if log(u) < 0.5 * x * x + d - d * v + d * log(v) { return d * v }
        }
    }

    /// Below a mean of 10 by counting exponential gaps; from there by transformed rejection (PTRS): Hörmann, "The
    /// transformed rejection method for generating Poisson random variables", Insurance: Mathematics and Economics 12
    /// (1993).
    private static func poisson(_ mean: Double, _ random: inout some RandomNumberGenerator) -> Double {
        guard mean >= 10 else {
            let limit = exp(-mean)
            var count = 0.0
            var product = random.positiveUniform()
            while product > limit {
                count += 1
                product *= random.positiveUniform()
            }
            return count
        }
        let b = 0.931 + 2.53 * mean.squareRoot()
        let a = -0.059 + 0.02483 * b
        let inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
        let fastAccept = 0.9277 - 3.6224 / (b - 2)
        while true {
            let u = random.uniform() - 0.5
            let v = random.positiveUniform()
            let us = 0.5 - abs(u)
            let k = ((2 * a / us + b) * u + mean + 0.43).rounded(.down)
            if us >= 0.07, v <= fastAccept { return k }
            if k < 0 || (us < 0.013 && v > us) { continue }
            if log(v * inverseAlpha / (a / (us * us) + b)) <= k * log(mean) - mean - lgamma(k + 1) { return k }
        }
    }

    /// The whole part of an exponential, one more: the success probability is 1/mean.
    private static func geometric(_ mean: Double, _ random: inout some RandomNumberGenerator) -> Double {
        guard mean > 1 else { return 1 }
        return 1 + (random.exponential() / -log1p(-1 / mean)).rounded(.down)
    }
}

extension Distribution {
    /// A law given by its values and their relative weights.
    package struct Empirical: Equatable, Sendable {
        package let values: [Double]
        package let weights: [Double]
        private let cumulative: CumulativeWeights

        /// - Precondition: as many weights as values; no weight negative, not all 0.
        package init(values: [Double], weights: [Double]) {
            precondition(values.count == weights.count, "\(values.count) values and \(weights.count) weights")
            self.values = values
            self.weights = weights
            cumulative = CumulativeWeights(weights)
        }

        func value(at uniform: Double) -> Double { values[cumulative.index(at: uniform)] }
    }
}

/// Relative weights, ready for drawing an index by inversion.
///
/// Inversion and not an alias table: where one weight changes a little, few draws change with it.
package struct CumulativeWeights: Equatable, Sendable {
    private let sums: [Double]
    private let last: Int

    /// - Precondition: no weight is negative and not all are 0.
    package init(_ weights: [Double]) {
        var sum = 0.0
        sums = weights.map { weight in
            precondition(weight >= 0, "a weight of \(weight)")
            sum += weight
            return sum
        }
        precondition(sum > 0, "all weights are 0")
        last = weights.lastIndex { $0 > 0 } ?? 0
    }

    /// The index whose share of [0, 1) holds `uniform`.
    ///
    /// - Complexity: O(log *n*)
    package func index(at uniform: Double) -> Int {
        let target = uniform * sums[last]
        var low = 0
        var high = last
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > target { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
