import Foundation
import JuiceStand
import Testing

@Suite(.timeLimit(.minutes(60)))
struct StandTests {
    @Test(arguments: WhenSoldOut.allCases)
    func `the seed determines the ledger`(whenSoldOut: WhenSoldOut) throws {
        let first = ledger(of: try lively(whenSoldOut), until: 7200)
        #expect(first == ledger(of: try lively(whenSoldOut), until: 7200))
        #expect(first != ledger(of: try lively(whenSoldOut, seed: 43), until: 7200))
        #expect(first != ledger(of: try lively(whenSoldOut), until: 7200, replication: 1))
    }

    @Test(arguments: WhenSoldOut.allCases)
    func `copies and snapshots do not change with the stand`(whenSoldOut: WhenSoldOut) throws {
        let silent = FactPublisher(ClosureWiring())
        let half = SimulationTime(seconds: 3600)
        let end = SimulationTime(seconds: 7200)
        var stand = Stand(try lively(whenSoldOut))
        stand.open(silent)
        stand.advance(to: half, silent)
        var copy = stand
        let snapshot = stand.snapshot
        let atHalf = stand.metrics(at: half)
        stand.advance(to: end, silent)
        let atEnd = stand.metrics(at: end)
        #expect(copy.metrics(at: half) == atHalf && atEnd != atHalf)
        var resumed = Stand(stand.settings, resuming: snapshot)
        #expect(resumed.metrics(at: half) == atHalf)
        // Each goes the same way from there.
        copy.advance(to: end, silent)
        resumed.advance(to: end, silent)
        #expect(copy.metrics(at: end) == atEnd && resumed.metrics(at: end) == atEnd)
    }

