import Foundation
import JuiceStand
import TestSupport
import Testing

/// Rates by day of the week.
@Suite(.timeLimit(.minutes(60)))
struct WeekTests {
    private func stand(_ week: String, opens: String = "2026-05-04T08:00:00", party: Int = 1) throws -> StandSettings {
        try settings(
            """
            {"opens": "\(opens)", "fruits": {"a": {"initial": "unlimited"}},
             "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}}, "makers": "unlimited",
             "customers": {"arrivals": {"week": \(week)}, "party": \(party)}}
            """)
    }

    /// Orders in each hour of stand time.
    private func hours(_ settings: StandSettings, _ count: Int, replication: UInt64 = 0) -> [Int] {
        var stand = Stand(settings, replication: replication)
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        var before: UInt64 = 0
        return (1...count).map { hour in
            stand.advance(to: SimulationTime(seconds: Double(hour) * 3600), out)
            defer { before = stand.ordersNumbered }
            return Int(stand.ordersNumbered - before)
        }
    }

    @Test func `a day's list begins at midnight of the stand's own calendar`() throws {
        // Monday the 4th of May at 8: entries of one hour, so the stand opens into the ninth.
        let settings = try stand(
            #"{"every": "1h", "perSecond": {"mon": [0,0,0,0,0,0,0,0,1,0,0.5], "tue": [0.25], "sun": [2]}}"#)
        let hours = hours(settings, 24 * 7)
        let open = hours.enumerated().filter { $0.element > 0 }.map(\.offset)
        // 8 and 10 o'clock on Monday, midnight on Tuesday, midnight on Sunday.
        #expect(open == [0, 2, 16, 16 + 24 * 5])
        for (hour, expected) in zip(open, [3600.0, 1800, 900, 7200]) {
            #expect(abs(Double(hours[hour]) - expected) < 5 * expected.squareRoot(), "\(hour): \(hours[hour])")
        }
    }

    @Test func `one list is every day's, and midnight cuts its last entry`() throws {
        // Entries of 10 hours: the third is cut at midnight after four.
        let hours = hours(try stand(#"{"every": "10h", "perSecond": [0, 1, 0.5]}"#, opens: "2026-05-04"), 48)
        #expect(hours[0..<10].allSatisfy { $0 == 0 } && hours[24..<34].allSatisfy { $0 == 0 })
        #expect(hours[10..<20].allSatisfy { (3300...3900).contains($0) })
        #expect(hours[20..<24].allSatisfy { (1550...2050).contains($0) })
    }

    @Test func `a level is drawn once a day and makes days differ by more than chance`() throws {
        let settings = try stand(
            #"{"every": "1h", "perSecond": [0.02, 0.02], "level": {"gamma": {"shape": 4, "mean": 1}}}"#,
            opens: "2026-05-04")
        var days: [Double] = []
        let replications = Study.size(4, full: 10)
        for replication in 0..<replications {
            let hours = hours(settings, 24 * 100, replication: UInt64(replication))
            days += stride(from: 0, to: hours.count, by: 24).map { Double(hours[$0] + hours[$0 + 1]) }
        }
        let count = Double(100 * replications)
        let mean = days.reduce(0, +) / count
        let variance = days.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        // 144 a day; variance 144 + 144² / 4 for a gamma law of shape 4.
        #expect(abs(mean - 144) < 10, "\(mean)")
        #expect((4200...6600).contains(variance), "\(variance)")
        // Hours of one day have one level: they rise and fall together.
        let hours = hours(settings, 24 * 100 * replications)
        let pairs = stride(from: 0, to: hours.count, by: 24).map { (Double(hours[$0]), Double(hours[$0 + 1])) }
        let a = pairs.map(\.0).reduce(0, +) / count
        let b = pairs.map(\.1).reduce(0, +) / count
        let covariance = pairs.reduce(0) { $0 + ($1.0 - a) * ($1.1 - b) } / (count - 1)
        // 72² / 4.
        #expect((900...1700).contains(covariance), "\(covariance)")
    }

    @Test func `without level daily counts are Poisson`() throws {
        let hours = hours(try stand(#"{"every": "1h", "perSecond": [0.02]}"#, opens: "2026-05-04"), 24 * 1000)
        let days = stride(from: 0, to: hours.count, by: 24).map { Double(hours[$0]) }
        let mean = days.reduce(0, +) / 1000
        let variance = days.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 999
        #expect((0.85...1.15).contains(variance / mean), "\(variance / mean)")
    }

    @Test func `parties are at least the spacing apart, and come at the rate outside it`() throws {
        // A gap is 20 s and then 20 s on average.
        let week = #"{"every": "1h", "perSecond": [0.05, 0.05, 0.05, 0.05], "spacing": "20s"}"#
        var stand = Stand(try stand(week, opens: "2026-05-04", party: 2))
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        var seconds: [Int] = []
        for second in 1...14_400 {
            let before = stand.ordersNumbered
            stand.advance(to: SimulationTime(seconds: Double(second)), out)
            if stand.ordersNumbered > before { seconds.append(second) }
            #expect(stand.ordersNumbered - before <= 2)
        }
        let gaps = zip(seconds, seconds.dropFirst()).map { Double($1 - $0) }
        #expect(gaps.count > 300)
        #expect(gaps.allSatisfy { $0 >= 19 })
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        // The standard error of the mean is 20 s / √360, about 1 s.
        #expect(abs(mean - 40) < 4, "\(mean)")
    }

    @Test func `a rate changed within a spacing leaves the spacing as it is`() throws {
        let week = #"{"every": "1h", "perSecond": [1000], "spacing": "60s"}"#
        var stand = Stand(try stand(week, opens: "2026-05-04"))
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        for second in 1...590 {
            stand.advance(to: SimulationTime(seconds: Double(second)), out)
            stand.setRate(second.isMultiple(of: 2) ? 1 : 100, at: SimulationTime(seconds: Double(second)), out)
        }
        // At 60, 120, …, 540 s, each a few milliseconds late at most.
        #expect(stand.ordersNumbered == 9)
    }

    /// The instants at which parties come.
    private func times(_ stand: inout Stand, until end: Double, _ out: FactPublisher) -> [SimulationTime] {
        var times: [SimulationTime] = []
        while stand.nextTime < SimulationTime(seconds: end) {
            let time = stand.nextTime
            let before = stand.ordersNumbered
            stand.advance(to: time + SimulationTime(nanoseconds: 1), out)
            if stand.ordersNumbered > before { times.append(time) }
        }
        return times
    }

    @Test(arguments: ["", #", "spacing": "30s""#])
    func `each party is followed with the share, a follower too, and nobody into a closed hour`(
        spacing: String
    ) throws {
        let followers = #""followers": {"share": 0.4, "after": 20}"#
        let week = #"{"every": "1h", "perSecond": [0, 0.001, 0], \#(followers)\#(spacing)}"#
        let settings = try stand(week, opens: "2026-05-04")
        let days = 400
        var stand = Stand(settings)
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        let times = times(&stand, until: Double(days) * 86_400, out)
        #expect(times.allSatisfy { (3600..<7200).contains(Int($0.seconds) % 86_400) })
        // The follower waits for the end of the spacing.
        let delay = SimulationTime(seconds: spacing.isEmpty ? 20 : 30)
        let parties = times.filter { Int($0.seconds) % 86_400 < 7160 }
        let all = Set(times)
        let share = Double(parties.count { all.contains($0 + delay) }) / Double(parties.count)
        #expect(abs(share - 0.4) < 4 * (0.24 / Double(parties.count)).squareRoot(), "\(share)")
        // Clusters have 1 / (1 − 0.4) parties. The spacing of 30 s costs 5% of the time, and the last seconds followers.
        let base = 3.6 * (spacing.isEmpty ? 1 : 0.952)
        let mean = Double(times.count) / Double(days)
        #expect(abs(mean - base / 0.6) < 0.06 * mean, "\(mean)")
    }

    @Test func `a changed rate leaves the followers on their way as they are, and with 0 they do not come`() throws {
        let week = """
            {"every": "1h", "perSecond": [0.0001], "followers": {"share": 0.9999, "after": "1000s"}}
            """
        let settings = try stand(week, opens: "2026-05-04")
        func counts(_ first: Double, _ second: Double) -> [UInt64] {
            var stand = Stand(settings)
            let out = FactPublisher(ClosureWiring())
            stand.open(out)
            repeat { stand.step(out) } while stand.ordersNumbered == 0
            let start = stand.now.seconds
            func parties(until seconds: Double) -> UInt64 {
                stand.advance(to: SimulationTime(seconds: start + seconds), out)
                return stand.ordersNumbered
            }
            stand.advance(to: SimulationTime(seconds: start + 500), out)
            stand.setRate(first, at: SimulationTime(seconds: start + 500), out)
            let counts = [parties(until: 999.9), parties(until: 1000.1)]
            stand.setRate(second, at: SimulationTime(seconds: start + 1001), out)
            return counts + [parties(until: 1999)]
        }
        #expect(counts(0.001, 0.001) == [1, 2, 2])
        #expect(counts(0, 0.001) == [1, 1, 1])
    }

    @Test func `an empty week ends at once`() throws {
        var stand = Stand(try stand(#"{"every": "1h", "perSecond": {}}"#))
        stand.open(FactPublisher(ClosureWiring()))
        #expect(stand.nextTime == .never)
    }

    @Test func `a resolved week reads back as itself`() throws {
        for week in [
            #"{"every": 3600, "perSecond": [0.5, 0.25]}"#,
            #"{"every": 3600, "perSecond": [0.5], "spacing": 12.5}"#,
            #"{"every": 3600, "perSecond": [0.5], "followers": {"share": 0.25, "after": 90}}"#,
            #"{"every": 1800, "perSecond": {"mon": [0.5], "sun": [0.25, 1]}, "level": {"gamma": {"shape": 4, "mean": 1}}}"#,
        ] {
            let settings = try stand(week, party: 2)
            #expect(try JuiceStandTests.settings(settings.resolved().compact()) == settings)
            #expect(
                settings.resolved().compact().contains(
                    week.replacingOccurrences(of: ", ", with: ",").replacingOccurrences(of: ": ", with: ":")))
        }
    }

    @Test(arguments: [
        (#"{"perSecond": [1]}"#, "week.every: is missing; must be a duration"),
        (#"{"every": "1h"}"#, "week.perSecond: is missing; must be a list of rates"),
        (#"{"every": "12h", "perSecond": [1, 1, 1]}"#, #"must have at most 2 entries of "12h" a day, found 3"#),
        (#"{"every": "1h", "perSecond": {"mod": [1]}}"#, #"perSecond.mod: unknown key; did you mean "mon"?"#),
        (#"{"every": "1h", "perSecond": {"mon": 1}}"#, "perSecond.mon: must be a list of rates, found 1"),
        (#"{"every": "1h", "perSecond": [-1]}"#, "perSecond[0]: must be "),
    ])
    func `a wrong week is named with its place and what would be right`(week: String, message: String) {
        expectProblem(#"{"customers": {"arrivals": {"week": \#(week)}}}"#, message)
    }
}
