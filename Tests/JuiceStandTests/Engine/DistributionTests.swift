import Foundation
import JuiceStand
import TestSupport
import Testing

/// A law and what the textbooks say of it.
private struct KnownLaw: CustomTestStringConvertible, Sendable {
    let law: Distribution
    let mean: Double
    let variance: Double
    var cdf: (@Sendable (Double) -> Double)?
    /// The probability of a whole number; for a law on whole numbers.
    var probability: (@Sendable (Double) -> Double)?

    var testDescription: String { "\(law)" }
}

/// The distribution function of the standard normal law.
private func phi(_ x: Double) -> Double { erfc(-x / 2.0.squareRoot()) / 2 }

private func constant(_ value: Double) -> KnownLaw {
    KnownLaw(law: .constant(value), mean: value, variance: 0)
}

private func exponential(_ mean: Double) -> KnownLaw {
    KnownLaw(law: .exponential(mean: mean), mean: mean, variance: mean * mean, cdf: { 1 - exp(-$0 / mean) })
}

private func uniform(_ a: Double, _ b: Double) -> KnownLaw {
    KnownLaw(
        law: .uniform(from: a, to: b), mean: (a + b) / 2, variance: (b - a) * (b - a) / 12, cdf: { ($0 - a) / (b - a) })
}

private func triangular(_ a: Double, _ c: Double, _ b: Double) -> KnownLaw {
    KnownLaw(
        law: .triangular(from: a, mode: c, to: b), mean: (a + b + c) / 3,
        variance: (a * a + b * b + c * c - a * b - a * c - b * c) / 18,
        cdf: { x in
            if x < c { return (x - a) * (x - a) / ((b - a) * (c - a)) }
            return b > c ? 1 - (b - x) * (b - x) / ((b - a) * (b - c)) : 1
        })
}

/// Truncated at 0. Source: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, section 13.10.1.
private func normal(_ mean: Double, _ deviation: Double) -> KnownLaw {
    let alpha = -mean / deviation
    let lambda = exp(-alpha * alpha / 2) / (2 * Double.pi).squareRoot() / (1 - phi(alpha))
    return KnownLaw(
        law: .normal(mean: mean, deviation: deviation), mean: mean + deviation * lambda,
        variance: deviation * deviation * (1 + alpha * lambda - lambda * lambda),
        cdf: { (phi(($0 - mean) / deviation) - phi(alpha)) / (1 - phi(alpha)) })
}

private func lognormal(_ mean: Double, _ deviation: Double) -> KnownLaw {
    let variance = log(1 + deviation * deviation / (mean * mean))
    let location = log(mean) - variance / 2
    return KnownLaw(
        law: .lognormal(mean: mean, deviation: deviation), mean: mean, variance: deviation * deviation,
        cdf: { phi((log($0) - location) / variance.squareRoot()) })
}

/// With the closed form of the distribution function where there is one: shape ½ and 1½.
private func gamma(_ shape: Double, _ mean: Double) -> KnownLaw {
    var known = KnownLaw(law: .gamma(shape: shape, mean: mean), mean: mean, variance: mean * mean / shape)
    let scale = mean / shape
    if shape == 0.5 { known.cdf = { erf(($0 / scale).squareRoot()) } }
    if shape == 1.5 {
        known.cdf = { erf(($0 / scale).squareRoot()) - 2 * ($0 / scale / .pi).squareRoot() * exp(-$0 / scale) }
    }
    return known
}

private func erlang(_ stages: Int, _ mean: Double) -> KnownLaw {
    KnownLaw(
        law: .erlang(stages: stages, mean: mean), mean: mean, variance: mean * mean / Double(stages),
        cdf: { x in
            let scaled = x * Double(stages) / mean
            var term = 1.0
            var sum = 1.0
            for stage in 1..<max(stages, 1) {
                term *= scaled / Double(stage)
                sum += term
            }
            return 1 - exp(-scaled) * sum
        })
}

