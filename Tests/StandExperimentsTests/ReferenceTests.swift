import Foundation
import JuiceStand
import StandExperiments
import TestSupport
import Testing

/// Known answers of queueing and inventory theory, by closed form or from the stationary law of a Markov chain. A figure
/// may be off by what its own replications say.
@Suite(.timeLimit(.minutes(60)))
struct ReferenceTests {
    struct Model: CustomTestStringConvertible, Sendable {
        var name: String
        var stand: String
        /// Of one replication in `scripts/soak samples`. Other runs take less if that is precise enough.
        var seconds: Double
        /// The exact values of metrics, or of `A/B` of two, or of `A/time`.
        var expected: KeyValuePairs<String, Double>
        var testDescription: String { name }
    }

    private static let replications = 10
    private static let warmUp = 300.0
    /// Farther out than this Student's t with 9 degrees of freedom is once in 10,000 times.
    private static let standardErrors = StudentT.halfWidth(confidence: 0.9999, degrees: replications - 1)

    @Test(arguments: queues + inventories)
    func `a stand agrees with the exact solution of its model`(model: Model) throws {
        let base = try settings(model.stand)
        var found = try estimates(of: model, base, seconds: model.seconds * (Study.isFull ? 1 : 0.4))
        // Errors so large would let anything pass.
        func isWide(_ index: Int) -> Bool { found[index].error >= 0.08 * model.expected[index].value }
        if found.indices.contains(where: isWide) { found = try estimates(of: model, base, seconds: model.seconds) }
        for (index, answer) in model.expected.enumerated() {
            let (estimate, error) = found[index]
            let mean = try #require(estimate.mean)
            #expect(
                abs(mean - answer.value) <= Self.standardErrors * error + 1e-9,
                "\(answer.key) is \(estimate), exactly \(answer.value), seed \(base.seed)")
            #expect(!isWide(index), "\(answer.key) is \(estimate), seed \(base.seed)")
        }
    }

    /// Each answer as replications of this length find it, with its standard error.
    private func estimates(
        of model: Model, _ base: StandSettings, seconds: Double
    ) throws -> [(estimate: Estimate, error: Double)] {
        let result = Experiment(
            base: base, replications: Self.replications, horizon: SimulationTime(seconds: Self.warmUp + seconds),
            warmUp: .fixed(SimulationTime(seconds: Self.warmUp)), includesTiming: false
        ).run(.init(jobs: 2))
        #expect(result.faults == [])
        let run = result.runs[0]
        return try model.expected.map { answer in
            let parts = answer.key.split(separator: "/").map(String.init)
            let values = try run.outcomes.map { outcome in
                func value(_ name: String) throws -> Double {
                    if name == "time" { return seconds }
                    let index = try #require(run.names.firstIndex(of: name), "\(name)")
                    return try #require(outcome.values[index], "\(name)")
                }
                return parts.count > 1 ? try value(parts[0]) / value(parts[1]) : try value(parts[0])
            }
            let estimate = Estimate(name: answer.key, of: values)
            // Skewness lengthens the farther side only.
            let reach = try #require(estimate.reach)
            let error =
                min(reach.below, reach.above)
                / StudentT.halfWidth(confidence: Estimate.confidence, degrees: values.count - 1)
            return (estimate, error)
        }
    }

    /// M_t/M/∞, λ(t) = 20(1 + 0.6 sin(2πt/24)): the number present is Poisson of mean m(t), by Eick, Massey and Whitt,
    /// "M_t/G/∞ queues with sinusoidal arrival rates", Management Science 39 (1993). The sine is given in 240 steps with
    /// the average of their time each.
    @Test func `a stand with a profile follows the arrival rate`() throws {
        let steps = 240
        let rates = (0..<steps).map { step in
            let ends = [step, step + 1].map { cos(2 * Double.pi * Double($0) / Double(steps)) }
            return 20 + 12 * Double(steps) / (2 * Double.pi) * (ends[0] - ends[1])
        }
        var settings = try settings(
            Self.queue("{\"poisson\": {\"perSecond\": 1}}", Self.exponential(1), #", "makers": "unlimited""#))
        settings.customers.arrivals = .profile(
            every: SimulationTime(nanoseconds: 100_000_000), perSecond: rates, repeats: true)
        let days = Study.size(50, full: 150)
        var found: [Int: [Double]] = [:]
        var stand = Stand(settings)
        let driver = VirtualDriver(
            horizon: SimulationTime(seconds: Double(days) * 24 + 23),
            sampling: .init(every: SimulationTime(seconds: 6)) { stand, time in
                // Of the first day something is missing still.
                if time.seconds > 24 { found[Int(time.seconds) % 24, default: []].append(Double(stand.ordersPresent)) }
            })
        driver.run(&stand, ClosureWiring())
        let expected = [6: 31.23028818281518, 12: 22.940082571069038, 18: 8.769711817184822, 0: 17.059917428930962]
        for (hour, mean) in expected {
            let counts = try #require(found[hour])
            let n = Double(counts.count)
            #expect(n >= Double(days - 1))
            let average = counts.reduce(0, +) / n
            #expect(
                abs(average - mean) < 4 * (mean / n).squareRoot(), "hour \(hour): \(average), seed \(settings.seed)")
            // Poisson: as much variance as mean.
            let chiSquare = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) / mean }
            #expect(abs(chiSquare - n) < 4 * (n * (2 + 1 / mean)).squareRoot(), "hour \(hour), seed \(settings.seed)")
        }
    }
}

