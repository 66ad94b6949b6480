import Foundation
import JuiceStand
import Synchronization
import Testing

/// Notes when orders were placed.
private final class ArrivalTimes: FactObserver, Sendable {
    var wanted: FactSet { FactSet(.orderPlaced) }
    private let times = Mutex<[Double]>([])

    func hear(_ fact: OrderPlaced) { times.withLock { $0.append(fact.stamp.time.seconds) } }
    var all: [Double] { times.withLock { $0 } }
}

private let seed: UInt64 = 20_260_504

/// When customers come in `seconds` of a stand that serves everybody at once.
private func arrivals(_ law: Arrivals, for seconds: Double, seed: UInt64 = seed) throws -> [Double] {
    var settings = try settings(
        #"""
        {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}},
         "makers": "unlimited"}
        """#)
    settings.seed = seed
    settings.customers.arrivals = law
    let wiring = ClosureWiring()
    let times = ArrivalTimes()
    wiring.connect(times)
    var stand = Stand(settings)
    VirtualDriver(horizon: SimulationTime(seconds: seconds)).run(&stand, wiring)
    return times.all
}

private func gaps(_ times: [Double]) -> [Double] { zip([0] + times, times).map { $1 - $0 } }

private func exponential(_ x: Double) -> Double { 1 - exp(-x) }

/// By rank in [0, 1), the correlation of each with the next, in its standard errors.
private func serialCorrelation(_ sample: [Double]) -> Double {
    let n = Double(sample.count)
    let order = sample.indices.sorted { sample[$0] < sample[$1] }
    var ranks = Array(repeating: 0.0, count: sample.count)
    for (rank, index) in order.enumerated() { ranks[index] = (Double(rank) + 0.5) / n - 0.5 }
    return zip(ranks, ranks.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } * 12 / (n - 1).squareRoot()
}

/// Independent of each other and exponential of mean 1, as gaps of a Poisson process on its own scale of time have to be.
private func expectUnitPoisson(_ gaps: [Double], _ comment: Comment) {
    #expect(kolmogorovSmirnov(gaps, exponential) < farForKolmogorovSmirnov, comment)
    #expect(abs(serialCorrelation(gaps)) < 4, comment)
}

/// Counts in intervals of `length`; what is left over at the end is dropped.
private func counts(_ times: [Double], in seconds: Double, every length: Double) -> [Double] {
    var counts = Array(repeating: 0.0, count: Int(seconds / length))
    for time in times where Int(time / length) < counts.count { counts[Int(time / length)] += 1 }
    return counts
}

/// Σ(n − m)²/m of counts that should be Poisson of mean m: χ², with as many degrees of freedom as counts; in its
/// standard errors, those of a Poisson law included.
private func dispersion(_ counts: [Double], mean: Double) -> Double {
    let n = Double(counts.count)
    let sum = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) / mean }
    return (sum - n) / (n * (2 + 1 / mean)).squareRoot()
}

// MARK: - One rate

@Test func `customers at a constant rate are a Poisson process`() throws {
    let times = try arrivals(.poisson(perSecond: 2.5), for: 8000)
    expectUnitPoisson(gaps(times).map { $0 * 2.5 }, "seed \(seed)")
    #expect(abs(dispersion(counts(times, in: 8000, every: 3), mean: 7.5)) < 4, "seed \(seed)")
}

private struct Gap: Sendable {
    var law: Distribution
    var cdf: @Sendable (Double) -> Double
}

private let gapLaws: [Gap] = [
    Gap(law: .uniform(from: 1, to: 3), cdf: { ($0 - 1) / 2 }),
    Gap(
        law: .gamma(shape: 1.5, mean: 1.5),
        cdf: { x in erf(x.squareRoot()) - 2 * (x / Double.pi).squareRoot() * exp(-x) }),
    Gap(law: .erlang(stages: 2, mean: 2), cdf: { x in 1 - (1 + x) * exp(-x) }),
    Gap(law: .weibull(shape: 2, scale: 3), cdf: { x in 1 - exp(-(x / 3) * (x / 3)) }),
    // Of a normal law of mean 0 and deviation 1: mean e^½, variance e² − e.
    Gap(
        law: .lognormal(mean: exp(0.5), deviation: (exp(2.0) - exp(1.0)).squareRoot()),
        cdf: { x in erfc(-log(x) / 2.0.squareRoot()) / 2 }),
    Gap(law: .triangular(from: 0, mode: 2, to: 2), cdf: { x in x * x / 4 }),
]

@Test(arguments: gapLaws.indices)
func `renewals have independent gaps of their law, including the first`(index: Int) throws {
    let law = gapLaws[index].law
    let cdf = gapLaws[index].cdf
    let gaps = gaps(try arrivals(.renewal(law), for: 10_000))
    #expect(kolmogorovSmirnov(gaps, cdf) < farForKolmogorovSmirnov, "seed \(seed)")
    #expect(abs(serialCorrelation(gaps)) < 4, "seed \(seed)")
    // Of many stands the first gap alone.
    let first = try (0..<100).map { try arrivals(.renewal(law), for: 50, seed: $0)[0] }
    #expect(kolmogorovSmirnov(first, cdf) < farForKolmogorovSmirnov, "seeds 0 to 99")
}

// MARK: - Profiles

/// The integral of a rate that is constant by pieces.
private struct RateIntegral {
    var every: Double
    var rates: [Double]
    var repeats: Bool

    func value(_ time: Double) -> Double {
        let round = every * Double(rates.count)
        let rounds = repeats ? (time / round).rounded(.down) : 0
        let rest = time - rounds * round
        return rates.enumerated().reduce(rounds * every * rates.reduce(0, +)) { sum, piece in
            sum + piece.element * min(every, max(0, rest - Double(piece.offset) * every))
        }
    }

    var law: Arrivals { .profile(every: SimulationTime(seconds: every), perSecond: rates, repeats: repeats) }
}

/// With pieces without customers, and one so short that several lie between two customers.
private let profiles = [
    RateIntegral(every: 50, rates: [2, 0, 7, 0.5], repeats: true),
    RateIntegral(every: 0.2, rates: [0, 4, 1, 0, 0, 3], repeats: true),
    RateIntegral(every: 300, rates: [0, 5, 0.1, 0, 8, 3], repeats: false),
    RateIntegral(every: 1000, rates: [0.02, 0.5, 2], repeats: false),
]

@Test(arguments: profiles.indices)
func `a profile is a Poisson process on the scale of the integrated rate`(index: Int) throws {
    let integral = profiles[index]
    let times = try arrivals(integral.law, for: 4000)
    var last = 0.0
    let gaps = times.map { time in
        let value = integral.value(time)
        defer { last = value }
        return value - last
    }
    expectUnitPoisson(gaps, "seed \(seed)")
    // What is exponential could still be too few or too many in all.
    let expected = integral.value(4000)
    #expect(abs(Double(times.count) - expected) < 4 * expected.squareRoot(), "seed \(seed)")
}

@Test func `no customer comes at rate 0 or after a profile that does not repeat`() throws {
    let repeating = try arrivals(profiles[0].law, for: 4000)
    #expect(repeating.allSatisfy { Int($0 / 50) % 4 != 1 })
    let ending = try arrivals(profiles[2].law, for: 100_000)
    #expect(ending.allSatisfy { (300..<900).contains($0) || (1200..<1800).contains($0) })
    #expect(ending.contains { $0 > 1700 })
    #expect(
        try arrivals(.profile(every: SimulationTime(seconds: 1), perSecond: [0, 0], repeats: true), for: 1e6) == [])
    #expect(try arrivals(.poisson(perSecond: 0), for: 1e6) == [])
}

// MARK: - Bursts

private func bursts(_ calm: Double, _ long: Distribution, _ busy: Double, _ short: Distribution) -> Arrivals {
    .bursts(calm: .init(perSecond: calm, lasting: long), busy: .init(perSecond: busy, lasting: short))
}

/// Seen from outside: with nobody in calm phases and 200 customers a second in busy ones, silences of more than two
/// seconds are calm phases, and what lies between them busy ones, to a hundredth of a second.
@Test func `phases follow their laws and the stand opens calm`() throws {
    let times = try arrivals(
        bursts(0, .uniform(from: 4, to: 12), 200, .erlang(stages: 2, mean: 0.5)), for: 4000)
    var calm = [times[0]]
    var busy = [Double]()
    var start = times[0]
    for (before, after) in zip(times, times.dropFirst()) where after - before > 2 {
        calm.append(after - before)
        busy.append(before - start)
        start = after
    }
    #expect(calm.count > 400)
    #expect(times[0] > 4)
    #expect(kolmogorovSmirnov(calm) { min(1, max(0, ($0 - 4) / 8)) } < farForKolmogorovSmirnov, "seed \(seed)")
    #expect(kolmogorovSmirnov(busy) { 1 - (1 + 4 * $0) * exp(-4 * $0) } < farForKolmogorovSmirnov, "seed \(seed)")
}

/// How much more counts of bursts scatter than those of a Poisson process: Heffes and Lucantoni, "A Markov modulated
/// characterization of packetized voice and data traffic", IEEE Journal on Selected Areas in Communications 4 (1986).
@Test(arguments: [2.0, 20])
func `counts of bursts vary like those of a modulated Poisson process`(window: Double) throws {
    let slow = 0.5
    let fast = 4.0
    let long = 10.0
    let short = 4.0
    let leaveCalm = 1 / long
    let leaveBusy = 1 / short
    let both = leaveCalm + leaveBusy
    let rate = (slow * leaveBusy + fast * leaveCalm) / both
    let factor = 2 * (slow - fast) * (slow - fast) * leaveCalm * leaveBusy / (both * both * both * rate)
    let index = 1 + factor * (1 - (1 - exp(-both * window)) / (both * window))

    let seconds = 30_000.0
    let times = try arrivals(bursts(slow, .exponential(mean: long), fast, .exponential(mean: short)), for: seconds)
    // Batches of windows are nearly independent; their spread tells the error of the whole.
    let counts = counts(times, in: seconds, every: window)
    let batches = stride(from: 0, to: counts.count, by: counts.count / 20).prefix(20).map { start in
        counts[start..<start + counts.count / 20].reduce(0) {
            $0 + ($1 - rate * window) * ($1 - rate * window) / (rate * window)
        } / Double(counts.count / 20)
    }
    let mean = batches.reduce(0, +) / 20
    let error = (batches.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 19 / 20).squareRoot()
    // Student's t with 19 degrees of freedom: one of 5,000 beyond.
    #expect(abs(mean - index) < 4.6 * error, "seed \(seed): \(mean), exactly \(index)")
    #expect(index > 2 && error < index / 10)
}