private func weibull(_ shape: Double, _ scale: Double) -> KnownLaw {
    let mean = scale * tgamma(1 + 1 / shape)
    return KnownLaw(
        law: .weibull(shape: shape, scale: scale), mean: mean,
        variance: scale * scale * tgamma(1 + 2 / shape) - mean * mean, cdf: { 1 - exp(-pow($0 / scale, shape)) })
}

private func poisson(_ mean: Double) -> KnownLaw {
    KnownLaw(
        law: .poisson(mean: mean), mean: mean, variance: mean,
        probability: { $0 < 0 ? 0 : exp($0 * log(mean) - mean - lgamma($0 + 1)) })
}

private func geometric(_ mean: Double) -> KnownLaw {
    let p = 1 / mean
    return KnownLaw(
        law: .geometric(mean: mean), mean: mean, variance: (1 - p) / (p * p),
        probability: { $0 < 1 ? 0 : p * pow(1 - p, $0 - 1) })
}

private func empirical(_ values: [Double], _ weights: [Double]) -> KnownLaw {
    let total = weights.reduce(0, +)
    func average(_ f: (Double) -> Double) -> Double { zip(values, weights).reduce(0) { $0 + f($1.0) * $1.1 } / total }
    let mean = average { $0 }
    return KnownLaw(
        law: .empirical(.init(values: values, weights: weights)), mean: mean,
        variance: average { ($0 - mean) * ($0 - mean) },
        probability: { x in zip(values, weights).reduce(0) { $0 + ($1.0 == x ? $1.1 : 0) } / total })
}

private let laws = [
    constant(30), constant(0), exponential(25), uniform(20, 40), uniform(0, 1),
    triangular(2, 5, 11), triangular(0, 0, 4), triangular(1, 3, 3), normal(30, 5), normal(1, 2), normal(0, 3),
    lognormal(60, 30), lognormal(2, 2), gamma(0.5, 8), gamma(1.5, 8), gamma(40, 3), gamma(0.1, 2), erlang(1, 5),
    erlang(3, 45), erlang(20, 10), weibull(0.8, 10), weibull(3, 10), poisson(0.3), poisson(4.5),
    poisson(9.99), poisson(10), poisson(400), geometric(1.25), geometric(2), geometric(40),
    empirical([1, 2, 3], [70, 25, 5]), empirical([0, 4, 4, 9, 1], [1, 2, 3, 0, 0.5]),
]

/// Enough draws for a wrong constant to show.
private let count = Study.size(6000, full: 300_000)
private let seed: UInt64 = 20_260_504

private func draws(of law: Distribution) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in law.sample(using: &random) }
}

@Test(arguments: laws)
private func `every law tells its mean`(known: KnownLaw) {
    #expect(abs(known.law.mean - known.mean) <= 1e-9 * max(1, known.mean))
}

@Test(arguments: laws)
private func `draws follow their distribution`(known: KnownLaw) {
    let sample = draws(of: known.law)
    #expect(sample.allSatisfy { $0 >= 0 && $0.isFinite })
    let n = Double(count)
    let mean = sample.reduce(0, +) / n
    // Five standard errors: the variance's own from the fourth moment of the sample.
    let meanBound = 5 * (known.variance / n).squareRoot()
    #expect(abs(mean - known.mean) <= meanBound + known.mean * 1e-12, "seed \(seed): a mean of \(mean)")
    let squares = sample.map { ($0 - known.mean) * ($0 - known.mean) }
    let second = squares.reduce(0, +) / n
    let fourth = squares.reduce(0) { $0 + $1 * $1 } / n
    let varianceBound = 5 * (max(0, fourth - second * second) / n).squareRoot()
    #expect(abs(second - known.variance) <= varianceBound + 1e-12, "seed \(seed): a variance of \(second)")
    if let cdf = known.cdf { checkByKolmogorovSmirnov(sample, cdf) }
    if let probability = known.probability { checkByChiSquare(sample, probability) }
}

