import Foundation
import JuiceStand
import TestSupport
import Testing

/// A stand whose next figure is almost only up to one hidden part, while what can be seen of it tells nothing.
private struct Leak: CustomTestStringConvertible, Sendable {
    let part: HiddenPart
    /// Seconds after opening at which the futures part, and for which they run.
    var at = 0.0
    var length = 100.0
    var metric = "present.mean"
    var arrivals = #"{"renewal": 2}"#
    var preparation = "10"
    var makers = #""unlimited""#
    var more = ""
    var shelf = #""initial": "unlimited""#

    var testDescription: String { "\(part)" }

    func settings(seed: UInt64) throws -> StandSettings {
        var settings = try JuiceStandTests.settings(
            """
            {"fruits": {"a": {\(shelf)}}, "makers": \(makers), "menu": {"j": {"recipe": {"a": 1}, "preparation": \(preparation)},
             "k": {"recipe": {"a": 1}, "preparation": \(part == .juices ? "50" : preparation)}},
             "customers": {"arrivals": \(arrivals)\(more)}}
            """)
        settings.seed = seed
        return settings
    }
}

private let uniform = #"{"uniform": {"from": 5, "to": 50}}"#
private let party = #"{"renewal": 20}"#

/// One for each part: the switch makes a part without a case impossible.
private func leak(of part: HiddenPart) -> Leak {
    switch part {
    case .gaps: Leak(part: part, arrivals: #"{"poisson": {"perSecond": 0.1}}"#)
    case .phases:
        Leak(
            part: part, length: 200,
            arrivals: """
                {"bursts": {"calm": {"perSecond": 0.05, "lasting": {"uniform": {"from": 50, "to": 150}}},
                 "busy": {"perSecond": 3, "lasting": {"uniform": {"from": 20, "to": 60}}}}}
                """)
    case .followers:
        Leak(
            part: part, at: 60, length: 40, metric: "customers.arrived",
            arrivals: """
                {"week": {"every": "1m", "perSecond": [5, 0.000001],
                 "followers": {"share": 0.5, "after": {"uniform": {"from": 60, "to": 120}}}}}
                """)
    case .levels:
        Leak(
            part: part, at: 7200, length: 90_000,
            arrivals: """
                {"week": {"every": "1h", "perSecond": [0.05], "level": {"lognormal": {"mean": 1, "deviation": 1}}}}
                """)
    case .parties: Leak(part: part, arrivals: party, more: #", "party": {"geometric": {"mean": 5}}"#)
    case .juices: Leak(part: part)
    case .cups: Leak(part: part, metric: "cups.demanded", more: #", "cups": {"geometric": {"mean": 5}}"#)
    case .patience:
        Leak(part: part, preparation: "100000", makers: "1", more: #", "patience": {"uniform": {"from": 5, "to": 90}}"#)
    case .waitingPatience:
        Leak(
            part: part, at: 21, length: 18, arrivals: party, preparation: "100000", makers: "1",
            more: #", "party": 30, "patience": {"uniform": {"from": 2, "to": 25}}"#)
    case .preparation: Leak(part: part, preparation: uniform)
    case .cupsBegun:
        Leak(
            part: part, at: 21, length: 18, arrivals: party, preparation: #"{"uniform": {"from": 2, "to": 18}}"#,
            more: #", "party": 30, "cups": 2"#)
    case .cupsNotBegun:
        Leak(
            part: part, at: 2001, length: 1900, arrivals: #"{"renewal": 2000}"#,
            preparation: #"{"uniform": {"from": 20, "to": 200}}"#, makers: "1", more: #", "party": 10"#)
    case .deliveries:
        Leak(
            part: part, at: 50, length: 1000, metric: "stock.a.mean", arrivals: #"{"poisson": {"perSecond": 0}}"#,
            shelf: """
                "initial": 1, "restock": {"fixedQuantity": {"reorderPoint": 30, "quantity": 1,
                 "leadTime": {"uniform": {"from": 60, "to": 1000}}}}
                """)
    case .leadTimes:
        Leak(
            part: part, length: 400, metric: "stock.a.mean", arrivals: #"{"renewal": 10}"#,
            shelf: """
                "initial": 10, "restock": {"orderUpTo": {"reorderPoint": 9, "level": 10,
                 "leadTime": {"uniform": {"from": 20, "to": 150}}}}
                """)
    }
}

/// Leaves one part after the other as the stand has settled it. A future that knows something goes the way of the stand.
struct FutureLeakTests {
    private static let stands = Study.size(30, full: 1000)

    /// The correlation of what comes with one future, over many stands that look alike.
    private func correlation(_ leak: Leak, redrawing parts: [HiddenPart]) throws -> Double {
        let silent = FactPublisher(ClosureWiring())
        let now = SimulationTime(seconds: leak.at)
        let end = now + SimulationTime(seconds: leak.length)
        var pairs: [(Double, Double)] = []
        for seed in 1...UInt64(Self.stands) {
            var stand = Stand(try leak.settings(seed: seed))
            stand.open(silent)
            stand.advance(to: now, silent)
            var future = Futures(of: stand, at: now, seed: seed, redrawing: parts).stand(0)
            stand.endWarmUp(at: now)
            stand.advance(to: end, silent)
            future.advance(to: end, silent)
            func figure(_ stand: Stand) -> Double {
                stand.metrics(at: end).first { $0.name == leak.metric }?.value ?? .nan
            }
            pairs.append((figure(stand), figure(future)))
        }
        let n = Double(pairs.count)
        let means = (pairs.map(\.0).reduce(0, +) / n, pairs.map(\.1).reduce(0, +) / n)
        func sum(_ f: ((Double, Double)) -> Double) -> Double { pairs.map(f).reduce(0, +) }
        let product = sum { ($0.0 - means.0) * ($0.1 - means.1) }
        let squares = (sum { ($0.0 - means.0) * ($0.0 - means.0) }, sum { ($0.1 - means.1) * ($0.1 - means.1) })
        return product / (squares.0 * squares.1).squareRoot()
    }

    /// Independent figures have a larger correlation in one case of 10,000: 3.9 standard errors of Fisher's transform.
    private static let mostByChance = tanh(3.9 / Double(stands - 3).squareRoot())

    @Test(arguments: HiddenPart.allCases)
    func `a part that is not drawn anew shows`(part: HiddenPart) throws {
        let leak = leak(of: part)
        let unknown = try correlation(leak, redrawing: HiddenPart.allCases)
        #expect(abs(unknown) < Self.mostByChance, "seeds 1 to \(Self.stands): \(unknown)")
        let known = try correlation(leak, redrawing: HiddenPart.allCases.filter { $0 != part })
        #expect(known > Self.mostByChance, "seeds 1 to \(Self.stands): \(known)")
    }
}