// MARK: - Queues

extension ReferenceTests {
    private static func queue(_ arrivals: String, _ service: String, _ rest: String = "", customers: String = "")
        -> String
    {
        #"{"seed": 11, "fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": \#(service)}}"#
            + #"\#(rest), "customers": {"arrivals": \#(arrivals)\#(customers)}}"#
    }

    private static func poisson(_ rate: Double) -> String { #"{"poisson": {"perSecond": \#(rate)}}"# }
    private static func exponential(_ mean: Double) -> String { #"{"exponential": {"mean": \#(mean)}}"# }
    private static let balked = "customers.balked/customers.arrived"
    private static let reneged = "customers.reneged/customers.arrived"
    private static let soldOut = "customers.soldOut/customers.arrived"

    static let queues: [Model] = [
        Model(
            name: "M/M/1", stand: queue(poisson(0.8), exponential(1)), seconds: 8000,
            expected: [
                "wait.mean": 4.000000000000001, "waitProbability": 0.8, "wait.p90": 10.397207708399181,
                "present.mean": 4, "queue.mean": 3.2, "stay.p90": 11.512925464970229, "makers.utilization": 0.8,
                "throughput": 0.8,
            ]),
        Model(
            name: "M/M/3", stand: queue(poisson(2.7), exponential(1), #", "makers": 3"#), seconds: 5600,
            expected: ["waitProbability": 0.8170610211706103, "wait.mean": 2.7235367372353676]),
        Model(
            name: "Erlang B", stand: queue(poisson(2), exponential(1), #", "makers": 3, "queue": {"limit": 0}"#),
            seconds: 1200, expected: [balked: 0.2105263157894737]),
        Model(
            name: "M/D/3/3, insensitive", stand: queue(poisson(2), "1", #", "makers": 3, "queue": {"limit": 0}"#),
            seconds: 1200, expected: [balked: 0.2105263157894737]),
        Model(
            name: "M/M/2/3", stand: queue(poisson(3), exponential(0.25), #", "makers": 2, "queue": {"limit": 1}"#),
            seconds: 1200, expected: [balked: 0.04936014625228519, "present.mean": 0.7623400365630714]),
        Model(
            name: "M/D/1", stand: queue(poisson(0.7), "1"), seconds: 4000,
            expected: ["wait.mean": 1.1666666666666665, "wait.p90": 3.077087]),
        Model(
            name: "M/E2/1", stand: queue(poisson(0.7), #"{"erlang": {"stages": 2, "mean": 1}}"#), seconds: 4000,
            expected: ["wait.mean": 1.7499999999999996]),
        Model(
            name: "D/M/1", stand: queue(#"{"renewal": 1.25}"#, exponential(1)), seconds: 4000,
            expected: ["wait.mean": 1.6927308399200522, "waitProbability": 0.628629796496968]),
        Model(
            name: "gamma/M/1", stand: queue(#"{"renewal": {"gamma": {"shape": 0.5, "mean": 1.25}}}"#, exponential(1)),
            seconds: 8000, expected: ["wait.mean": 6.316625, "waitProbability": 0.863325]),
        // All wait for so long: customers in line over arrivals a second. Those served are the more patient ones.
        Model(
            name: "Erlang A",
            stand: queue(
                poisson(4), exponential(1), #", "makers": 3"#, customers: #", "patience": \#(exponential(2))"#),
            seconds: 1000,
            expected: [
                reneged: 0.3067967256650391, "queue.mean": 4 * 0.6135934513300783, "wait.mean": 0.622571,
                "waitProbability": 0.77576,
            ]),
        Model(
            name: "M/M/1+D", stand: queue(poisson(1.2), exponential(1), customers: #", "patience": 2"#), seconds: 2400,
            expected: [reneged: 0.311818, "wait.mean": 0.796557]),
        // Orders wait on average for as many cups as there are in the stand: L = 10.
        Model(
            name: "batches of four", stand: queue(poisson(0.2), exponential(1), customers: #", "cups": 4"#),
            seconds: 16_000, expected: ["wait.mean": 10, "stay.mean": 14, "cups.served/time": 0.8]),
        Model(
            name: "MMPP/M/1",
            stand: queue(
                #"{"bursts": {"calm": {"perSecond": 0.3, "lasting": \#(exponential(20))}, "busy": {"perSecond": 1.4, "lasting": \#(exponential(8))}}}"#,
                exponential(1)),
            seconds: 8000,
            expected: ["present.mean": 3.980086, "wait.mean": 5.47921, "waitProbability": 0.753932]),
        Model(
            name: "M_t/M/1/4",
            stand: queue(
                #"{"profile": {"every": 4, "perSecond": [0.3, 2.5, 1], "repeat": true}}"#, exponential(1),
                #", "queue": {"limit": 3}"#),
            seconds: 2400, expected: [balked: 0.358096, "present.mean": 2.240455]),
        // Takács, "Introduction to the Theory of Queues" (1962), chapter 4.
        Model(
            name: "D/M/3/3",
            stand: queue(#"{"renewal": 0.5}"#, exponential(1), #", "makers": 3, "queue": {"limit": 0}"#), seconds: 1200,
            expected: [balked: 0.098317]),
        // Two cups are made at a time. With n ≥ 2 cups before it, a cup begins once n − 1 of those are done.
        Model(
            name: "batches of two, two makers",
            stand: queue(poisson(0.7), exponential(1), #", "makers": 2"#, customers: #", "cups": 2"#), seconds: 4000,
            expected: ["wait.mean": 1.490741, "waitProbability": 0.622222]),
        // Nobody comes while it is calm.
        Model(
            name: "IPP/M/1/3",
            stand: queue(
                #"{"bursts": {"calm": {"perSecond": 0, "lasting": \#(exponential(5))}, "busy": {"perSecond": 1.8, "lasting": \#(exponential(4))}}}"#,
                exponential(1), #", "queue": {"limit": 2}"#),
            seconds: 2400, expected: [balked: 0.366197, "present.mean": 1.060639]),
    ]
}

// MARK: - Inventories

extension ReferenceTests {
    /// A fruit under a restocking rule, for makers without limit who take no time.
    private static func inventory(_ rate: Double, _ fruit: String, _ customers: String = "") -> String {
        #"{"seed": 3, "fruits": {"a": {\#(fruit)}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}}, "makers": "unlimited""#
            + #", "customers": {"arrivals": \#(poisson(rate))\#(customers)}}"#
    }

    /// Restocking up to `level`, which is in stock at first.
    private static func upTo(_ level: Int, from reorderPoint: Int, leadTime: String, review: Int? = nil) -> String {
        let review = review.map { #", "review": \#($0)"# } ?? ""
        return #""initial": \#(level), "restock": {"orderUpTo": {"reorderPoint": \#(reorderPoint), "#
            + #""level": \#(level), "leadTime": \#(leadTime)\#(review)}}"#
    }

    private static func fixed(_ quantity: Int, from reorderPoint: Int, leadTime: Double, initial: Int) -> String {
        #""initial": \#(initial), "restock": {"fixedQuantity": {"reorderPoint": \#(reorderPoint), "#
            + #""quantity": \#(quantity), "leadTime": \#(leadTime)}}"#
    }

    private static let backorders = #", "whenSoldOut": "wait""#
    private static let someCups = #", "cups": {"empirical": {"values": [1, 2, 3], "weights": [5, 3, 2]}}"#
    private static let baseStock = upTo(5, from: 4, leadTime: "1.5")

    static let inventories: [Model] = [
        Model(
            name: "base stock, lost sales", stand: inventory(2, baseStock), seconds: 1200,
            expected: [soldOut: 0.11005434782608696, "stock.a.mean": 2.3301630434782608]),
        Model(
            name: "base stock, backorders", stand: inventory(2, baseStock, backorders), seconds: 1200,
            expected: [
                "stock.a.soldOutFraction": 0.18473675547622803, "stock.a.backordered.mean": 0.13462055627216657,
                "stock.a.mean": 2.1346205562721665, "fillRate": 1 - 0.18473675547622803,
                "wait.mean": 0.13462055627216657 / 2,
            ]),
        // Holding 20 and shortage 150 a piece and second.
        Model(
            name: "(r, Q) with backorders",
            stand: inventory(
                1.5,
                fixed(5, from: 3, leadTime: 2, initial: 8)
                    + #", "lowStock": 2, "costs": {"order": 100, "holding": 1728000, "shortage": 12960000}"#,
                backorders),
            seconds: 1600, expected: ["cost.total/time": 107.92358063314978, "alerts.lowStock/time": 0.285064]),
        // A second is a day: sold until noon, what is left spoils, fresh fruit at midnight; 200 for a piece that is left
        // and 270 for one that is missing make 786.0884409351081.
        Model(
            name: "newsvendor",
            stand: inventory(0, #""shelfLife": 0.5, "# + upTo(19, from: 18, leadTime: "0", review: 1)).replacing(
                poisson(0), with: #"{"profile": {"every": 0.5, "perSecond": [36, 0], "repeat": true}}"#),
            seconds: 400, expected: ["spoiled.a/time": 2.246997, "customers.soldOut/time": 1.246997]),
        Model(
            name: "(s, Q), several cups",
            stand: inventory(0.8, fixed(6, from: 4, leadTime: 2.5, initial: 10), backorders + someCups), seconds: 2400,
            expected: [
                "stock.a.mean": 4.296467, "stock.a.backordered.mean": 0.196467, "fillRate": 0.833494,
                "restock.a.orders/time": 0.226667,
            ]),
        Model(
            name: "(s, S), several cups",
            stand: inventory(0.8, upTo(11, from: 3, leadTime: "2.5"), backorders + someCups), seconds: 2400,
            expected: [
                "stock.a.mean": 4.571328, "stock.a.backordered.mean": 0.234897, "fillRate": 0.820089,
                "restock.a.orders/time": 0.159452,
            ]),
        Model(
            name: "(s, S), lost sales, exponential lead times",
            stand: inventory(2, upTo(7, from: 4, leadTime: exponential(2))), seconds: 1200,
            expected: [soldOut: 0.199222, "stock.a.mean": 2.796887]),
        Model(
            name: "periodic review, backorders",
            stand: inventory(1.2, upTo(9, from: 8, leadTime: "1.5", review: 4), backorders), seconds: 3200,
            expected: [
                "stock.a.mean": 4.854982, "stock.a.backordered.mean": 0.054982, "restock.a.orders/time": 0.247943,
            ]),
        // A chain in the level after each customer.
        Model(
            name: "(s, S), all or nothing",
            stand: inventory(
                1, upTo(7, from: 1, leadTime: "0"),
                #", "cups": {"empirical": {"values": [1, 2, 3, 4], "weights": [3, 3, 2, 2]}}"#),
            seconds: 1600,
            expected: [soldOut: 0.122017, "stock.a.mean": 4.540993, "cups.lost/cups.demanded": 0.193504]),
        // A chain in the level after each review.
        Model(
            name: "periodic review, lost sales",
            stand: inventory(1.2, upTo(6, from: 2, leadTime: "0", review: 4)), seconds: 2400,
            expected: [soldOut: 0.144055, "stock.a.mean": 3.211655, "restock.a.orders/time": 0.191072]),
        Model(
            name: "spoilage",
            stand: inventory(1.5, #""shelfLife": 3, "# + fixed(5, from: 0, leadTime: 0.7, initial: 0)), seconds: 1600,
            expected: ["spoiled.a/time": 0.34084, "stock.a.mean": 2.629435, soldOut: 0.21299]),
        Model(
            name: "substitution",
            stand: #"""
                {"seed": 5, "fruits": {
                   "a": {\#(upTo(2, from: 1, leadTime: exponential(2)))},
                   "b": {\#(upTo(3, from: 2, leadTime: exponential(1.2)))}},
                 "menu": {"x": {"recipe": {"a": 1}, "preparation": 0, "popularity": 1},
                   "y": {"recipe": {"b": 1}, "preparation": 0, "popularity": 0.6}},
                 "makers": "unlimited", "customers": {"arrivals": \#(poisson(1.6)), "whenSoldOut": "substitute"}}
                """#,
            seconds: 1200,
            expected: [
                "customers.substituted/customers.arrived": 0.231644, soldOut: 0.060703, "fillRate": 0.707653,
                "stock.a.mean": 0.782031, "stock.b.mean": 1.92733,
            ]),
        Model(
            name: "impatience with fruit",
            stand: #"""
                {"seed": 7, "fruits": {"a": {\#(upTo(2, from: 1, leadTime: exponential(1)))}},
                 "menu": {"j": {"recipe": {"a": 1}, "preparation": \#(exponential(1))}}, "queue": {"limit": 2},
                 "customers": {"arrivals": \#(poisson(1.5)), "patience": \#(exponential(2))}}
                """#,
            seconds: 1600,
            expected: [
                balked: 0.16189, soldOut: 0.133295, reneged: 0.198959, "stock.a.mean": 1.460162,
                "makers.utilization": 0.758784,
            ]),
    ]
}
