import JuiceStand
import Platform
import StandExperiments
import Testing
import TextFormats

/// Confidence sequences and the selection that they allow, with normal observations of known means.
struct RaceTests {
    private struct Normal {
        var random: SplitMix64

        /// Box and Muller, "A note on the generation of random normal deviates", Annals of Mathematical Statistics 29 (1958).
        mutating func next() -> Double {
            (-2 * log(1 - random.uniform())).squareRoot() * cos(2 * Double.pi * random.uniform())
        }
    }

    @Test(arguments: [
        (0.05, 10, 3.86978674), (0.05, 100, 3.3467781), (0.05, 1000, 3.6033237), (0.01, 20, 4.19666525),
    ])
    func `half a width in standard errors has the value of its formula`(error: Double, count: Int, ratio: Double) {
        #expect(abs(ConfidenceSequence(error: error).ratio(count: count) - ratio) < 1e-7)
    }

    @Test func `too few or equal observations show nothing`() {
        let sequence = ConfidenceSequence(error: 1e-6)
        #expect(sequence.ratio(count: 1) == .infinity && sequence.ratio(count: 5) == .infinity)
        #expect(sequence.halfWidth(count: 15, variance: 0) == .infinity)
        #expect(sequence.halfWidth(count: 30, variance: 0) == 0)
    }

    @Test func `the mean is inside after every observation`() {
        let (trials, count, error) = (400, 200, 0.2)
        let sequence = ConfidenceSequence(error: error)
        let ratios = (0...count).map { sequence.ratio(count: $0) }
        var normal = Normal(random: SplitMix64(seed: 3))
        let missed = (0..<trials).count { _ in
            var (sum, squares, isMissed) = (0.0, 0.0, false)
            for number in 1...count {
                let value = normal.next()
                sum += value
                squares += value * value
                let n = Double(number)
                guard number > 1 else { continue }
                let variance = (squares - sum * sum / n) / (n - 1)
                if abs(sum / n) > ratios[number] * (variance / n).squareRoot() { isMissed = true }
            }
            return isMissed
        }
        #expect(Double(missed) < error * Double(trials), "\(missed) of \(trials), seed 3")
        #expect(missed > 10, "so wide that nothing is shown: \(missed) of \(trials), seed 3")
    }

    /// Races settings with the given means and common noise.
    private static func race(
        _ means: [Double], constrained: [Double]? = nil, seed: UInt64, maximizes: Bool = false, within: Double
    ) throws -> (race: Race, replications: Int) {
        let constraints = try constrained.map { _ in [try Constraint("c<0", metrics: ["c"])] } ?? []
        var race = Race(
            settings: means.count, maximizes: maximizes, constraints: constraints, within: .absolute(within),
            confidence: 0.95)
        for _ in means { race.enter() }
        var normal = Normal(random: SplitMix64(seed: seed))
        var total = 0
        for count in 1...5000 {
            let common = 3 * normal.next()
            // Every setting draws its own noise, whether it is in the race or not.
            let noise = means.map { _ in (normal.next(), normal.next()) }
            for index in race.racing {
                race.add(
                    means[index] + common + noise[index].0, (constrained.map { [$0[index] + noise[index].1] } ?? []),
                    to: index)
                total += 1
            }
            guard count >= 10 else { continue }
            race.judge()
            if race.isDecided { break }
        }
        return (race, total)
    }

    @Test func `the best setting is selected`() throws {
        let means = [5, 4.5, 4, 4.6, 5.2, 7]
        let (trials, seeds) = (40, UInt64(100))
        let results = try (0..<trials).map { try Self.race(means, seed: seeds + UInt64($0), within: 0.3) }
        #expect(results.allSatisfy { $0.race.isDecided })
        let right = results.count { $0.race.leader == 2 }
        #expect(right >= 38, "\(right) of \(trials), seeds from \(seeds)")
        let best = try (0..<10).count { seed in
            try Self.race(means.map { -$0 }, seed: UInt64(seed), maximizes: true, within: 0.3).race.leader == 2
        }
        #expect(best >= 9)
    }

    @Test func `settings that are equally good end the race within the distance`() throws {
        let (race, replications) = try Self.race([1, 1, 1], seed: 1, within: 0.5)
        #expect(race.isDecided && replications < 3000)
        #expect(try #require(race.distance) <= 0.5)
    }

    @Test func `a setting that breaks a constraint is not selected`() throws {
        let results = try (0..<20).map { seed in
            try Self.race([1, 2, 3], constrained: [0.5, -0.5, -0.5], seed: UInt64(seed), within: 0.2).race
        }
        #expect(results.count { $0.leader == 1 } >= 19)
        #expect(results.allSatisfy { $0.contestants[0].fate == .infeasible || $0.leader == 0 })
    }

    @Test func `without a setting that satisfies the constraints, none is left`() throws {
        let (race, _) = try Self.race([1, 2], constrained: [1, 2], seed: 4, within: 0.1)
        #expect(race.isDecided && race.leader == nil)
        #expect(race.contestants.map(\.fate) == [.infeasible, .infeasible])
    }
}
