import Foundation
import JuiceStand
import TestSupport
import Testing

/// What comes is one more draw of what the futures say: its rank among them is uniform.
struct CalibrationTests {
    /// Bursts, spoilage, backorders, reviews, and laws for which it matters how much time has passed.
    private static let stand = """
        {"fruits": {
           "a": {"initial": 30, "shelfLife": "40m", "restock": {"fixedQuantity": {"reorderPoint": 15, "quantity": 20,
             "leadTime": {"erlang": {"stages": 9, "mean": 900}}}}},
           "b": {"initial": 20, "restock": {"orderUpTo": {"reorderPoint": 8, "level": 24,
             "leadTime": {"lognormal": {"mean": 600, "deviation": 200}}, "review": "10m"}}}},
         "menu": {
           "x": {"recipe": {"a": 2}, "preparation": {"gamma": {"shape": 4, "mean": 60}}},
           "y": {"recipe": {"a": 1, "b": 1}, "preparation": {"weibull": {"shape": 3, "scale": 70}}}},
         "makers": 2, "queue": {"limit": 8},
         "customers": {"cups": {"geometric": {"mean": 1.3}}, "patience": {"lognormal": {"mean": 300, "deviation": 200}},
           "whenSoldOut": "wait",
           "arrivals": {"bursts": {"calm": {"perSecond": 0.01, "lasting": {"erlang": {"stages": 4, "mean": 900}}},
             "busy": {"perSecond": 0.06, "lasting": {"uniform": {"from": 200, "to": 900}}}}}}}
        """

    private static let metrics = ["present.mean", "stock.a.mean", "stock.b.mean", "queue.hours"]
    private static let stands = Study.size(60, full: 1000)
    private static let futures = Study.size(9, full: 19)
    /// A correct forecast exceeds this in one of 10,000 cases: four degrees of freedom, or nine.
    private static let mostSquare = Study.isFull ? 33.7 : 23.5

    /// For each metric χ² of the ranks, in cells of two ranks each.
    ///
    /// - Parameter seen: What the forecast sees of a stand.
    private func ranks(_ seen: (Stand) throws -> Stand) throws -> [Double] {
        var cells = Self.metrics.map { _ in [Double](repeating: 0, count: (Self.futures + 1) / 2) }
        let silent = FactPublisher(ClosureWiring())
        for seed in 1...UInt64(Self.stands) {
            var random = SplitMix64(seed: seed)
            var settings = try settings(Self.stand)
            settings.seed = seed
            let now = SimulationTime(seconds: 1000 + 4000 * random.uniform())
            let end = now + SimulationTime(seconds: 900)
            var stand = Stand(settings)
            stand.open(silent)
            stand.advance(to: now, silent)
            let futures = Futures(of: try seen(stand), at: now, seed: seed)
            func figures(_ stand: Stand) -> [Double] {
                var stand = stand
                stand.advance(to: end, silent)
                let metrics = stand.metrics(at: end)
                return Self.metrics.map { name in metrics.first { $0.name == name }?.value ?? .nan }
            }
            let draws = (0..<UInt64(Self.futures)).map { figures(futures.stand($0)) }
            stand.endWarmUp(at: now)
            for (metric, value) in figures(stand).enumerated() {
                let below = draws.count { $0[metric] < value }
                // Equal figures share their ranks at random.
                let equal = draws.count { $0[metric] == value }
                cells[metric][(below + Int(random.uniform() * Double(equal + 1))) / 2] += 1
            }
        }
        let expected = Double(Self.stands) / Double(cells[0].count)
        return cells.map { $0.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected } }
    }

    @Test func `the rank of what comes is uniform`() throws {
        for (name, square) in zip(Self.metrics, try ranks { $0 }) {
            #expect(square < Self.mostSquare, "seeds 1 to \(Self.stands): χ² of \(square) for \(name)")
        }
    }

    /// The check has power: without ages the fruit on its way comes too late.
    @Test func `forgetting when things began shows in the ranks`() throws {
        func withoutBeginnings(_ stand: Stand) throws -> Stand {
            let snapshot = try JSONEncoder().encode(stand.snapshot)
            var members = try #require(JSONSerialization.jsonObject(with: snapshot) as? [String: Any])
            #expect(members.removeValue(forKey: "beginnings") != nil)
            let data = try JSONSerialization.data(withJSONObject: members)
            return Stand(
                stand.settings, resuming: try JSONDecoder().decode(Stand.Snapshot.self, from: data))
        }
        let squares = try ranks(withoutBeginnings)
        #expect(squares[1] > Self.mostSquare, "seeds 1 to \(Self.stands): \(squares)")
    }
}
