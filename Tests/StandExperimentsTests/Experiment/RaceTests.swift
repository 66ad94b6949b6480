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
        let equal = Moments(Array(repeating: 2, count: 10_000))
        #expect(sequence.reach(equal) == Reach(bothSides: .infinity))
        #expect(sequence.reach(equal, isCertain: true) == Reach(bothSides: 0))
        #expect(sequence.reach(Moments([]), isCertain: true) == Reach(bothSides: .infinity))
        // Sums of prices differ in their last digits. Beside figures of 1e6, 1e-6 is a rounding error.
        let noisy = Moments((0..<10_000).map { 1e-6 * Double($0 % 2) })
        #expect(sequence.reach(noisy).above < 1e-6)
        #expect(sequence.reach(noisy, scale: 1e6) == Reach(bothSides: .infinity))
    }

    @Test func `the mean is inside after every observation`() {
        let trials = 400
        let count = 200
        let error = 0.2
        let sequence = ConfidenceSequence(error: error)
        let ratios = (0...count).map { sequence.ratio(count: $0) }
        var normal = Normal(random: SplitMix64(seed: 3))
        let missed = (0..<trials).count { _ in
            var sum = 0.0
            var squares = 0.0
            var isMissed = false
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

    /// A race of settings without replications. Constraints are on `c`, or on metrics of customers.
    private static func race(
        of settings: Int, where constraints: [String] = ["c<0"], isCertain: Bool = false, maximizes: Bool = false,
        within: Double = 0, rarest: Int = 1
    ) throws -> Race {
        let constraints = try constraints.map(constraint)
        var race = Race(
            settings: settings, maximizes: maximizes, constraints: constraints, within: .absolute(within),
            confidence: 0.95, rarest: rarest)
        for _ in 0..<settings { race.enter(isCertain: isCertain, certain: constraints.map { _ in isCertain }) }
        return race
    }

    private static func constraint(_ text: String) throws -> Constraint {
        try Constraint(text, metrics: ["customers.balked", "customers.arrived", "customers.served", "fillRate", "c"])
    }

    /// Races settings with the given means and common noise.
    private static func race(
        _ means: [Double], seed: UInt64, maximizes: Bool = false, within: Double
    ) throws -> (race: Race, replications: Int) {
        var race = try Self.race(of: means.count, where: [], maximizes: maximizes, within: within)
        var normal = Normal(random: SplitMix64(seed: seed))
        var total = 0
        for count in 1...5000 {
            let common = 3 * normal.next()
            // Every setting draws its own noise, whether it is in the race or not.
            let noise = means.map { _ in normal.next() }
            for index in race.racing {
                race.add(means[index] + common + noise[index], [], to: index)
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
        let trials = 40
        let seeds = UInt64(100)
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
}

// MARK: - Rare days

extension RaceTests {
    /// (1 − 1/N)^n is at most 2.5% or 0.5% from these numbers of replications on.
    @Test(arguments: [(50, 0.95, 183), (50, 0.99, 263), (10, 0.95, 36), (2, 0.95, 6), (1, 0.95, 1)])
    func `the fewest replications miss a day of one in N with half of the error`(
        rarest: Int, confidence: Double, count: Int
    ) {
        #expect(Race.fewestReplications(rarest: rarest, confidence: confidence) == count)
        guard rarest > 1 else { return }
        let missed = { (n: Int) in pow(1 - 1 / Double(rarest), Double(n)) }
        #expect(missed(count) <= (1 - confidence) / 2 && missed(count - 1) > (1 - confidence) / 2)
    }

    /// Two settings, of which the second is worse, and breaks a constraint if `excess` is above 0.
    private static func judged(_ count: Int, rarest: Int, excess: Double = -1) throws -> Race {
        var race = try Self.race(of: 2, rarest: rarest)
        for number in 0..<count {
            let noise = Double(number % 3) / 100
            race.add(noise, [.init(value: -1 + noise)], to: 0)
            race.add(1 + noise * noise, [.init(value: excess + noise)], to: 1)
        }
        race.judge()
        return race
    }

    @Test func `no setting is named, kept or dropped before a day of one in N is likely seen`() throws {
        let early = try Self.judged(182, rarest: 50)
        #expect(early.leader == nil && early.distance == nil && !early.isDecided)
        #expect(early.contestants.allSatisfy { $0.fate == nil && !$0.isFeasible })
        #expect(try Self.judged(182, rarest: 50, excess: 1).contestants[1].fate == nil)
        let later = try Self.judged(183, rarest: 50)
        #expect(later.leader == 0 && later.isDecided && later.contestants[1].fate == .dearer)
        #expect(try Self.judged(183, rarest: 50, excess: 1).contestants[1].fate == .infeasible)
        #expect(try Self.judged(30, rarest: 1).isDecided)
    }

    /// 2.6 standard errors of the interval: enough with the whole error, and not with half of it.
    @Test func `the intervals get half of the error`() throws {
        let whole = ConfidenceSequence(error: 0.05).ratio(count: 200)
        let half = ConfidenceSequence(error: 0.025).ratio(count: 200)
        let standardErrors = (whole + half) / 2
        func isFeasible(_ rarest: Int) throws -> Bool {
            var race = try Self.race(of: 1, rarest: rarest)
            let deviation = (200.0 / 199 / 200).squareRoot()
            for number in 0..<200 {
                let value = (number % 2 == 0 ? 1.0 : -1) - standardErrors * deviation
                race.add(1, [.init(value: value)], to: 0)
            }
            race.judge()
            return race.leader == 0
        }
        #expect(try isFeasible(1))
        #expect(try !isFeasible(50))
    }
}

// MARK: - Equal values

extension RaceTests {
    private static func race(_ differences: [Double], isCertain: Bool, rarest: Int = 1) throws -> Race {
        var race = try Self.race(of: 2, where: [], isCertain: isCertain, rarest: rarest)
        for (number, difference) in differences.enumerated() {
            race.add(Double(number), [], to: 0)
            race.add(Double(number) + difference, [], to: 1)
        }
        race.judge()
        return race
    }

    @Test func `equal differences show nothing, unless the configuration makes them equal`() throws {
        for difference in [0.0, 5] {
            let unknown = try Self.race(Array(repeating: difference, count: 1000), isCertain: false)
            #expect(unknown.distance == nil && unknown.racing == [0, 1] && !unknown.isDecided)
            #expect(try Self.race(Array(repeating: difference, count: 1000), isCertain: true).isDecided)
        }
        let certain = try Self.race(Array(repeating: 5, count: 10), isCertain: true)
        #expect(certain.contestants[1].fate == .dearer)
    }

    @Test func `a setting that costs the same amount more in each replication is dearer on the days covered`() throws {
        func race(_ differences: [Double]) throws -> Race {
            try Self.race(differences, isCertain: false, rarest: 50)
        }
        #expect(try race(Array(repeating: 5, count: 183)).contestants[1].fate == .dearer)
        #expect(try race(Array(repeating: 5, count: 182)).distance == nil)
        #expect(try race(Array(repeating: 0, count: 1000)).distance == nil)
        // One cheap day in two hundred is enough for doubt.
        #expect(try race((0..<200).map { $0 == 150 ? -600 : 5 }).distance == nil)
    }

    @Test(arguments: [
        ("c<=0", 0.0, true), ("c>=0", 0, true), ("c<1", 0, true), ("c<0", 0, false), ("c>0", 0, false),
        ("c<0", 3, false),
    ])
    func `a value that is equal in all replications shows or breaks a constraint only if it is certain`(
        text: String, value: Double, isMet: Bool
    ) throws {
        func race(isCertain: Bool) throws -> Race {
            var race = try Self.race(of: 1, where: [text], isCertain: isCertain)
            for number in 0..<1000 { race.add(Double(number % 7), [.init(value: value)], to: 0) }
            race.judge()
            return race
        }
        let unknown = try race(isCertain: false)
        #expect(unknown.leader == nil && unknown.contestants[0].fate == nil)
        let certain = try race(isCertain: true)
        #expect(certain.leader == (isMet ? 0 : nil))
        #expect(certain.contestants[0].fate == (isMet ? nil : .infeasible))
        #expect(certain.contestants[0].evidence[0].proof == (isMet ? .certainty : nil))
    }

    @Test func `a replication without an observation does not count, and pairs keep their numbers`() throws {
        var race = try Self.race(of: 2)
        for number in 0..<40 {
            // The second setting costs 1 more than the first, if both have a value.
            let common = Double(number * number % 41)
            let constrained = number % 5 == 0 ? nil : Constraint.Observation(value: -5 + common / 20)
            race.add(number % 4 == 0 ? nil : common, [constrained], to: 0)
            // One of the observations of the first setting is missing here.
            let isMissing = number % 4 == 0 || number == 13
            race.add(isMissing ? nil : common + 1 + 0.01 * Double(number % 2), [constrained], to: 1)
        }
        race.judge()
        #expect(race.contestants[0].objective.count == 40 && race.contestants[0].moments.count == 30)
        #expect(race.contestants[0].evidence[0].moments.count == 32)
        #expect(race.leader == 0 && race.contestants[1].fate == .dearer)
    }
}

// MARK: - Proofs

extension RaceTests {
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

    /// One event in ten: Student's interval is too short above, and as it was below.
    @Test func `skewness lengthens the interval on its side only`() {
        let sequence = ConfidenceSequence(error: 0.05)
        let values = (0..<1000).map { $0 % 10 == 0 ? 1.0 : 0 }
        let reach = sequence.reach(Moments(values))
        let mirrored = sequence.reach(Moments(values.map { -$0 }))
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

    /// The largest excess is that of the pilot with the most customers, whichever it is: with 30 in one of ten, each
    /// replication multiplies the wealth by 1 + 0.9 / 45 = 1.02, and 40 are needed: 187.
    @Test(arguments: [0, 5, 9])
    func `the pilot with the most customers tells the largest excess`(place: Int) throws {
        func proof(_ count: Int) throws -> ConstraintEvidence.Proof? {
            var race = try Self.race(of: 1)
            for number in 0..<count {
                // Later replications do not change it.
                let mostExcess = number == place ? 30.0 : number < 10 ? 20 : 1000
                race.add(1, [.init(value: -1, showsEvent: false, mostExcess: mostExcess)], to: 0)
            }
            race.judge()
            return race.contestants[0].evidence[0].proof
        }
        #expect(try proof(186) == nil)
        #expect(try proof(187) == .bet)
    }

    @Test func `a claim that later replications contradict is withdrawn`() throws {
        var race = try Self.race(of: 2)
        for number in 0..<20 {
            for index in 0..<2 {
                let noise = Double(number % (2 + index)) / 100
                race.add(Double(index) + noise, [.init(value: -1 + Double(number % 3) / 100)], to: index)
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
