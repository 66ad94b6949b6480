import JuiceStand
import TestSupport
import Testing

/// The settings that a configuration text describes.
func settings(_ json: String, source: String = "test.json") throws -> StandSettings {
    try StandConfiguration(Array(json.utf8), source: source).settings
}

/// A ledger of `wiring`'s stand, kept in memory.
func connectLedger(to wiring: any Wiring, _ settings: StandSettings) -> (logger: StandLogger, lines: LineCollector) {
    let lines = LineCollector()
    let logger = StandLogger(.ledger, menu: settings.menu, sink: lines)
    wiring.connect(logger)
    return (logger, lines)
}

/// What a stand wrote into its ledger, from opening to closing.
func ledger(
    of settings: StandSettings, until seconds: Double?, wiring: any Wiring = ClosureWiring(), replication: UInt64 = 0
) -> String {
    let (logger, lines) = connectLedger(to: wiring, settings)
    var stand = Stand(settings, replication: replication)
    // Some wirings hold their observers weakly.
    withExtendedLifetime(logger) {
        _ = VirtualDriver(horizon: seconds.map { SimulationTime(seconds: $0) }).run(&stand, wiring)
    }
    return lines.text
}

/// Orders on paper: the second at which each comes, the place of its juice on the menu, and its cups.
func paperTrace(_ orders: [(at: Double, juice: Int, cups: Int)]) -> Arrivals {
    let source = Trace.Source(file: "on paper", time: "time", juice: "juice", cups: "cups")
    let lines = orders.map {
        Trace.Line(time: SimulationTime(seconds: $0.at), juice: Juice(index: $0.juice), cups: $0.cups)
    }
    return .trace(Trace(source: source, lines: lines))
}

/// The metrics of a stand up to now, by name.
func figures(of stand: Stand) -> [String: Double?] {
    Dictionary(uniqueKeysWithValues: stand.metrics(at: stand.now).map { ($0.name, $0.value) })
}

/// A busy stand with random laws, in which everything can happen.
let lively = """
    {
      "fruits": {
        "strawberry": {
          "initial": 60, "capacity": 90, "lowStock": 20, "shelfLife": "8m",
          "restock": {"fixedQuantity": {"reorderPoint": 30, "quantity": 40, "leadTime": {"exponential": {"mean": "4m"}}}}
        },
        "banana": {
          "initial": 12, "lowStock": 4,
          "restock": {"orderUpTo": {"reorderPoint": 8, "level": 20, "leadTime": {"uniform": {"from": 60, "to": 240}}}}
        },
        "kiwi": {
          "initial": 10, "restock": {"orderUpTo": {"reorderPoint": 6, "level": 16, "leadTime": "3m", "review": "5m"}}
        },
        "ice": {"initial": "unlimited"}
      },
      "menu": {
        "strawberry juice": {"recipe": {"strawberry": 6, "ice": 2}, "price": 4, "preparation": {"gamma": {"shape": 3, "mean": 25}}},
        "strawberry banana juice": {"recipe": {"strawberry": 4, "banana": 1}, "price": 5, "popularity": 2},
        "kiwi juice": {"recipe": {"kiwi": 2}, "price": 3, "preparation": {"exponential": {"mean": 20}}}
      },
      "makers": 2, "queue": {"limit": 6},
      "customers": {
        "arrivals": {"poisson": {"perSecond": 0.09}}, "cups": {"geometric": {"mean": 1.4}},
        "patience": {"exponential": {"mean": 90}}
      }
    }
    """

/// ``lively`` with another answer to a sold-out wish.
func lively(_ whenSoldOut: WhenSoldOut, seed: UInt64 = 42) throws -> StandSettings {
    var settings = try settings(lively)
    settings.customers.whenSoldOut = whenSoldOut
    settings.seed = seed
    return settings
}
