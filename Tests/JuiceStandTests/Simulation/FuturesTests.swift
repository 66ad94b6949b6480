import Foundation
import JuiceStand
import TestSupport
import Testing

/// Futures know nothing that chance has not shown: they have the exact laws, and what is left out is noticed.
struct FuturesTests {
    private let silent = FactPublisher(ClosureWiring())

    /// A stand that has run from its opening until `seconds`.
    private func stand(_ settings: StandSettings, at seconds: Double) -> (stand: Stand, time: SimulationTime) {
        let time = SimulationTime(seconds: seconds)
        var stand = Stand(settings)
        stand.open(silent)
        stand.advance(to: time, silent)
        return (stand, time)
    }

    private func run(_ futures: Futures, _ number: Int, for seconds: Double) -> Stand {
        var stand = futures.stand(UInt64(number))
        stand.advance(to: futures.time + SimulationTime(seconds: seconds), silent)
        return stand
    }

    // MARK: - Exact answers

    /// The distribution of the number in an M/M/c queue at `time`, by uniformization.
    private func transient(from start: Int, makers: Int, rate: Double, service: Double, time: Double) -> [Double] {
        let most = start + 60
        let pace = rate + Double(makers) * service
        var law = [Double](repeating: 0, count: most + 1)
        law[start] = 1
        var weight = exp(-pace * time)
        var sum = law.map { $0 * weight }
        for step in 1..<Int(pace * time + 12 * (pace * time).squareRoot() + 40) {
            var next = [Double](repeating: 0, count: most + 1)
            for n in 0...most {
                let down = Double(min(n, makers)) * service / pace
                let up = n < most ? rate / pace : 0
                if n < most { next[n + 1] += law[n] * up }
                if n > 0 { next[n - 1] += law[n] * down }
                next[n] += law[n] * (1 - up - down)
            }
            law = next
            weight *= pace * time / Double(step)
            for n in 0...most { sum[n] += law[n] * weight }
        }
        return sum
    }

    @Test(arguments: [(1, 0), (1, 4), (3, 2), (3, 9)], [1.0, 6.0])
    func `the line of a Markovian queue has its transient law`(queue: (makers: Int, start: Int), time: Double) throws {
        let settings = try settings(
            """
            {"fruits": {"a": {"initial": "unlimited"}}, "makers": \(queue.makers), "menu": {"j": {"recipe": {"a": 1},
             "preparation": {"exponential": {"mean": 1}}}}, "customers": {"arrivals": {"poisson": {"perSecond": 0.7}}}}
            """)
        var (stand, now) = self.stand(settings, at: 0)
        for _ in 0..<queue.start { stand.takeOrder("j", at: now, silent) }
        let law = transient(from: queue.start, makers: queue.makers, rate: 0.7, service: 1, time: time)
        #expect(abs(law.reduce(0, +) - 1) < 1e-9)
        let futures = Futures(of: stand, at: now, seed: 1)
        let count = Study.size(400, full: 20_000)
        var found = [Double](repeating: 0, count: law.count)
        for number in 0..<count { found[min(law.count - 1, run(futures, number, for: time).ordersPresent)] += 1 }
        let (square, cells) = chiSquare(found, law.map { $0 * Double(count) })
        // Five deviations above its mean.
        #expect(square < cells + 5 * (2 * cells).squareRoot(), "seed 1: χ² of \(square) in \(cells) cells")
    }

    /// Pearson's χ², with cells of fewer than ten put together.
    private func chiSquare(_ found: [Double], _ expected: [Double]) -> (square: Double, cells: Double) {
        var square = 0.0
        var cells = 0.0
        var rest = (found: 0.0, expected: 0.0)
        for (found, expected) in zip(found, expected) {
            rest = (rest.found + found, rest.expected + expected)
            guard rest.expected >= 10 else { continue }
            square += (rest.found - rest.expected) * (rest.found - rest.expected) / rest.expected
            cells += 1
            rest = (0, 0)
        }
        return (square, cells)
    }

    // MARK: - What is going on

    /// The time of the next event of each future, from the instant at which the futures part.
    private func nextTimes(_ stand: Stand, at time: SimulationTime, _ count: Int = Study.size(600, full: 100_000))
        -> [Double]
    {
        let futures = Futures(of: stand, at: time, seed: 3)
        return (0..<count).map { (futures.stand(UInt64($0)).nextTime - time).seconds }
    }

