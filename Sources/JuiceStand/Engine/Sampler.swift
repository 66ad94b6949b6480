import Platform

/// A distribution prepared for drawing: everything that is the same for all draws is computed once.
///
/// It consists of plain numbers, so that copying it counts no references. The owner of a sampler of an empirical
/// distribution must keep the distribution; see ``EmpiricalValues``.
struct Sampler: BitwiseCopyable, Sendable {
    private enum Method: UInt8 {
        case constant, exponential, uniform, triangular, normal, lognormal, gamma, weibull, poisson, geometric
        case empirical
    }

    private let method: Method
    // Each method gives them their meaning.
    private let a: Double
    private let b: Double
    private let c: Double
    private let ziggurat: Ziggurat
    private let values: EmpiricalValues?

    private init(
        _ method: Method, _ a: Double, _ b: Double = 0, _ c: Double = 0,
        values: EmpiricalValues? = nil
    ) {
        self.method = method
        self.a = a
        self.b = b
        self.c = c
        self.values = values
        ziggurat =
            switch method {
            case .normal, .lognormal, .gamma: .normal
            default: .exponential
            }
    }

    init(_ law: Distribution) {
        self =
            switch law {
            case .constant(let value): Self(.constant, value)
            case .exponential(let mean): Self(.exponential, mean)
            case .uniform(let from, let to): Self(.uniform, from, to - from)
            case .triangular(let from, let mode, let to): Self(.triangular, from, mode, to)
            case .normal(let mean, let deviation): Self(.normal, mean, deviation)
            case .lognormal(let mean, let deviation): .lognormal(mean, deviation)
            case .gamma(let shape, let mean): Self(.gamma, shape, mean / shape)
            case .erlang(let stages, let mean): Self(.gamma, Double(stages), mean / Double(stages))
            case .weibull(let shape, let scale): Self(.weibull, 1 / shape, scale)
            case .poisson(let mean): Self(.poisson, mean)
            case .geometric(let mean): Self(.geometric, mean > 1 ? -log1p(-1 / mean) : .infinity)
            case .empirical(let law): Self(.empirical, 0, values: EmpiricalValues(of: law))
            }
    }

    /// exp of a normal variable with the variance v = log(1 + deviation²/mean²) and the mean log(mean) − v/2.
    private static func lognormal(_ mean: Double, _ deviation: Double) -> Sampler {
        let variance = log(1 + deviation * deviation / (mean * mean))
        return Sampler(.lognormal, mean, variance.squareRoot(), variance / 2)
    }

    /// Whether every draw is the same.
    @inline(__always)
    var isConstant: Bool { method == .constant }
}

// MARK: - Drawing

extension Sampler {
    /// Draws once.
    ///
    /// - Complexity: O(1) on average; O(log *n*) for an empirical distribution of *n* values.
    @inline(__always)
    func sample(using random: inout some RandomNumberGenerator) -> Double {
        switch method {
        case .constant: a
        case .exponential: a * ziggurat.draw(using: &random)
        default: Self.other(method, a, b, c, ziggurat, values, &random)
        }
    }

    // The parts are separate arguments: passing `self` would copy it for every draw.
    private static func other(
        _ method: Method, _ a: Double, _ b: Double, _ c: Double, _ ziggurat: Ziggurat, _ values: EmpiricalValues?,
        _ random: inout some RandomNumberGenerator
    ) -> Double {
        switch method {
        case .constant: a
        case .exponential: a * ziggurat.draw(using: &random)
        case .uniform: a + b * random.uniform()
        case .triangular: triangular(a, b, c, &random)
        case .normal: truncatedNormal(a, b, ziggurat, &random)
        case .lognormal: a * exp(b * ziggurat.signedDraw(using: &random) - c)
        case .gamma: b * gamma(a, ziggurat, &random)
        case .weibull: b * pow(ziggurat.draw(using: &random), a)
        case .poisson: poisson(a, &random)
        // The integer part of an exponential variable, plus 1. For the success probability p its rate is −log(1 − p).
        case .geometric: 1 + (ziggurat.draw(using: &random) / a).rounded(.down)
        case .empirical: values!.value(at: random.uniform())
        }
    }

