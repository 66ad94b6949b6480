import Foundation
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

    /// Hundreds of orders for five juices wait for four fruits, and leave before or after some of their cups are filled.
    private static let crowded = """
        {
          "fruits": {
            "a": {"initial": 0, "restock": {"fixedQuantity": {"reorderPoint": 0, "quantity": 1, "leadTime": 40}}},
            "b": {"initial": 5, "restock": {"orderUpTo": {"reorderPoint": 2, "level": 30, "leadTime": 90, "review": 60}}},
            "c": {"initial": 0, "shelfLife": 200,
                  "restock": {"fixedQuantity": {"reorderPoint": 3, "quantity": 7, "leadTime": {"exponential": {"mean": 120}}}}},
            "d": {"initial": 9, "restock": {"fixedQuantity": {"reorderPoint": -20, "quantity": 3, "leadTime": 300}}}
          },
          "menu": {
            "A": {"recipe": {"a": 1}}, "AB": {"recipe": {"a": 1, "b": 2}}, "C": {"recipe": {"c": 2}},
            "BCD": {"recipe": {"b": 1, "c": 1, "d": 1}}, "D": {"recipe": {"d": 2}, "popularity": 2}
          },
          "makers": 3,
          "customers": {
            "arrivals": {"poisson": {"perSecond": 0.4}}, "cups": {"geometric": {"mean": 1.7}},
            "patience": {"exponential": {"mean": 900}}, "whenSoldOut": "wait"
          }
        }
        """

    /// The fingerprint is of the ledger that was written when each filling looked at every waiting order.
    @Test func `waiting orders are filled as they always were`() throws {
        let text = ledger(of: try settings(Self.crowded), until: 14_400)
        #expect(text.split(separator: "\n").count == 41_029)
        #expect(Fingerprint(text).text == "fbf9525fe6454a58")
    }

    @Test(arguments: [500, 3000, 9000])
    func `a stand goes on from a snapshot with its waiting orders`(seconds: Double) throws {
        let settings = try settings(Self.crowded)
        let whole = ledger(of: settings, until: 12_000)
        let wiring = ClosureWiring()
        let (logger, lines) = connectLedger(to: wiring, settings)
        var stand = Stand(settings)
        let out = FactPublisher(wiring)
        stand.open(out)
        stand.advance(to: SimulationTime(seconds: seconds), out)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let saved = try encoder.encode(stand.snapshot)
        var resumed = Stand(settings, resuming: try JSONDecoder().decode(Stand.Snapshot.self, from: saved))
        // What is saved does not depend on how long the stand has run since it was resumed.
        #expect(try encoder.encode(resumed.snapshot) == saved)
        resumed.advance(to: SimulationTime(seconds: 12_000), out)
        resumed.close(at: SimulationTime(seconds: 12_000), out)
        withExtendedLifetime(logger) {}
        #expect(lines.text == whole)
    }
}