    @Test func `the rest of a cup depends on when it was started`() throws {
        var settings = try settings(
            """
            {"fruits": {"a": {"initial": "unlimited"}}, "makers": 1, "menu": {"j": {"recipe": {"a": 1},
             "preparation": {"uniform": {"from": 10, "to": 60}}}}, "customers": {"arrivals": {"poisson": {"perSecond": 0}}}}
            """)
        // Both cups of one order, so that the second does not begin with the order.
        var ages: [Double] = []
        for seed in 1...2 as ClosedRange<UInt64> {
            settings.seed = seed
            var (stand, now) = self.stand(settings, at: 5)
            stand.takeOrder("j", cups: 2, at: now, silent)
            if seed == 2 {
                stand.step(silent)
                now = stand.now
            }
            // Half of what is left, so that the cup is not done yet.
            let age = (stand.nextTime - now).seconds / 2
            ages.append(age)
            let distance = kolmogorovSmirnov(nextTimes(stand, at: now + SimulationTime(seconds: age))) { x in
                min(1, max(0, (age + x - max(10, age)) / (60 - max(10, age))))
            }
            #expect(distance < farForKolmogorovSmirnov, "seed 3: \(distance)")
        }
        #expect(ages.contains { $0 > 10 }, "the ages \(ages) have no effect")
    }

    @Test func `a cup of constant length ends when it must`() throws {
        let settings = try settings(
            """
            {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 0.1}},
             "customers": {"arrivals": {"poisson": {"perSecond": 0}}}}
            """)
        var (stand, now) = self.stand(settings, at: 0.3)
        stand.takeOrder("j", at: now, silent)
        now = now + SimulationTime(seconds: 0.07)
        #expect(Set(nextTimes(stand, at: now, 20)) == [0.03])
    }

    @Test func `the rest of somebody's patience depends on when the order was placed`() throws {
        // One maker, busy for good, and patience of exactly 100 s: who came at 10 leaves at 110.
        let settings = try settings(
            """
            {"fruits": {"a": {"initial": "unlimited"}}, "makers": 1, "menu": {"j": {"recipe": {"a": 1}, "preparation": 1e6}},
             "customers": {"arrivals": {"renewal": 1}, "patience": 100}}
            """)
        var (stand, _) = self.stand(settings, at: 10.5)
        stand.setRate(0, at: SimulationTime(seconds: 10.5), silent)
        // The one of 1 s is being served, that of 2 s leaves first.
        #expect(Set(nextTimes(stand, at: SimulationTime(seconds: 60), 20)) == [42])
    }

    @Test func `the rest of a lead time depends on when the fruit was ordered`() throws {
        let settings = try settings(
            """
            {"fruits": {"a": {"initial": 1, "restock": {"fixedQuantity": {"reorderPoint": 5, "quantity": 50,
             "leadTime": {"lognormal": {"mean": 600, "deviation": 400}}}}}}, "menu": {"j": {"recipe": {"a": 1}}},
             "customers": {"arrivals": {"poisson": {"perSecond": 0}}}, "seed": 4}
            """)
        let (stand, _) = self.stand(settings, at: 0)
        let age = 350.0
        #expect(stand.nextTime.seconds > age)
        let variance = log(1 + 400.0 * 400 / (600 * 600))
        let survival = { (x: Double) in erfc((log(x / 600) + variance / 2) / (2 * variance).squareRoot()) / 2 }
        let distance = kolmogorovSmirnov(nextTimes(stand, at: SimulationTime(seconds: age))) {
            1 - survival(age + $0) / survival(age)
        }
        #expect(distance < farForKolmogorovSmirnov, "seed 3: \(distance)")
    }

