import Platform

extension Distribution {
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

    /// By inversion of the survival function.
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

extension Distribution.Empirical {
    /// Draws among the values from `least` on; gives `least` if there is none.
    fileprivate func value(atLeast least: Double, using random: inout some RandomNumberGenerator) -> Double {
        let remaining = zip(values, weights).map { value, weight in value >= least ? weight : 0 }
        guard remaining.contains(where: { $0 > 0 }) else { return least }
        return values[CumulativeWeights(remaining).index(at: random.uniform())]
    }
}
