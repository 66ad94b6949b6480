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
        #expect(sequence.reach(Moments(Array(repeating: 2, count: 15))).above == .infinity)
        #expect(sequence.reach(Moments(Array(repeating: 2, count: 30))).above == 0)
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
                    means[index] + common + noise[index].0,
                    (constrained.map { [.init(value: $0[index] + noise[index].1)] } ?? []),
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

// MARK: - Proofs

extension RaceTests {
    private static func constraint(_ text: String) throws -> Constraint {
        try Constraint(text, metrics: ["customers.balked", "customers.arrived", "customers.served", "fillRate", "c"])
    }

    /// A race of one setting with the given excess over a bound of 0 in each replication.
    private static func judged(
        _ values: [Double], settings: Int = 1, confidence: Double = 0.95, showing: Int? = nil, mostExcess: Double = 0
    ) throws -> Race {
        var race = Race(
            settings: settings, maximizes: false, constraints: [try constraint("c<0")], within: .absolute(0),
            confidence: confidence)
        race.enter()
        for (index, value) in values.enumerated() {
            race.add(
                1, [.init(value: value, showsEvent: index < showing ?? .max, mostExcess: mostExcess)], to: 0)
        }
        race.judge()
        return race
    }

    @Test func `moments have one less than the count in their variance`() {
        let moments = Moments([2, 4, 4, 5, 10])
        #expect(moments.mean == 5 && abs(moments.variance - 9) < 1e-12)
        // Σ(x − 5)³ = −27 − 1 − 1 + 0 + 125 = 96.
        #expect(abs(moments.skewness - 96 / 5.0 / pow(36 / 5.0, 1.5)) < 1e-12)
        let reach = ConfidenceSequence(error: 0.5).reach(moments)
        #expect(abs(reach.below - ConfidenceSequence(error: 0.5).ratio(count: 5) * 1.8.squareRoot()) < 1e-12)
        #expect(reach.above > reach.below)
    }

    /// One event in ten: Student's interval is too short above, and as it was below.
    @Test func `skewness lengthens the interval on its side only`() {
        let sequence = ConfidenceSequence(error: 0.05)
        let values = (0..<1000).map { $0 % 10 == 0 ? 1.0 : 0 }
        let (reach, mirrored) = (sequence.reach(Moments(values)), sequence.reach(Moments(values.map { -$0 })))
        let plain = sequence.ratio(count: 1000) * (0.09 / 999).squareRoot()
        #expect(abs(reach.below - plain) < 1e-12)
        // By Hall's transformation: 3s/g · (1 − ∛(1 − g·(t/√n + g/(6n)))) with g = 8/3.
        let skewness = 8 / 3.0
        let hall = 3 / skewness * (1 - cbrt(1 - skewness * (plain / (90 / 999.0).squareRoot() + skewness / 6000)))
        #expect(abs(reach.above - hall * (90 / 999.0).squareRoot()) < 1e-9)
        #expect(abs(mirrored.below - reach.above) < 1e-12 && abs(mirrored.above - reach.below) < 1e-12)
        #expect(!ConfidenceSequence.covers(skewness: skewness, count: 177))
        #expect(ConfidenceSequence.covers(skewness: skewness, count: 178))
        #expect(ConfidenceSequence.covers(skewness: -skewness, count: 2))
    }

    @Test func `an estimate that satisfies a constraint does not show it`() throws {
        let race = try Self.judged([-3, 2, -4, 1, -2, -3, 1, -2, -1, 1])
        #expect(race.leader == nil && race.racing == [0] && !race.isDecided)
    }

    /// The mean is 5.2 standard errors below the bound: enough for one statement at 95%, not for a hundred.
    @Test func `all settings share the error`() throws {
        let values = (0..<10).map { -1.0 + ($0 % 2 == 0 ? 0.57 : -0.57) }
        #expect(try Self.judged(values).leader == 0)
        #expect(try Self.judged(values, settings: 100).leader == nil)
        #expect(try Self.judged(values, confidence: 0.9999).leader == nil)
    }

    @Test func `a rare event must be seen in thirty replications`() throws {
        // The event is in 40 of 500 replications, and the constraint is met by far.
        let values = (0..<500).map { $0 % 12 == 0 ? 0.5 : -1 }
        #expect(try Self.judged(values, showing: 29).leader == nil)
        #expect(try Self.judged(values, showing: 30).leader == 0)
        // Without any event there is nothing to tell the variance from.
        #expect(try Self.judged(Array(repeating: -1, count: 500), showing: 0).leader == nil)
    }

    /// Each replication multiplies the wealth by 1 + 0.9 · 1 / (1.5 · 20) = 1.03, and 2 / 0.05 = 40 are needed: 125.
    @Test func `a bet shows a constraint without any event`() throws {
        func race(_ count: Int) throws -> Race {
            try Self.judged(Array(repeating: -1, count: count), showing: 0, mostExcess: 20)
        }
        #expect(try race(124).leader == nil)
        let shown = try race(125)
        #expect(shown.leader == 0 && shown.contestants[0].evidence[0].proof == .bet)
        // One replication with the largest excess costs the stake.
        #expect(try Self.judged(Array(repeating: -1, count: 125) + [30], showing: 0, mostExcess: 20).leader == nil)
    }

    @Test func `a claim that later replications contradict is withdrawn`() throws {
        var race = Race(
            settings: 2, maximizes: false, constraints: [try Self.constraint("c<0")], within: .absolute(0),
            confidence: 0.95)
        for _ in 0..<2 { race.enter() }
        for number in 0..<20 {
            for index in 0..<2 {
                race.add(Double(index), [.init(value: -1 + Double(number % 3) / 100)], to: index)
            }
        }
        race.judge()
        #expect(race.leader == 0 && race.contestants[1].fate == .dearer && race.withdrawn.isEmpty)
        for number in 0..<60 { race.add(0, [.init(value: 2 + Double(number % 3) / 100)], to: 0) }
        race.judge()
        #expect(race.withdrawn == [0])
        // The setting that left as worse comes back.
        #expect(race.contestants[1].fate == nil && race.leader == 1)
    }

    @Test(arguments: [
        ("customers.balked - 0.01*customers.arrived < 0", 0.0, false, 198.0), ("customers.balked < 5", 3, true, 195),
        ("customers.served - 0.99*customers.arrived > 0", 0, false, 198), ("fillRate >= 0.9", 0, false, 0.9),
        ("c < 2", 0, false, 198),
    ])
    func `a replication tells whether it shows the event, and the largest possible excess`(
        text: String, balked: Double, shows: Bool, mostExcess: Double
    ) throws {
        let values = ["customers.arrived": 200, "customers.balked": balked, "fillRate": 1, "c": 0]
        let found = try #require(
            try Self.constraint(text).observe { $0 == "customers.served" ? 200 - balked : values[$0] })
        #expect(found.showsEvent == shows)
        #expect(abs(found.mostExcess - mostExcess) < 1e-9)
    }
}
