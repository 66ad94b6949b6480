import JuiceStand

/// A day on which every kind of fact happens. A new kind must happen here too.
package struct EventfulDay {
    /// Customers take another juice at first, and wait for fruit once the second configuration is in force.
    package static func configuration(_ whenSoldOut: WhenSoldOut = .substitute) -> String {
        """
        {
          "fruits": {
            "kiwi": {
              "initial": 6, "lowStock": 3,
              "restock": {"fixedQuantity": {"reorderPoint": 2, "quantity": 6, "leadTime": 40}}
            },
            "mango": {
              "initial": 6, "lowStock": 3,
              "restock": {"fixedQuantity": {"reorderPoint": 2, "quantity": 6, "leadTime": 90}}
            }
          },
          "menu": {
            "kiwi juice": {"recipe": {"kiwi": 2}, "preparation": 8},
            "mango juice": {"recipe": {"mango": 2}, "preparation": 8},
          },
          "customers": {"arrivals": {"renewal": 10}, "patience": 60, "whenSoldOut": "\(whenSoldOut.rawValue)"},
        }
        """
    }

    package let wiring: any Wiring
    package private(set) var stand: Stand

    package init(_ wiring: any Wiring) throws {
        self.wiring = wiring
        stand = Stand(try Self.settings(.substitute))
    }

    package static func settings(_ whenSoldOut: WhenSoldOut) throws -> StandSettings {
        try StandConfiguration(Array(configuration(whenSoldOut).utf8), source: "test").settings
    }

    /// - Parameter beforeClosing: Called when everything has happened except the closing.
    package mutating func run(beforeClosing: (Stand) -> Void) throws {
        let out = FactPublisher(wiring)
        stand.open(out)
        let noon = SimulationTime(seconds: 1000)
        stand.advance(to: noon, out)
        stand.takeOrder("grape juice", at: noon, out)
        stand.setRate(2, at: noon, out)
        stand.pause(at: noon, out)
        stand.resume(at: noon, out)
        let waiting = try Self.settings(.wait)
        let changes = SettingsDifference(from: stand.settings, to: waiting).changes
        stand.reload(waiting, changes, at: noon, out)
        let evening = SimulationTime(seconds: 2000)
        stand.advance(to: evening, out)
        beforeClosing(stand)
        stand.close(at: evening, out)
    }
}