    @Test(arguments: [1.0, 2.0, 0.25])
    func `the gap to the next customer depends on when the last one came, and on the rate`(factor: Double) throws {
        let settings = try settings(
            #"{"customers": {"arrivals": {"renewal": {"uniform": {"from": 20, "to": 100}}}}, "makers": "unlimited"}"#)
        var (stand, _) = self.stand(settings, at: 0)
        // 15 s at the usual rate, 5 s at the other.
        stand.setRate(factor, at: SimulationTime(seconds: 15), silent)
        let now = SimulationTime(seconds: 20)
        #expect(stand.nextTime > now)
        let passed = 15 + 5 * factor
        let least = max(20, passed)
        let distance = kolmogorovSmirnov(nextTimes(stand, at: now)) {
            min(1, max(0, (passed + $0 * factor - least) / (100 - least)))
        }
        #expect(distance < farForKolmogorovSmirnov, "seed 3: \(distance)")
    }

    @Test func `the rest of a phase depends on when it began`() throws {
        let settings = try settings(
            """
            {"customers": {"arrivals": {"bursts": {"calm": {"perSecond": 0, "lasting": {"uniform": {"from": 50, "to": 150}}},
             "busy": {"perSecond": 1000, "lasting": {"uniform": {"from": 50, "to": 150}}}}}}, "makers": "unlimited", "seed": 7}
            """)
        var (stand, _) = self.stand(settings, at: 0)
        let first = stand.nextTime.seconds
        // In the first calm phase, which began with the opening.
        let early = kolmogorovSmirnov(nextTimes(stand, at: SimulationTime(seconds: 40))) {
            min(1, max(0, ($0 - 10) / 100))
        }
        #expect(early < farForKolmogorovSmirnov, "seed 3: \(early)")
        // Through the busy phase into the second calm one, and some way into it.
        var last = stand.now
        stand.step(silent)
        while stand.nextTime - stand.now < SimulationTime(seconds: 5) {
            last = stand.nextTime
            stand.step(silent)
        }
        #expect(last.seconds > first + 40)
        let age = 45.0
        let now = last + SimulationTime(seconds: age)
        // The phase ended within about a millisecond of the last customer.
        let late = kolmogorovSmirnov(nextTimes(stand, at: now)) { min(1, max(0, ($0 - 50 + age) / 100)) }
        #expect(late < farForKolmogorovSmirnov, "seed 3: \(late)")
    }

    // MARK: - Nothing more, nothing less

    @Test func `futures leave the stand alone and repeat`() throws {
        let (stand, now) = self.stand(try settings(lively), at: 1800)
        let before = try JSONEncoder().encode(stand.snapshot).count
        let futures = Futures(of: stand, at: now, seed: 5)
        func end(_ number: Int) -> [Metric] {
            run(futures, number, for: 3600).metrics(at: now + SimulationTime(seconds: 3600))
        }
        #expect(end(0) == end(0) && end(0) != end(1))
        let other = run(Futures(of: stand, at: now, seed: 6), 0, for: 3600)
        #expect(other.metrics(at: now + SimulationTime(seconds: 3600)) != end(0))
        #expect(try JSONEncoder().encode(stand.snapshot).count == before)
        // The same levels, orders and makers at work.
        let future = futures.stand(9)
        #expect(future.maker.levels == stand.maker.levels && future.ordersPresent == stand.ordersPresent)
        #expect(future.busyMakers == stand.busyMakers && future.onOrder == stand.onOrder)
    }

    @Test func `a party that has come stays together`() throws {
        let settings = try settings(
            #"{"customers": {"arrivals": {"renewal": 10}, "party": 5}, "makers": 1, "seed": 3}"#)
        var (stand, _) = self.stand(settings, at: 9)
        stand.step(silent)
        stand.step(silent)
        #expect(stand.ordersNumbered == 2 && stand.nextTime == stand.now)
        let future = run(Futures(of: stand, at: stand.now, seed: 1), 0, for: 0.001)
        #expect(future.ordersNumbered == 5)
    }

    @Test func `a party that has not been followed for a while is followed as often as that makes likely`() throws {
        // A party every half hour on average, half of which are followed within 100 s.
        let week = """
            {"every": "24h", "perSecond": [0.0005],
             "followers": {"share": 0.5, "after": {"uniform": {"from": 0, "to": 100}}}}
            """
        let settings = try settings(##"{"customers": {"arrivals": {"week": \##(week)}}}"##)
        var (stand, _) = self.stand(settings, at: 0)
        var now = SimulationTime.zero
        repeat {
            stand.step(silent)
            now = stand.now + SimulationTime(seconds: 50)
        } while stand.nextTime < now || stand.now.seconds < 1000
        let futures = Futures(of: stand, at: now, seed: 8)
        let number = Study.size(2000, full: 20_000)
        let followed = (0..<number).count { run(futures, $0, for: 50).ordersNumbered > stand.ordersNumbered }
        // Half of a half is still to come, of the three quarters that have not come; and the base rate for 50 s.
        let expected = 1 - (1 - 1 / 3.0) * exp(-0.025)
        let error = (expected * (1 - expected) / Double(number)).squareRoot()
        #expect(abs(Double(followed) / Double(number) - expected) < 4 * error, "\(followed) of \(number)")
    }

    @Test func `a state of an earlier version has futures too`() throws {
        let (stand, now) = self.stand(try settings(lively), at: 1800)
        func withoutStarts(_ value: Any) -> Any {
            if let list = value as? [Any] { return list.map(withoutStarts) }
            guard let members = value as? [String: Any] else { return value }
            // A phase has both, and a tally only its start.
            return members.filter { $0.key != "beginnings" && ($0.key != "start" || members["isBusy"] == nil) }
                .mapValues(withoutStarts)
        }
        let data = try JSONEncoder().encode(stand.snapshot)
        let old = withoutStarts(try JSONSerialization.jsonObject(with: data))
        let text = try JSONSerialization.data(withJSONObject: old)
        #expect(!String(decoding: text, as: UTF8.self).contains("beginnings"))
        let snapshot = try JSONDecoder().decode(Stand.Snapshot.self, from: text)
        let futures = Futures(of: Stand(stand.settings, resuming: snapshot), at: now, seed: 1)
        #expect(run(futures, 0, for: 600).ordersNumbered > stand.ordersNumbered)
    }
}
