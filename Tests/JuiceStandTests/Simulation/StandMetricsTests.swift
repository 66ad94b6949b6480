import JuiceStand
import Testing

/// Money, wages and short fruit. The scenarios have every metric.
@Suite(.timeLimit(.minutes(60)))
struct StandMetricsTests {
    @Test(
        arguments: [
            (4.5, 160_391.80000000054, 160_391.8), (0.1, 0.30000000000000004, 0.3), (0.125, 0.3750000000001, 0.375),
            (1, 7, 7), (1.23456789, 2.46913578, 2.46913578),
        ] as [(Double, Double, Double)])
    func `a sum of prices has their decimals`(price: Double, sum: Double, money: Double) {
        var settings = StandSettings.standard
        settings.offers[0].price = price
        #expect(settings.money(sum) == money)
    }

    private static func metrics(
        _ json: String, _ orders: [(at: Double, juice: Int, cups: Int)], until horizon: Double
    ) throws -> [String: Double?] {
        var settings = try settings(json)
        settings.customers.arrivals = paperTrace(orders)
        var stand = Stand(settings)
        VirtualDriver(horizon: SimulationTime(seconds: horizon)).run(&stand, ClosureWiring())
        return figures(of: stand)
    }

    @Test func `two makers for eight hours at 12.50 cost 200`() throws {
        // The order is in the making at the end; a trace without one would be over at once.
        let found = try Self.metrics(#"{"makers": 2, "wage": 12.5}"#, [(8 * 3600 - 1, 1, 1)], until: 8 * 3600)
        #expect(found["cost.makers"] == 200 && found["cost.total"] == 200 && found["profit"] == -200)
    }

    @Test func `makers without a limit have no wage`() throws {
        let found = try Self.metrics(#"{"makers": "unlimited"}"#, [], until: 10)
        #expect(found["cost.makers"] == nil && found["profit"] == 0)
        #expect(throws: ConfigurationError.self) { try settings(#"{"makers": "unlimited", "wage": 1}"#) }
        #expect(throws: ConfigurationError.self) { try settings(#"{"wage": -1}"#) }
    }

    @Test func `a wage changes no event and no fingerprint`() throws {
        let without = try settings("{}")
        let with = try settings(#"{"wage": 9}"#)
        #expect(without.fingerprint == with.fingerprint && without != with)
    }

    @Test func `a fruit is short below what the largest recipe takes`() throws {
        // Recipes of 16 and 10. 26 until 10, 16 until 20, 6 until 40.
        let found = try Self.metrics(
            """
            {"fruits": {"a": {"initial": 26}, "b": {"initial": "unlimited"}, "c": {"initial": 0}},
             "menu": {"x": {"recipe": {"a": 16}}, "y": {"recipe": {"a": 10, "b": 3}}}, "makers": 9}
            """, [(10, 1, 1), (20, 1, 1)], until: 40)
        #expect(found["stock.a.shortFraction"] == 0.5 && found["stock.a.soldOutFraction"] == 0)
        // No juice takes c, so nobody lacks it; b never runs out.
        #expect(found["stock.c.shortFraction"] == 0 && found["stock.c.soldOutFraction"] == 1)
        #expect(found["stock.b.shortFraction"] == nil)
    }
}
