import JuiceStand
import StandExperiments
import Testing
import TextFormats

/// Why customers left, by juice, hour of the day and reason.
@Suite(.timeLimit(.minutes(60)))
struct LossesTests {
    private func rows(_ run: SimulationResult.Run) -> [String] {
        run.losses.map { "\($0.juice) \($0.hour) \($0.reason.name) \($0.perDay.mean ?? -1)" }
    }

    private static let apples = """
        {"opens": "2026-05-04T09:30:00", "fruits": {"apple": {"initial": 2}}, "queue": {"limit": 0},
         "menu": {"juice": {"recipe": {"apple": 1}, "preparation": "30m"}},
         "customers": {"arrivals": {"renewal": "20m"}}}
        """

    /// Opens at 09:30 with two apples and no queue. A customer comes every 20 minutes and is made a cup for half an
    /// hour: at 09:50 an apple is taken, at 10:10 the maker is busy, at 10:30 the other apple is taken, at 10:50 the
    /// maker is busy again. At 11:10, 11:30, 11:50 and 12:10 there is no apple. The horizon is at 12:30, after three
    /// hours, so that each customer is eight a day.
    @Test func `losses by hand: the juice wished, the hour of the calendar, the reason`() throws {
        let stand = try settings(Self.apples)
        let result = Experiment(base: stand, replications: 2, horizon: SimulationTime(seconds: 3 * 3600)).run(.init())
        #expect(
            rows(result.runs[0]) == [
                "juice 10 queueFull 16.0", "juice 11 soldOut 24.0", "juice 12 soldOut 8.0",
            ])
        #expect(result.runs[0].losses.allSatisfy { $0.perDay.halfWidth == 0 })
        let json = result.json()["runs"]?.elements[0]["losses"]
        #expect(
            json?.elements[0].compact()
                == #"{"juice":"juice","hour":10,"reason":"queueFull","perDay":{"mean":16,"halfWidth":0}}"#)
        #expect(json?.elements.count == 3)
        // The warm-up leaves out the losses before 11:00, and the period is half as long.
        let later = Experiment(
            base: stand, horizon: SimulationTime(seconds: 3 * 3600), warmUp: .fixed(SimulationTime(seconds: 5400))
        ).run(.init())
        #expect(rows(later.runs[0]) == ["juice 11 soldOut 48.0", "juice 12 soldOut 16.0"])
        #expect(later.runs[0].losses[0].perDay.halfWidth == nil, "one replication has no interval")
    }

    /// The wish is sold out, the substitute takes longer than anybody waits: who leaves missed the wish.
    @Test func `a customer who leaves the line for a substitute missed the juice that was wished`() throws {
        let stand = try settings(
            """
            {"fruits": {"apple": {"initial": 0}, "pear": {"initial": 100}},
             "menu": {"a": {"recipe": {"apple": 1, "pear": 1}},
                      "b": {"recipe": {"pear": 1}, "popularity": 1e-9, "preparation": "1d"}},
             "customers": {"arrivals": {"renewal": "10m"}, "patience": "1m", "whenSoldOut": "substitute"}}
            """)
        let result = Experiment(base: stand, horizon: SimulationTime(seconds: 3600)).run(.init())
        #expect(rows(result.runs[0]) == ["a 0 ranOutOfPatience 96.0"], "four of five, in an hour of a day")
    }

    /// A random stand with a random warm-up, in which everything that loses customers can happen.
    private func experiment(_ random: inout SplitMix64) throws -> Experiment {
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let json = """
            {"opens": "2026-05-04T0\(pick([0, 7, 9])):\(pick(["00", "30", "45"])):00", "seed": \(random.next() % 1000),
             "fruits": {
               "a": {"initial": \(pick([0, 5, 40])), "restock": \(pick([#""manual""#,
                 #"{"orderUpTo": {"reorderPoint": 5, "level": 30, "leadTime": {"exponential": {"mean": 900}}}}"#]))},
               "b": {"initial": \(pick([#"10"#, #""unlimited""#])), "shelfLife": \(pick(["1h", "2d"]).debugDescription)}},
             "menu": {
               "x": {"recipe": {"a": 2}, "preparation": {"exponential": {"mean": \(pick([20, 200]))}}},
               "y": {"recipe": {"a": 1, "b": 1}, "preparation": 40},
               "z": {"recipe": {"b": 1}, "preparation": 30}},
             "makers": \(pick([1, 3])), "queue": {"limit": \(pick(["0", "4", #""unlimited""#]))},
             "customers": {"arrivals": {"poisson": {"perSecond": \(pick([0.005, 0.03]))}},
               "cups": \(pick(["1", #"{"geometric": {"mean": 2}}"#])),
               \(pick([true, false]) ? #""patience": {"exponential": {"mean": 120}},"# : "")
               "whenSoldOut": \(pick(["leave", "substitute", "wait"]).debugDescription)}}
            """
        return Experiment(
            base: try settings(json), replications: pick([1, 3]),
            horizon: SimulationTime(seconds: Double(pick([3000, 40_000, 100_000]))),
            warmUp: .fixed(SimulationTime(seconds: Double(pick([0, 1000])))), includesTiming: false)
    }

    @Test func `losses times the days measured are the customers lost`() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var random = SplitMix64(seed: seed)
        var seen: Set<LossReason> = []
        for number in 0..<200 {
            let experiment = try experiment(&random)
            let result = experiment.run(.init())
            let horizon = try #require(result.horizon)
            let days = (horizon - result.warmUp).seconds / 86_400
            let losses = result.runs[0].losses
            for reason in LossReason.allCases where !reason.traits.isByCommand {
                let sum = losses.filter { $0.reason == reason }.reduce(0) { $0 + ($1.perDay.mean ?? 0) }
                let lost = try #require(result.runs[0].metric(reason.traits.metric)?.mean)
                #expect(abs(sum * days - lost) < 1e-6 * max(1, lost), "seed \(seed), stand \(number), \(reason)")
                if lost > 0 { seen.insert(reason) }
            }
            #expect(losses.allSatisfy { (0..<24).contains($0.hour) && $0.perDay.mean ?? 0 > 0 })
        }
        #expect(seen.count == 3, "seed \(seed): \(seen)")
    }

    @Test func `the worst losses are told first, and a page maps all of them`() throws {
        let stand = try settings(Self.apples)
        let result = Experiment(base: stand, replications: 2, horizon: SimulationTime(seconds: 3 * 3600)).run(.init())
        let report = result.report()
        #expect(
            report.text().contains(
                "\nWhy customers left\n  juice, 11:00–12:00, sold out: 24 a day\n"
                    + "  juice, 10:00–11:00, queue full: 16 a day\n"))
        let page = try #require(PageReading(report.html()), "not well-formed")
        let map = try #require(
            page.table("Customers who left, a day, by the juice they wished and the hour of the day"))
        #expect(map == [["juice", "10", "11", "12"], ["juice", "16", "24", "8"]])
        let shades = page.all("span").filter { $0.attributes["class"]?.hasPrefix("heat") ?? false }
        #expect(shades.map { $0.attributes["class"] } == ["heat h6", "heat h9", "heat h3"])
        #expect(shades[0].attributes["title"] == "juice, 10:00–11:00: queue full 16 a day")
        let nobody = Experiment(
            base: try settings(
                #"{"fruits": {"apple": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"apple": 1}}}}"#),
            horizon: SimulationTime(seconds: 60))
        #expect(!nobody.run(.init()).report().text().contains("Why customers left"))
    }
}
