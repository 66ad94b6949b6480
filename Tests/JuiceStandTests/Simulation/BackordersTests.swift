import JuiceStand
import Testing

struct BackordersTests {
    /// Hundreds of orders for five juices wait for four fruits, and leave before or after some of their cups are filled.
    static let crowded = """
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

    static func fingerprint() throws -> String {
        LedgerFingerprintTests.fingerprint(ledger(of: try settings(crowded), until: 14_400))
    }

    /// The order of filling is that of the time when each filling looked at every waiting order.
    @Test func `waiting orders are filled as they always were`() throws {
        let kept = try LedgerFingerprintTests.kept()["waiting orders"]
        #expect(try Self.fingerprint() == kept, "\(LedgerFingerprintTests.howToWrite)")
    }
}