    /// Draws by inversion.
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
        _ mean: Double, _ deviation: Double, _ ziggurat: Ziggurat, _ random: inout some RandomNumberGenerator
    ) -> Double {
        while true {
            let draw = mean + deviation * ziggurat.signedDraw(using: &random)
            if draw >= 0 { return draw }
        }
    }

    /// A gamma variable of unit scale. Source: Marsaglia and Tsang, "A simple method for generating gamma variables",
    /// ACM TOMS 26 (2000). Below shape 1 it uses their multiplication by the power of a uniform variable.
    private static func gamma(
        _ shape: Double, _ ziggurat: Ziggurat, _ random: inout some RandomNumberGenerator
    ) -> Double {
        guard shape >= 1 else { return gamma(shape + 1, ziggurat, &random) * pow(random.positiveUniform(), 1 / shape) }
        let d = shape - 1 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = ziggurat.signedDraw(using: &random)
            let root = 1 + c * x
            guard root > 0 else { continue }
            let v = root * root * root
            let u = random.positiveUniform()
            // Their squeeze accepts most draws without a logarithm.
            if u < 1 - 0.0331 * x * x * x * x { return d * v }
            if log(u) < 0.5 * x * x + d - d * v + d * log(v) { return d * v }
        }
    }

    /// Below a mean of 10, counts exponential gaps. From there, uses transformed rejection (PTRS). Source: Hörmann,
    /// "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and Economics
    /// 12 (1993).
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
}

/// The values of an empirical distribution, for a sampler.
///
/// The reference is unowned, so that samplers remain plain. This is safe because a sampler never leaves this module and
/// always has its distribution beside it: in a ``Stand`` in the settings, in a single draw as an argument.
@safe
private struct EmpiricalValues: BitwiseCopyable, Sendable {
    private let draw: Unmanaged<Distribution.Empirical.Draw>

    init(of law: Distribution.Empirical) { unsafe draw = .passUnretained(law.draw) }

    func value(at uniform: Double) -> Double { unsafe draw._withUnsafeGuaranteedRef { $0.value(at: uniform) } }
}

// MARK: - Drawing from a distribution

extension Distribution {
    /// Draws once. For many draws, keep a `Sampler`.
    ///
    /// - Complexity: O(1) on average; O(log *n*) for an empirical distribution of *n* values.
    package func sample(using random: inout some RandomNumberGenerator) -> Double {
        defer { withExtendedLifetime(self) {} }
        return Sampler(self).sample(using: &random)
    }

    /// Draws a quantity that is known to be at least `age`: the time that something takes, of which `age` has passed.
    ///
    /// Every draw has the law conditioned on that, without approximation; <doc:Configuration> says how for each law.
    /// Once the law allows nothing beyond `age`, the draw is `age`.
    ///
    /// - Complexity: O(1) on average; O(*n*) for an empirical distribution of *n* values; in the tail of a Poisson
    ///   distribution O(√*m*) for the mean *m*.
    package func sample(atLeast age: Double, using random: inout some RandomNumberGenerator) -> Double {
        guard age > 0 else { return sample(using: &random) }
        let draw =
            switch self {
            case .constant(let value): value
            case .exponential: age + sample(using: &random)
            case .geometric: max(1, age.rounded(.up)) - 1 + sample(using: &random)
            case .uniform(let from, let to):
                age > from ? age + (to - age) * random.uniform() : sample(using: &random)
            case .triangular(let from, let mode, let to):
                age > from ? Self.triangular(from, mode, to, beyond: age, &random) : sample(using: &random)
            case .normal(let mean, let deviation):
                deviation > 0 ? mean + deviation * Self.normal(beyond: (age - mean) / deviation, &random) : mean
            case .lognormal(let mean, let deviation):
                Self.lognormal(mean, deviation, beyond: age, &random)
            case .gamma(let shape, let mean):
                Self.gamma(shape, beyond: age * shape / mean, &random) * mean / shape
            case .erlang(let stages, let mean):
                Self.gamma(Double(stages), beyond: age * Double(stages) / mean, &random) * mean / Double(stages)
            case .weibull(let shape, let scale):
                scale * pow(pow(age / scale, shape) + Ziggurat.exponential.draw(using: &random), 1 / shape)
            case .poisson(let mean): Self.poisson(mean, atLeast: age.rounded(.up), &random)
            case .empirical(let law): law.value(atLeast: age, using: &random)
            }
        // Rounding can give a little less, and a law that ends before has nothing else to give.
        return max(age, draw)
    }

