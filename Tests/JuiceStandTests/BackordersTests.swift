import JuiceStand
import Testing

struct BackordersTests {
    /// X needs a fruit that is sold out and two pieces of c. Its cup waits, and it keeps c from others once it is short of
    /// it. Of three pieces, two cups of Y leave one, which is too few for X. So the third cup of Y must wait as well.
    @Test(arguments: [1, 2, 3, 4])
    func `a later order leaves the fruit that a waiting cup becomes short of`(cups: Int) throws {
        var settings = try settings(
            #"""
            {"fruits": {"a": {"initial": 0}, "c": {"initial": 3}},
             "menu": {"X": {"recipe": {"a": 1, "c": 2}}, "Y": {"recipe": {"c": 1}}},
             "customers": {"whenSoldOut": "wait"}}
            """#)
        settings.customers.arrivals = .trace(
            Trace(
                source: Trace.Source(
                    file: "on paper", time: "time", juice: "juice", cups: "cups", map: [], unmapped: .error,
                    timeFormat: nil, fingerprint: ""),
                lines: [
                    Trace.Line(time: SimulationTime(seconds: 1), juice: Juice(index: 0), cups: 1),
                    Trace.Line(time: SimulationTime(seconds: 2), juice: Juice(index: 1), cups: cups),
                ]))
        var stand = Stand(settings)
        VirtualDriver(horizon: SimulationTime(seconds: 100)).run(&stand, ClosureWiring())
        #expect(stand.maker.stock(of: Fruit(index: 1)) == 3 - min(cups, 2))
        let metrics = Dictionary(uniqueKeysWithValues: stand.metrics(at: stand.now).map { ($0.name, $0.value) })
        #expect(metrics["fillRate"] == Double(min(cups, 2)) / Double(cups + 1))
    }
}
