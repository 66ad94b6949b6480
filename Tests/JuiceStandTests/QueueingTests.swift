import JuiceStand
import Testing

/// Known answers of queueing and inventory theory; figures copied from `references/queue_and_inventory.json`, which
/// names their sources.
struct QueueingTests {
    /// A model, and how far one run of this length may be off: about four standard errors, found with other seeds than
    /// the test's.
    struct Model: CustomTestStringConvertible, Sendable {
        var name: String
        var stand: String
        var seconds: Double
        var expected: [(metric: String, value: Double, tolerance: Double)]
        var testDescription: String { name }
    }

    private static func queue(_ arrivals: String, _ service: String, _ rest: String = "", customers: String = "")
        -> String
    {
        #"{"seed": 12, "fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": \#(service)}}"#
            + #"\#(rest), "customers": {"arrivals": \#(arrivals)\#(customers)}}"#
    }

    private static func poisson(_ rate: Double) -> String { #"{"poisson": {"perSecond": \#(rate)}}"# }
    private static let exponential = #"{"exponential": {"mean": 1}}"#

    /// (S−1, S) with S = 5, demand 2 a second, lead time 1.5 s.
    private static func baseStock(_ whenSoldOut: String) -> String {
        #"""
        {"seed": 3, "fruits": {"a": {"initial": 5, "restock": {"orderUpTo": {"reorderPoint": 4, "level": 5, "leadTime": 1.5}}}},
         "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}}, "makers": "unlimited",
         "customers": {"arrivals": {"poisson": {"perSecond": 2}}, "whenSoldOut": "\#(whenSoldOut)"}}
        """#
    }

    static let models: [Model] = [
        Model(
            name: "M/M/1", stand: queue(poisson(0.8), exponential), seconds: 400_000,
            expected: [
                ("wait.mean", 4.0, 0.06), ("waitProbability", 0.8, 0.01), ("wait.p90", 10.397207708399181, 0.06),
                ("present.mean", 4.0, 0.06),
            ]),
        Model(
            name: "M/M/3", stand: queue(poisson(2.7), exponential, #", "makers": 3"#), seconds: 150_000,
            expected: [("waitProbability", 0.8170610211706103, 0.02), ("wait.mean", 2.7235367372353676, 0.1)]),
        Model(
            name: "Erlang B", stand: queue(poisson(2), exponential, #", "makers": 3, "queue": {"limit": 0}"#),
            seconds: 100_000,
            expected: [("balked", 0.2105263157894737, 0.02)]),
        Model(
            name: "M/D/3/3, insensitive", stand: queue(poisson(2), "1", #", "makers": 3, "queue": {"limit": 0}"#),
            seconds: 100_000, expected: [("balked", 0.2105263157894737, 0.02)]),
        Model(
            name: "M/M/2/3",
            stand: queue(poisson(3), #"{"exponential": {"mean": 0.25}}"#, #", "makers": 2, "queue": {"limit": 1}"#),
            seconds: 100_000,
            expected: [("balked", 0.04936014625228519, 0.04), ("present.mean", 0.7623400365630714, 0.02)]),
        Model(
            name: "M/D/1", stand: queue(poisson(0.7), "1"), seconds: 200_000,
            expected: [("wait.mean", 1.1666666666666665, 0.04)]),
        Model(
            name: "M/E2/1", stand: queue(poisson(0.7), #"{"erlang": {"stages": 2, "mean": 1}}"#), seconds: 200_000,
            expected: [("wait.mean", 1.7499999999999996, 0.05)]),
        Model(
            name: "D/M/1", stand: queue(#"{"renewal": 1.25}"#, exponential), seconds: 300_000,
            expected: [("wait.mean", 1.6927308399200522, 0.05), ("waitProbability", 0.628629796496968, 0.01)]),
        Model(
            name: "Erlang A",
            stand: queue(
                poisson(4), exponential, #", "makers": 3"#, customers: #", "patience": {"exponential": {"mean": 2}}"#),
            seconds: 50_000, expected: [("reneged", 0.3067967256650391, 0.02)]),
        Model(
            name: "base stock, lost sales", stand: baseStock("leave"), seconds: 100_000,
            expected: [("soldOut", 0.11005434782608696, 0.03), ("stock.a.mean", 2.3301630434782608, 0.01)]),
        Model(
            name: "base stock, backorders", stand: baseStock("wait"), seconds: 100_000,
            expected: [
                ("stock.a.soldOutFraction", 0.18473675547622803, 0.03),
                ("stock.a.backordered.mean", 0.13462055627216657, 0.06),
                ("stock.a.mean", 2.1346205562721665, 0.01), ("fillRate", 1 - 0.18473675547622803, 0.01),
            ]),
        // Holding 20, shortage 150 and ordering 100 in the same unit of time as the rates; a day here is one such unit.
        Model(
            name: "(r, Q) = (3, 5) with backorders",
            stand: #"""
                {"seed": 5, "fruits": {"a": {"initial": 8, "costs": {"order": 100, "holding": 20, "shortage": 150},
                  "restock": {"fixedQuantity": {"reorderPoint": 3, "quantity": 5, "leadTime": "2d"}}}},
                 "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}}, "makers": "unlimited",
                 "customers": {"arrivals": {"poisson": {"perSecond": 0.000017361111111111111}}, "whenSoldOut": "wait"}}
                """#,
            seconds: 86_400 * 40_000, expected: [("cost.total per day", 107.92358063314978, 0.015)]),
    ]

    @Test(arguments: models)
    func `a stand agrees with the exact answer of its model`(model: Model) throws {
        let settings = try settings(model.stand)
        var stand = Stand(settings)
        // The start is empty, the answers are of the steady state.
        let warmUp = SimulationTime(seconds: model.seconds / 50)
        VirtualDriver(horizon: SimulationTime(seconds: model.seconds), warmUp: warmUp).run(&stand, ClosureWiring())
        var metrics = Dictionary(uniqueKeysWithValues: stand.metrics(at: stand.now).map { ($0.name, $0.value) })
        for share in ["balked", "reneged", "soldOut"] {
            metrics[share] = metrics["customers.\(share)"]!! / metrics["customers.arrived"]!!
        }
        metrics["cost.total per day"] = metrics["cost.total"]!! / ((model.seconds - warmUp.seconds) / 86_400)
        for (metric, value, tolerance) in model.expected {
            let found = try #require(metrics[metric] ?? nil, "\(metric)")
            #expect(
                abs(found - value) <= tolerance * value,
                "\(metric) is \(found), exactly \(value), seed \(settings.seed)")
        }
        // Little's law holds of every run: what is present is what arrives times how long it stays.
        if settings.queueLimit == .max, settings.customers.patience == nil, settings.makers < .max {
            let present = try #require(metrics["present.mean"] ?? nil)
            let stay = try #require(metrics["stay.mean"] ?? nil)
            let throughput = try #require(metrics["throughput"] ?? nil)
            #expect(abs(present - throughput * stay) <= 0.01 * present)
        }
    }
}