    /// Draws by inversion of the survival function.
    private static func triangular(
        _ from: Double, _ mode: Double, _ to: Double, beyond age: Double, _ random: inout some RandomNumberGenerator
    ) -> Double {
        guard to > from, age < to else { return age }
        let u = random.positiveUniform()
        if age >= mode { return to - (to - age) * u.squareRoot() }
        let survival = u * (1 - (age - from) * (age - from) / ((to - from) * (mode - from)))
        return survival > (to - mode) / (to - from)
            ? from + ((1 - survival) * (to - from) * (mode - from)).squareRoot()
            : to - (survival * (to - from) * (to - mode)).squareRoot()
    }

    /// A standard normal variable above `start`. The tail is that of Marsaglia, "Generating a variable from the tail of
    /// the normal distribution", Technometrics 6 (1964).
    private static func normal(beyond start: Double, _ random: inout some RandomNumberGenerator) -> Double {
        let farEnough = 0.5
        while start < farEnough {
            let draw = Ziggurat.normal.signedDraw(using: &random)
            if draw >= start { return draw }
        }
        while true {
            let beyond = Ziggurat.exponential.draw(using: &random) / start
            if 2 * Ziggurat.exponential.draw(using: &random) >= beyond * beyond { return start + beyond }
        }
    }

    private static func lognormal(
        _ mean: Double, _ deviation: Double, beyond age: Double, _ random: inout some RandomNumberGenerator
    ) -> Double {
        let variance = log(1 + deviation * deviation / (mean * mean))
        guard variance > 0 else { return mean }
        let root = variance.squareRoot()
        let location = log(mean) - variance / 2
        return exp(location + root * normal(beyond: (log(age) - location) / root, &random))
    }

    /// A gamma variable of unit scale above `start`.
    ///
    /// Below the mean, draws again. Above it, rejects from a shifted exponential distribution, whose rate gives the
    /// highest acceptance for shapes from 1. Source: Dagpunar, "Sampling of variates from a truncated gamma
    /// distribution", Journal of Statistical Computation and Simulation 8 (1978).
    private static func gamma(
        _ shape: Double, beyond start: Double, _ random: inout some RandomNumberGenerator
    ) -> Double {
        let law = Distribution.gamma(shape: shape, mean: shape)
        while start <= shape {
            let draw = law.sample(using: &random)
            if draw >= start { return draw }
        }
        let excess = start - shape
        // The density is highest relative to the exponential one at `peak`.
        let rate = shape > 1 ? (excess + (excess * excess + 4 * start).squareRoot()) / (2 * start) : 1
        let peak = shape > 1 ? start + 1 / rate : start
        while true {
            let draw = start + Ziggurat.exponential.draw(using: &random) / rate
            let logAcceptance = (shape - 1) * log(draw / peak) - (1 - rate) * (draw - peak)
            if log(random.positiveUniform()) <= logAcceptance { return draw }
        }
    }

    private static func poisson(
        _ mean: Double, atLeast least: Double, _ random: inout some RandomNumberGenerator
    ) -> Double {
        guard mean > 0 else { return least }
        let law = Distribution.poisson(mean: mean)
        while least <= mean {
            let draw = law.sample(using: &random)
            if draw >= least { return draw }
        }
        // Weights relative to that of the least value. They fall, so the sum is complete when one no longer counts.
        var weights = [1.0]
        var sum = 1.0
        while weights[weights.count - 1] > sum * 0x1p-60 {
            weights.append(weights[weights.count - 1] * mean / (least + Double(weights.count)))
            sum += weights[weights.count - 1]
        }
        return least + Double(CumulativeWeights(weights).index(at: random.uniform()))
    }
}