private func checkByKolmogorovSmirnov(_ sample: [Double], _ cdf: (Double) -> Double) {
    let distance = kolmogorovSmirnov(sample, cdf)
    #expect(distance < farForKolmogorovSmirnov, "seed \(seed): a distance of \(distance)")
}

/// One of 8,000 correct samples has a greater ``kolmogorovSmirnov(_:_:)``.
let farForKolmogorovSmirnov = 2.2

/// The greatest distance between the distribution functions of `sample` and of its law, times √n.
func kolmogorovSmirnov(_ sample: [Double], _ cdf: (Double) -> Double) -> Double {
    let sorted = sample.sorted()
    let n = Double(sorted.count)
    var distance = 0.0
    for (index, value) in sorted.enumerated() {
        let expected = cdf(value)
        distance = max(distance, abs(Double(index + 1) / n - expected), abs(expected - Double(index) / n))
    }
    return distance * n.squareRoot()
}

/// Cells of at least ten expected draws each, the rest in one; five deviations of χ² above its mean.
private func checkByChiSquare(_ sample: [Double], _ probability: (Double) -> Double) {
    var counts: [Double: Int] = [:]
    for value in sample { counts[value, default: 0] += 1 }
    let n = Double(sample.count)
    for value in counts.keys { #expect(probability(value) > 0, "seed \(seed): \(value) cannot be drawn") }
    var square = 0.0
    var cells = 0.0
    var restExpected = n
    var restFound = n
    for value in 0...Int(sample.max() ?? 0) {
        let expected = n * probability(Double(value))
        guard expected >= 10 else { continue }
        let found = Double(counts[Double(value)] ?? 0)
        square += (found - expected) * (found - expected) / expected
        cells += 1
        restExpected -= expected
        restFound -= found
    }
    if restExpected >= 10 { square += (restFound - restExpected) * (restFound - restExpected) / restExpected }
    #expect(square < cells + 5 * (2 * cells).squareRoot(), "seed \(seed): χ² of \(square) in \(cells) cells")
    #expect(restFound <= restExpected + 5 * max(1, restExpected).squareRoot(), "seed \(seed): \(restFound) in the tail")
}

@Test func `the draws of every law are checked`() {
    func names(_ laws: [Distribution]) -> Set<String> { Set(laws.map { String("\($0)".prefix { $0 != "(" }) }) }
    var random = SplitMix64(seed: seed)
    let all = Set(DistributionTable.rows.map(\.name))
    let known = laws.filter { known in
        if case .constant = known.law { return true }
        return (known.cdf ?? gammaCDF(known.law)) != nil || known.probability != nil
    }
    #expect(all.subtracting(names(known.map(\.law))) == [], "not compared with its distribution")
    #expect(all.subtracting(names(randomLaws(using: &random))) == [], "not drawn with random parameters")
}

// MARK: - Given an age

/// Three ages for each law: those that 70%, 10% and 0.1% of its draws exceed.
@Test(arguments: laws, [0.3, 0.9, 0.999])
private func `draws of at least an age follow the conditional law`(known: KnownLaw, share: Double) {
    let all = draws(of: known.law)
    let age = all.sorted()[Int(share * Double(count))]
    var random = SplitMix64(seed: seed)
    let sample = (0..<count / 3).map { _ in known.law.sample(atLeast: age, using: &random) }
    #expect(sample.allSatisfy { $0 >= age && $0.isFinite }, "seed \(seed)")
    if let cdf = known.cdf ?? gammaCDF(known.law) {
        let passed = cdf(age)
        let conditional = { (x: Double) in passed < 1 ? (cdf(x) - passed) / (1 - passed) : 1 }
        if known.law != .constant(0) { checkByKolmogorovSmirnov(sample, conditional) }
        // The check has power: draws that ignore the age fail it.
        let ignoring = kolmogorovSmirnov(all, conditional)
        #expect(passed < 0.01 || ignoring > farForKolmogorovSmirnov, "seed \(seed): \(ignoring)")
    }
    if let probability = known.probability {
        let rest = 1 - (0..<Int(age)).reduce(0) { $0 + probability(Double($1)) }
        checkByChiSquare(sample) { $0 >= age ? probability($0) / rest : 0 }
    }
    if case .constant(let value) = known.law { #expect(sample.allSatisfy { $0 == value }) }
}

@Test func `what has outlasted its law ends now`() {
    var random = SplitMix64(seed: seed)
    let laws: [Distribution] = [
        .constant(7), .uniform(from: 3, to: 9), .triangular(from: 4, mode: 4, to: 5), .normal(mean: 5, deviation: 0),
        .lognormal(mean: 6, deviation: 0), .empirical(.init(values: [2, 8], weights: [1, 0])),
    ]
    for law in laws { #expect(law.sample(atLeast: 20, using: &random) == 20, "\(law)") }
}

@Test func `a draw in the far tail ends soon`() {
    // Redrawing until such a value comes would take for ever.
    for seed: UInt64 in 0..<40 {
        var random = SplitMix64(seed: seed)
        for law in randomLaws(using: &random) {
            for factor in [1.5, 4, 20, 1000] {
                let age = law.size * factor
                let draw = law.sample(atLeast: age, using: &random)
                #expect(draw >= age && !draw.isNaN, "seed \(seed): \(law) gave \(draw) at \(age)")
            }
        }
    }
}

/// The distribution function of a gamma law for any shape; nil for other laws.
private func gammaCDF(_ law: Distribution) -> ((Double) -> Double)? {
    guard case .gamma(let shape, let mean) = law else { return nil }
    return { x in
        // The series of the incomplete gamma function: Abramowitz and Stegun, 6.5.29.
        let y = x * shape / mean
        var term = 1 / shape
        var sum = term
        var n = shape
        while term > sum * 1e-17 {
            n += 1
            term *= y / n
            sum += term
        }
        return y > 0 ? sum * exp(shape * log(y) - y - lgamma(shape)) : 0
    }
}

// MARK: - Bounds

/// A law of every kind with random parameters that a configuration may hold.
private func randomLaws(using random: inout SplitMix64) -> [Distribution] {
    func positive(_ random: inout SplitMix64) -> Double { pow(10, random.uniform() * 8 - 4) }
    let ends = (0..<3).map { _ in positive(&random) }.sorted()
    let mean = positive(&random)
    return [
        .constant(mean), .exponential(mean: mean), .uniform(from: ends[0], to: ends[2]), .uniform(from: 0, to: 0),
        .triangular(from: ends[0], mode: ends[1], to: ends[2]), .triangular(from: 2, mode: 2, to: 2),
        .normal(mean: mean, deviation: positive(&random)), .normal(mean: 0, deviation: positive(&random)),
        .normal(mean: mean, deviation: 0), .lognormal(mean: mean, deviation: positive(&random)),
        .lognormal(mean: mean, deviation: 0), .gamma(shape: 0.05 + positive(&random), mean: mean),
        .erlang(stages: Int(1 + random.uniform() * 50), mean: mean),
        .weibull(shape: 0.2 + positive(&random), scale: mean),
        .poisson(mean: 0), .poisson(mean: min(mean, 9)), .poisson(mean: 10 + mean), .geometric(mean: 1),
        .geometric(mean: 1 + mean), .empirical(.init(values: ends, weights: [0, 1, 3])),
    ]
}

@Test func `draws are not negative and discrete ones are whole`() {
    for seed: UInt64 in 0..<40 {
        var random = SplitMix64(seed: seed)
        for law in randomLaws(using: &random) {
            for _ in 0..<25 {
                let draw = law.sample(using: &random)
                #expect(draw >= 0 && !draw.isNaN, "seed \(seed): \(law) gave \(draw)")
                switch law {
                case .poisson: #expect(draw == draw.rounded(), "seed \(seed): \(law) gave \(draw)")
                case .geometric: #expect(draw == draw.rounded() && draw >= 1, "seed \(seed): \(law) gave \(draw)")
                case .uniform(let from, let to), .triangular(let from, _, let to):
                    #expect((from...to).contains(draw), "seed \(seed): \(law) gave \(draw)")
                default: break
                }
            }
        }
    }
}

@Test(arguments: [
    (Distribution.constant(7), 7), (.uniform(from: 3, to: 3), 3), (.triangular(from: 4, mode: 4, to: 4), 4),
    (.normal(mean: 5, deviation: 0), 5), (.lognormal(mean: 6, deviation: 0), 6), (.poisson(mean: 0), 0),
    (.geometric(mean: 1), 1), (.empirical(.init(values: [2, 8], weights: [0, 1])), 8),
])
func `a distribution without spread gives its one value`(law: Distribution, value: Double) {
    var random = SplitMix64(seed: 1)
    for _ in 0..<100 { #expect(abs(law.sample(using: &random) - value) < 1e-12) }
}

@Test(arguments: [
    (Distribution.constant(0), 1), (.constant(1), 0), (.uniform(from: 0, to: 0), 1), (.uniform(from: 0, to: 1), 0),
    (.triangular(from: 0, mode: 0, to: 0), 1), (.triangular(from: 0, mode: 0, to: 1), 0),
    (.normal(mean: 0, deviation: 0), 1), (.normal(mean: 0, deviation: 1), 0), (.normal(mean: 1, deviation: 0), 0),
    (.poisson(mean: 0), 1), (.poisson(mean: 1e-10), 1), (.poisson(mean: 1), 0.3678794411714423),
    (.exponential(mean: 1), 0),
    (.geometric(mean: 1), 0), (.empirical(.init(values: [0, 0], weights: [1, 1])), 1),
    (.empirical(.init(values: [0, 1], weights: [1, 3])), 0.25),
    (.empirical(.init(values: [0, 5], weights: [1, 0])), 1),
])
func `the share of draws that are 0 is known`(law: Distribution, share: Double) {
    #expect(abs(law.shareOfZeros - share) < 1e-15)
}

// MARK: - Weights

@Test(
    arguments: [
        (0, 0), (0.0999, 0), (0.1, 2), (0.2999, 2), (0.3, 3), (0.9999999, 3),
    ] as [(Double, Int)])
func `an index is drawn in proportion to its weight`(uniform: Double, index: Int) {
    #expect(CumulativeWeights([1, 0, 2, 7, 0]).index(at: uniform) == index)
}

@Test(arguments: [1, 2, 15, 16, 17, 18, 19, 33, 34, 100, 256])
func `the index is the first with a larger cumulative weight`(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<20 {
        // Whole numbers, so that borders are met exactly; some of them 0, at the ends too.
        let weights = (0..<count).map { _ in Double(Int.random(in: 0...3, using: &random)) }
        let total = weights.reduce(0, +)
        guard total > 0 else { continue }
        let law = CumulativeWeights(weights)
        for step in 0..<Int(total) * 2 {
            let target = Double(step) / 2
            var place = 0
            var sum = weights[0]
            while sum <= target {
                place += 1
                sum += weights[place]
            }
            let found = law.index(at: target / total)
            // The quotient may be a bit off the border.
            #expect(found == place || target / total * total != target, "\(weights) at \(target)")
        }
    }
}

@Test func `a small change of one weight changes few draws`() {
    let before = CumulativeWeights([1, 1, 1, 1])
    let after = CumulativeWeights([1, 1, 1, 1.04])
    let changed = (0..<1000).filter { before.index(at: Double($0) / 1000) != after.index(at: Double($0) / 1000) }
    // Borders move by 0.25, 0.5 and 0.75 of a hundredth at most.
    #expect((1...16).contains(changed.count))
}

@Test(.onItsOwnThread) func `weights that are negative or all 0 are refused`() async {
    await #expect(processExitsWith: .failure) { _ = CumulativeWeights([1, -1, 3]) }
    await #expect(processExitsWith: .failure) { _ = CumulativeWeights([0, 0]) }
    await #expect(processExitsWith: .failure) { _ = Distribution.Empirical(values: [1, 2], weights: [1]) }
}
