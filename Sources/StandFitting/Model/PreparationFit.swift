import JuiceStand
import Platform

/// Compares laws of the preparation time, from the start to the end of a till's line.
package struct PreparationFit: Sendable {
    package struct Candidate: Sendable {
        package var law: Distribution
        /// Akaike's information criterion: the smaller, the better.
        package var criterion: Double
        /// The p-value of ``distance``, from a parametric bootstrap.
        package var p: Double
        /// Kolmogorov and Smirnov's distance, times the root of the number of times.
        package var distance: Double

        package var name: String { law.parameters.family }
    }

    /// The laws from the best to the worst, by their criterion.
    package private(set) var candidates: [Candidate] = []
    /// The number of preparation times that the tests look at.
    package let n: Int

    static let samples = 99
    private static let most = 2000
    private static let fewest = 20

    /// Returns nil if there are too few times, or if all are equal.
    init?(_ durations: [Double]) {
        let values = durations.filter { $0 > 0 }
        guard values.count >= Self.fewest, let least = values.min(), let greatest = values.max(), greatest > least
        else {
            return nil
        }
        // Evenly spaced lines of a long till.
        let stride = max(1, values.count / Self.most)
        let chosen = (0..<min(values.count, Self.most)).map { values[$0 * stride] }
        n = chosen.count
        var streams = RandomStreams(seed: 1)
        var random = streams.stream(named: "preparation")
        for family in Family.allCases {
            let fit = family.fit(values)
            let fitOfChosen = family.fit(chosen)
            let distance = fitOfChosen.distance(chosen.sorted())
            var above = 0
            for _ in 0..<Self.samples {
                let drawn = (0..<chosen.count).map { _ in fitOfChosen.law.sample(using: &random) }.sorted()
                if family.fit(drawn).distance(drawn) >= distance { above += 1 }
            }
            candidates.append(
                Candidate(
                    law: fit.law, criterion: 2 * Double(fit.law.parameters.values.count) - 2 * fit.logLikelihood,
                    p: Double(above + 1) / Double(Self.samples + 1), distance: distance))
        }
        candidates.sort { $0.criterion < $1.criterion }
    }
}

/// The families of laws that are compared: those of positive times with a density.
private enum Family: CaseIterable {
    case exponential, gamma, lognormal, weibull, uniform

    struct Fit {
        var law: Distribution
        var logLikelihood: Double
        var cumulative: (Double) -> Double

        /// The greatest distance between the law and the sorted values, times the root of their number.
        func distance(_ sorted: [Double]) -> Double {
            let n = Double(sorted.count)
            var most = 0.0
            for (index, value) in sorted.enumerated() {
                let p = cumulative(value)
                most = max(most, p - Double(index) / n, Double(index + 1) / n - p)
            }
            return most * n.squareRoot()
        }
    }

    /// The law of the family that has the greatest likelihood.
    func fit(_ values: [Double]) -> Fit {
        let n = Double(values.count)
        let mean = values.reduce(0, +) / n
        let logs = values.map { log(max($0, 1e-12)) }
        let meanLog = logs.reduce(0, +) / n
        switch self {
        case .exponential:
            return Fit(law: .exponential(mean: mean), logLikelihood: -n * (log(mean) + 1)) { -expm1(-$0 / mean) }
        case .gamma:
            let shape = Self.gammaShape(log(mean) - meanLog)
            let logLikelihood =
                n * ((shape - 1) * meanLog - shape - shape * log(mean / shape) - lgamma(shape))
            return Fit(law: .gamma(shape: shape, mean: mean), logLikelihood: logLikelihood) {
                GammaFunction.lower(shape, $0 * shape / mean)
            }
        case .lognormal:
            let variance = max(logs.reduce(0) { $0 + ($1 - meanLog) * ($1 - meanLog) } / n, 1e-12)
            let average = exp(meanLog + variance / 2)
            let logLikelihood = -n * (meanLog + 0.5 + 0.5 * log(2 * Double.pi * variance))
            return Fit(
                law: .lognormal(mean: average, deviation: average * expm1(variance).squareRoot()),
                logLikelihood: logLikelihood
            ) { 1 - Normal.tail((log(max($0, 1e-300)) - meanLog) / variance.squareRoot()) }
        case .weibull: return Self.weibull(values, logs, meanLog)
        case .uniform:
            let from = values.min() ?? 0
            let to = values.max() ?? 1
            return Fit(law: .uniform(from: from, to: to), logLikelihood: -n * log(max(to - from, 1e-300))) {
                min(1, max(0, ($0 - from) / max(to - from, 1e-300)))
            }
        }
    }

    /// Solves log k − ψ(k) = `gap` by bisection: the left side falls from infinity to 0.
    private static func gammaShape(_ gap: Double) -> Double {
        exp(bisection(log(1e-3)...log(1e6), steps: 50) { $0 - GammaFunction.digamma(exp($0)) > gap })
    }

    private static func weibull(_ values: [Double], _ logs: [Double], _ meanLog: Double) -> Fit {
        // The derivative of the log-likelihood by the shape decreases, so its zero is the maximum.
        let top = logs.max() ?? 0
        func slope(_ shape: Double) -> Double {
            var sum = 0.0
            var weighted = 0.0
            for value in logs {
                let power = exp(shape * (value - top))
                sum += power
                weighted += power * value
            }
            return 1 / shape + meanLog - weighted / sum
        }
        let shape = exp(bisection(log(1e-2)...log(1e3), steps: 50) { slope(exp($0)) > 0 })
        let n = Double(values.count)
        let scale = exp(top + log(logs.reduce(0) { $0 + exp(shape * ($1 - top)) } / n) / shape)
        return Fit(
            law: .weibull(shape: shape, scale: scale),
            logLikelihood: n * (log(shape) - shape * log(scale) + (shape - 1) * meanLog - 1)
        ) { -expm1(-pow($0 / scale, shape)) }
    }
}
