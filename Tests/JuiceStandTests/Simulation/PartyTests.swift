import Foundation
import JuiceStand
import Testing

/// Customers who come together.
@Suite(.timeLimit(.minutes(60)))
struct PartyTests {
    private func configuration(_ party: String, arrivals: String = #"{"renewal": 10}"#, more: String = "") -> String {
        """
        {"fruits": {"a": {"initial": 5}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 1}}, "makers": 1,
         "customers": {"arrivals": \(arrivals), "party": \(party)\(more)}}
        """
    }

    @Test func `each order of a party has its own number, draws and fate, at one instant`() throws {
        // Parties of three at 10 and 20; five pieces in all.
        let lines = try ledger(of: settings(configuration("3")), until: 25).split(separator: "\n")
        let orders = lines.filter { $0.contains("\"orderPlaced\"") || $0.contains("\"orderLost\"") }
        #expect(orders.count == 6)
        #expect(orders[2].contains(#""at":10.000000000,"event":"orderPlaced","order":3"#))
        #expect(orders[4].contains(#""at":20.000000000,"event":"orderPlaced","order":5"#))
        #expect(
            orders[5].contains(#""event":"orderLost","order":6,"juice":"j","cups":1,"reason":"soldOut","fruit":"a""#))
    }

    @Test func `parties of one write the ledger of a configuration without parties`() throws {
        let alone = lively.replacingOccurrences(
            of: #""cups": {"geometric""#, with: #""party": 1, "cups": {"geometric""#)
        #expect(try ledger(of: settings(alone), until: 3600) == ledger(of: settings(lively), until: 3600))
    }

    @Test func `the size of parties does not change the customers' own draws`() throws {
        // The nth order wants the same whatever party it came in.
        func wishes(_ party: String) throws -> [Substring] {
            let text = """
                {"customers": {"arrivals": {"poisson": {"perSecond": 1}}, "party": \(party), "cups": {"geometric": {"mean": 3}}},
                 "makers": "unlimited", "fruits": {\(["strawberry", "banana", "kiwi", "pineapple", "mango"]
                    .map { #""\#($0)": {"initial": "unlimited"}"# }.joined(separator: ","))}}
                """
            return try ledger(of: settings(text), until: 300).split(separator: "\n")
                .filter { $0.contains("orderPlaced") }.map { $0[$0.firstRange(of: "\"order\":")!.lowerBound...] }
        }
        let alone = try wishes("1")
        let together = try wishes(#"{"geometric": {"mean": 4}}"#)
        #expect(together.count > 3 * alone.count)
        #expect(Array(together.prefix(alone.count)) == alone)
    }

    @Test func `parties have the mean size of their law`() throws {
        var orders = 0.0
        for seed in 0..<20 {
            var settings = try settings(
                configuration(#"{"poisson": {"mean": 4}}"#, arrivals: #"{"renewal": 1}"#))
            settings.seed = UInt64(seed)
            var stand = Stand(settings)
            VirtualDriver(horizon: SimulationTime(seconds: 1000.5)).run(&stand, ClosureWiring())
            orders += Double(stand.ordersNumbered)
        }
        // Poisson of mean 4, at least 1: 4 + e⁻⁴; the standard error over 20,000 parties is 0.014.
        #expect(abs(orders / 20_000 - 4.0183) < 0.06, "\(orders)")
    }

    @Test func `a scheduled party arrives whole after a time at rate 0`() throws {
        var stand = Stand(try settings(configuration("3")))
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        stand.setRate(0, at: SimulationTime(seconds: 5), out)
        stand.advance(to: SimulationTime(seconds: 100), out)
        #expect(stand.ordersNumbered == 0)
        stand.setRate(1, at: SimulationTime(seconds: 100), out)
        stand.advance(to: SimulationTime(seconds: 104), out)
        #expect(stand.ordersNumbered == 0)
        stand.advance(to: SimulationTime(seconds: 106), out)
        #expect(stand.ordersNumbered == 3)
        stand.advance(to: SimulationTime(seconds: 116), out)
        #expect(stand.ordersNumbered == 6)
    }

    @Test func `a reload of party takes effect with the next party`() throws {
        let old = try settings(configuration("3"))
        let new = try settings(configuration("2"))
        var stand = Stand(old)
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        stand.reload(new, SettingsDifference(from: old, to: new).changes, at: SimulationTime(seconds: 5), out)
        stand.advance(to: SimulationTime(seconds: 15), out)
        #expect(stand.ordersNumbered == 2)
        stand.reload(
            try settings(configuration("1")),
            SettingsDifference(from: new, to: try settings(configuration("1"))).changes,
            at: SimulationTime(seconds: 15), out)
        stand.setRate(2, at: SimulationTime(seconds: 16), out)
        stand.advance(to: SimulationTime(seconds: 19), out)
        #expect(stand.ordersNumbered == 3)
    }

    @Test func `a trace ignores party`() throws {
        #expect(try settings(#"{"customers": {"party": 3}}"#).customers.party == .constant(3))
        var settings = try settings(configuration("3"))
        settings.customers.arrivals = paperTrace([(1, 0, 1)])
        var stand = Stand(settings)
        VirtualDriver(horizon: nil).run(&stand, ClosureWiring())
        #expect(stand.ordersNumbered == 1)
        // The makers are wrong so that the file, which does not exist, is not read.
        expectProblems(
            #"{"makers": ▸0, "customers": {"party": 1000, "cups": 1000, "arrivals": "#
                + #"{"trace": {"file": "f", "time": "t", "juice": "j"}}}}"#,
            [#"makers: must be at least 1, "unlimited" or {"shifts": …}, found 0"#])
    }
}