    /// Stands with lots of several ages, substitutes, hundreds of waiting orders, shifts, or followers on their way.
    private static let remembering: [String: String] = [
        "leave": lively,
        "substitute": lively.replacing("\"patience\"", with: #""whenSoldOut": "substitute", "patience""#),
        "wait": lively.replacing("\"patience\"", with: #""whenSoldOut": "wait", "patience""#),
        "crowded": BackordersTests.crowded,
        "shifts": """
        {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 25}},
         "makers": {"shifts": {"every": 33, "makers": [2, 0, 1], "repeat": true}},
         "customers": {"arrivals": {"renewal": 7}}}
        """,
        "followers": """
        {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}},
         "makers": "unlimited", "customers": {"party": {"geometric": {"mean": 1.5}}, "arrivals": {"week": {
           "every": "24h", "perSecond": [0.02], "level": {"uniform": {"from": 0.9, "to": 1.1}},
           "followers": {"share": 0.7, "after": {"uniform": {"from": 60, "to": 900}}}}}}}
        """,
    ]

    /// Stops at random events, encodes, decodes, and goes on.
    @Test(arguments: remembering.keys.sorted(), [1, 2, 3] as [UInt64])
    func `a stand resumed from its encoded state writes the same ledger`(name: String, seed: UInt64) throws {
        let text = try #require(Self.remembering[name])
        let settings = try settings(text)
        let whole = ledger(of: settings, until: 7200)

        let wiring = ClosureWiring()
        let (_, lines) = connectLedger(to: wiring, settings)
        let out = FactPublisher(wiring)
        var random = SplitMix64(seed: seed)
        var stand = Stand(settings)
        let horizon = SimulationTime(seconds: 7200)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var count = 0
        stand.open(out)
        while !stand.advance(to: horizon, limit: Int.random(in: 1...400, using: &random), out) {
            let saved = try encoder.encode(stand.snapshot)
            stand = Stand(settings, resuming: try JSONDecoder().decode(Stand.Snapshot.self, from: saved))
            // What is saved does not depend on how long the stand has run since it was resumed.
            #expect(try encoder.encode(stand.snapshot) == saved, "seed \(seed)")
            count += 1
        }
        #expect(count > 1, "seed \(seed)")
        let metrics = stand.metrics(at: horizon)
        stand.close(at: horizon, out)
        #expect(lines.text == whole, "seed \(seed)")

        // The tallies are part of the state, too.
        var uninterrupted = Stand(settings)
        let silent = FactPublisher(ClosureWiring())
        uninterrupted.open(silent)
        uninterrupted.advance(to: horizon, silent)
        #expect(metrics == uninterrupted.metrics(at: horizon))
    }

    @Test func `observers change nothing`() throws {
        let settings = try lively(.substitute)
        var alone = Stand(settings)
        VirtualDriver(horizon: SimulationTime(seconds: 7200)).run(&alone, ClosureWiring())
        let wiring = NotificationWiring()
        let display = StockDisplay()
        let alerter = LowStockAlerter()
        wiring.connect(display)
        wiring.connect(alerter)
        var observed = Stand(settings)
        VirtualDriver(horizon: SimulationTime(seconds: 7200)).run(&observed, wiring)
        #expect(alone.metrics(at: alone.now) == observed.metrics(at: observed.now))
        #expect(alone.factsAnnounced == observed.factsAnnounced)
        #expect(alerter.count == observed.tally.lowStockAlerts)
        #expect(display.current.served == observed.tally.served)
        #expect(display.current.present == observed.ordersPresent)
        #expect(display.current.levels == observed.maker.levels)
    }

    /// Common random numbers: what is told apart by a change are its consequences, not the customers.
    @Test(arguments: [
        ("\"makers\": 2", "\"makers\": 5"), ("\"limit\": 6", "\"limit\": 60"),
        (#"{"exponential": {"mean": 90}}"#, #"{"gamma": {"shape": 0.5, "mean": 300}}"#),
        (#"{"exponential": {"mean": 20}}"#, "1"), ("\"initial\": 60", "\"initial\": 61"),
    ])
    func `changing one setting leaves the customers unchanged`(from: String, to: String) throws {
        let changed = lively.replacing(from, with: to)
        #expect(changed != lively)
        #expect(arrivals(try settings(lively)) == arrivals(try settings(changed)))
    }

    /// When each order came, for what and how many cups, in order.
    private func arrivals(_ settings: StandSettings) -> [String] {
        ledger(of: settings, until: 3600).split(separator: "\n").compactMap { line in
            let isArrival = line.contains("orderPlaced") || (line.contains("orderLost") && !line.contains("Patience"))
            guard isArrival, let at = line.firstRange(of: "\"at\":"), let event = line.firstRange(of: ",\"event\"")
            else {
                return nil
            }
            let wish = line[line.firstRange(of: "\"order\":")!.lowerBound...]
            let end = wish.firstRange(of: ",\"by\"") ?? wish.firstRange(of: ",\"reason\"")!
            return String(line[at.upperBound..<event.lowerBound] + " " + wish[..<end.lowerBound])
        }
    }

    @Test func `a stock edit is all or nothing`() throws {
        let settings = try settings(#"{"customers": {"arrivals": {"poisson": {"perSecond": 0}}}}"#)
        let wiring = ClosureWiring()
        let (_, lines) = connectLedger(to: wiring, settings)
        let out = FactPublisher(wiring)
        var stand = Stand(settings)
        stand.open(out)
        let time = SimulationTime(seconds: 1)
        #expect(throws: StockEditError.wouldBeNegative(Fruit(.mango), by: 1)) {
            try stand.edit([(Fruit(.kiwi), 5), (Fruit(.mango), -11)], at: time, out)
        }
        #expect(lines.lines.count == 1)
        try stand.edit([(Fruit(.kiwi), 5), (Fruit(.mango), -10)], at: time, out)
        #expect(stand.maker.levels == [10, 10, 15, 10, 0])
        #expect(lines.lines.last?.hasSuffix(#""fruit":"mango","from":10,"to":0,"cause":"edit"}"#) == true)
    }

    /// A pause in the stream of customers must not leave behind what they left in the calendar.
    @Test func `memory does not grow with the patience of past customers`() throws {
        let settings = try settings(
            #"""
            {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 0.5}}, "makers": 3,
             "customers": {"arrivals": {"poisson": {"perSecond": 4}}, "patience": "30d"}}
            """#)
        var stand = Stand(settings)
        VirtualDriver(horizon: SimulationTime(seconds: 20_000)).run(&stand, ClosureWiring())
        #expect(stand.ordersNumbered > 70_000)
        let size = try JSONEncoder().encode(stand.snapshot).count
        #expect(size < 1_000_000, "\(size) bytes")
    }
}
