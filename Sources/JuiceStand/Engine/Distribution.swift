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
}

// MARK: - Families

extension Distribution {
    /// The values that a parameter may have.
    package enum ParameterValues: Sendable {
        /// A number in the unit of the distribution, seconds or plain, of at least this.
        case amount(from: Double)
        case number(ClosedRange<Double>)
        /// A number above 0 and in this range.
        case positive(ClosedRange<Double>)
        case whole(ClosedRange<Int>)
    }

    package struct Parameter: Sendable {
        package let name: String
        package let values: ParameterValues
        /// One sentence.
        package let about: String
    }

    /// Distributions that differ in their parameters only. The configuration, its schema and its guide are made of the
    /// families.
    package struct Family: Sendable {
        /// The key in a configuration.
        package let name: String
        package let parameters: [Parameter]
        /// Whether no parameter may be below the one before it.
        package let isInOrder: Bool
        /// One sentence.
        package let about: String
        /// How ``Distribution/sample(atLeast:using:)`` draws.
        package let residual: String
        /// A member of the family, by its parameters.
        package let make: @Sendable ([Double]) -> Distribution

        init(
            _ name: String, _ parameters: [Parameter], isInOrder: Bool = false, _ about: String, residual: String,
            make: @escaping @Sendable ([Double]) -> Distribution
        ) {
            self.name = name
            self.parameters = parameters
            self.isInOrder = isInOrder
            self.about = about
            self.residual = residual
            self.make = make
        }
    }

    /// All families but the constant one and ``empirical(_:)``.
    package static let families: [Family] = {
        let mean = Parameter(name: "mean", values: .amount(from: 1e-9), about: "The mean.")
        let meanFromZero = Parameter(name: "mean", values: .amount(from: 0), about: "The mean.")
        let deviation = Parameter(name: "deviation", values: .amount(from: 0), about: "The standard deviation.")
        let shape = Parameter(name: "shape", values: .positive(1e-3...1e9), about: "The shape.")
        let scale = Parameter(name: "scale", values: .amount(from: 1e-9), about: "The scale.")
        let stages = Parameter(name: "stages", values: .whole(1...1_000_000), about: "The number of stages.")
        let from = Parameter(name: "from", values: .amount(from: 0), about: "The smallest value.")
        let mode = Parameter(name: "mode", values: .amount(from: 0), about: "The most likely value.")
        let to = Parameter(name: "to", values: .amount(from: 0), about: "The largest value.")
        let count = Parameter(name: "mean", values: .number(0...1e9), about: "The mean.")
        let trials = Parameter(name: "mean", values: .number(1...1e9), about: "The mean.")
        return [
            Family("exponential", [mean], "Exponential.", residual: "no memory") { .exponential(mean: $0[0]) },
            Family("uniform", [from, to], isInOrder: true, "Uniform, between two bounds.", residual: "inversion") {
                .uniform(from: $0[0], to: $0[1])
            },
            Family("triangular", [from, mode, to], isInOrder: true, "Triangular.", residual: "inversion") {
                .triangular(from: $0[0], mode: $0[1], to: $0[2])
            },
            Family(
                "normal", [meanFromZero, deviation], "Normal; negative values are drawn again.",
                residual: "drawn again until late enough, or rejection in the tail (Marsaglia)"
            ) {
                .normal(mean: $0[0], deviation: $0[1])
            },
            Family(
                "lognormal", [mean, deviation],
                "Lognormal, by the mean and deviation of the variable, not of its logarithm.",
                residual: "as normal"
            ) {
                .lognormal(mean: $0[0], deviation: $0[1])
            },
            Family(
                "gamma", [shape, mean], "Gamma.",
                residual: "drawn again until late enough, or rejection in the tail (Dagpunar)"
            ) {
                .gamma(shape: $0[0], mean: $0[1])
            },
            Family(
                "erlang", [stages, mean], "Erlang: the sum of as many exponential times as it has stages.",
                residual: "as gamma"
            ) {
                .erlang(stages: Int($0[0]), mean: $0[1])
            },
            Family(
                "weibull", [shape, scale], "Weibull.", residual: "inversion: a power of an exponential variable"
            ) {
                .weibull(shape: $0[0], scale: $0[1])
            },
            Family(
                "poisson", [count], "Poisson, on 0, 1, 2, …",
                residual: "drawn again until large enough, or inversion in the tail"
            ) {
                .poisson(mean: $0[0])
            },
            Family("geometric", [trials], "Geometric, on 1, 2, 3, …; its mean is at least 1.", residual: "no memory") {
                .geometric(mean: $0[0])
            },
        ]
    }()

    /// The name of the family, and the parameters in its order; none for ``empirical(_:)``.
    package var parameters: (family: String, values: [Double]) {
        switch self {
        case .constant(let value): ("constant", [value])
        case .exponential(let mean): ("exponential", [mean])
        case .uniform(let from, let to): ("uniform", [from, to])
        case .triangular(let from, let mode, let to): ("triangular", [from, mode, to])
        case .normal(let mean, let deviation): ("normal", [mean, deviation])
        case .lognormal(let mean, let deviation): ("lognormal", [mean, deviation])
        case .gamma(let shape, let mean): ("gamma", [shape, mean])
        case .erlang(let stages, let mean): ("erlang", [Double(stages), mean])
        case .weibull(let shape, let scale): ("weibull", [shape, scale])
        case .poisson(let mean): ("poisson", [mean])
        case .geometric(let mean): ("geometric", [mean])
        case .empirical: ("empirical", [])
        }
    }
}

// MARK: - Moments

extension Distribution {
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
