import JuiceStand
import Platform
import TestSupport
import Testing

/// What people do to an open stand by hand.
@Suite(.timeLimit(.minutes(60)))
struct StandCommandsTests {
    private static let laws = [
        #"{"poisson": {"perSecond": 0.5}}"#,
        #"{"renewal": {"gamma": {"shape": 3, "mean": 2}}}"#,
        #"{"profile": {"every": 7, "perSecond": [0.2, 0.9, 0], "repeat": true}}"#,
        #"{"bursts": {"calm": {"perSecond": 0.1, "lasting": {"exponential": {"mean": 9}}}, "busy": {"perSecond": 2, "lasting": {"uniform": {"from": 1, "to": 9}}}}}"#,
        #"{"week": {"every": "10m", "perSecond": [0.5, 1, 0.2, 0.9], "level": {"gamma": {"shape": 4, "mean": 1}}}}"#,
    ]

    private func open(_ law: String, seed: Int) throws -> (Stand, FactPublisher) {
        let configuration = #"{"seed": \#(seed), "makers": "unlimited", "customers": {"arrivals": \#(law)}}"#
        var stand = Stand(try settings(configuration))
        let out = FactPublisher(ClosureWiring())
        stand.open(out)
        return (stand, out)
    }

    @Test(arguments: laws)
    func `a rate restored at once moves customers by rounding only`(law: String)
        throws
    {
        for seed in 0..<20 {
            var (stand, out) = try open(law, seed: seed)
            var (other, _) = try open(law, seed: seed)
            for step in 1...40 {
                let time = SimulationTime(seconds: 3.7 * Double(step))
                stand.advance(to: time, out)
                other.advance(to: time, out)
                for factor in [3, 0, 0.25, 1] { stand.setRate(factor, at: time, out) }
                #expect(stand.ordersNumbered == other.ordersNumbered, "seed \(seed), \(time.seconds) s")
                let gap = abs(stand.nextTime.nanoseconds - other.nextTime.nanoseconds)
                #expect(gap <= 1000, "seed \(seed), \(time.seconds) s")
            }
        }
    }

    @Test(arguments: laws)
    func `three times the rate gives three times the customers`(law: String) throws {
        var counts = [0.0, 0.0]
        for (index, factor) in [1.0, 3].enumerated() {
            for seed in 0..<15 {
                var (stand, out) = try open(law, seed: seed)
                stand.setRate(factor, at: .zero, out)
                stand.advance(to: SimulationTime(seconds: 2100), out)
                counts[index] += Double(stand.ordersNumbered)
            }
        }
        let ratio = counts[1] / counts[0]
        #expect((2.85...3.15).contains(ratio), "\(counts)")
    }

    @Test func `a profile with tiny pieces changes its rate quickly and correctly`() throws {
        // The next customer comes after some 10¹² pieces.
        for seed in 0..<5 {
            var (stand, out) = try open(
                #"{"profile": {"every": 1e-9, "perSecond": [0.001, 0.003], "repeat": true}}"#, seed: seed)
            let now = SimulationTime(seconds: 1)
            let next = stand.nextTime
            stand.setRate(2, at: now, out)
            let expected = 1 + (next.seconds - 1) / 2
            #expect(abs(stand.nextTime.seconds - expected) < 1e-6 * expected, "seed \(seed)")
        }
    }

    @Test func `a changed rate scales the gaps of a trace`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("time,juice\n10,kiwi juice\n20,kiwi juice\n40,kiwi juice\n", to: "trace.csv")
        let trace = #"{"trace": {"file": "\#(file)", "time": "time", "juice": "juice"}}"#
        var (stand, out) = try open(trace, seed: 1)
        #expect(stand.nextTime == SimulationTime(seconds: 10))
        let five = SimulationTime(seconds: 5)
        stand.advance(to: five, out)
        stand.setRate(0, at: five, out)
        #expect(stand.nextTime == .never && !stand.isOver)
        stand.setRate(0.5, at: SimulationTime(seconds: 100), out)
        #expect(stand.nextTime == SimulationTime(seconds: 110))
        stand.advance(to: SimulationTime(seconds: 110.5), out)
        #expect(stand.ordersNumbered == 1)
        stand.advance(to: SimulationTime(seconds: 130.5), out)
        #expect(stand.ordersNumbered == 2)
        stand.advance(to: SimulationTime(seconds: 170.5), out)
        #expect(stand.ordersNumbered == 3)
    }
}

/// A stand with ten kiwis that is reloaded, and what its ledger has from then on.
private struct Reloading {
    private let logger: StandLogger
    private let lines: LineCollector
    private let out: FactPublisher
    private let new: StandSettings
    private let old: StandSettings
    var stand: Stand

    /// - Parameter fruit: The keys of the kiwis beside `initial`, before and after.
    init(fruit: (String, String)) throws {
        func configuration(_ fruit: String) throws -> StandSettings {
            try settings(
                #"{"fruits": {"kiwi": {"initial": 10\#(fruit)}}, "menu": {"j": {"recipe": {"kiwi": 1}}}, "#
                    + #""customers": {"arrivals": {"poisson": {"perSecond": 0}}}}"#)
        }
        old = try configuration(fruit.0)
        new = try configuration(fruit.1)
        let wiring = ClosureWiring()
        (logger, lines) = connectLedger(to: wiring, old)
        out = FactPublisher(wiring)
        stand = Stand(old)
        stand.open(out)
    }

    mutating func reload(at seconds: Double) {
        advance(to: seconds)
        stand.reload(new, SettingsDifference(from: old, to: new).changes, at: SimulationTime(seconds: seconds), out)
    }

    mutating func reloadOld(at seconds: Double) {
        advance(to: seconds)
        stand.reload(old, SettingsDifference(from: new, to: old).changes, at: SimulationTime(seconds: seconds), out)
    }

    mutating func take(_ pieces: Int, at seconds: Double) throws {
        advance(to: seconds)
        try stand.edit([(Fruit(index: 0), -pieces)], at: SimulationTime(seconds: seconds), out)
    }

    mutating func advance(to seconds: Double) { stand.advance(to: SimulationTime(seconds: seconds), out) }

    /// What an audit of the ledger finds, with some more lines.
    func problems(_ more: String...) -> [String] {
        var audit = LedgerAudit()
        audit.read(Array((lines.lines + more).joined(separator: "\n").utf8) + [0x0A], source: "ledger")
        return audit.finding.problems.map { "\($0)" }
    }

    /// The lines of an event.
    func events(named event: String) -> [String] { lines.lines.filter { $0.contains("\"event\":\"\(event)\"") } }

    /// The seconds at which an event of that name happened.
    func seconds(of event: String) -> [Double] {
        events(named: event).compactMap { line in line.firstMatch(of: /"at":([0-9.]+)/).flatMap { Double($0.1) } }
    }
}

@Test(arguments: [(12, 1), (10, 1), (9, 0)])
func `the first threshold of a shelf is announced if the level is at it or below`(threshold: Int, alerts: Int) throws {
    var reloading = try Reloading(fruit: ("", ", \"lowStock\": \(threshold)"))
    reloading.reload(at: 5)
    let found = reloading.events(named: "lowStock")
    #expect(found.count == alerts && reloading.stand.tally.lowStockAlerts == alerts)
    #expect(found.allSatisfy { $0.contains("\"level\":10,\"threshold\":\(threshold)") })
    // Without a threshold again, it is low no longer.
    reloading.reloadOld(at: 6)
    #expect(reloading.events(named: "stockRecovered").count == alerts)
}

@Test func `a reload that raises the reorder point orders at once`() throws {
    func restock(_ point: Int) -> String {
        #", "restock": {"orderUpTo": {"reorderPoint": \#(point), "level": 20, "leadTime": 60}}"#
    }
    var reloading = try Reloading(fruit: (restock(2), restock(12)))
    reloading.reload(at: 5)
    #expect(reloading.seconds(of: "restockOrdered") == [5])
}

@Test func `after a reload of a periodic policy the reviews of the former one are gone`() throws {
    func restock(_ review: Int) -> String {
        #", "restock": {"orderUpTo": {"reorderPoint": 5, "level": 20, "leadTime": 60, "review": \#(review)}}"#
    }
    var reloading = try Reloading(fruit: (restock(100), restock(1000)))
    reloading.reload(at: 50)
    try reloading.take(8, at: 60)
    reloading.advance(to: 2000)
    #expect(reloading.seconds(of: "restockOrdered") == [1050])
}

@Test func `an audit knows that a changed threshold is crossed by an unchanged level`() throws {
    var reloading = try Reloading(fruit: (", \"lowStock\": 5", ", \"lowStock\": 12"))
    try reloading.take(2, at: 1)
    reloading.reload(at: 2)
    #expect(reloading.seconds(of: "lowStock") == [2] && reloading.problems() == [])
}

@Test func `an audit finds an alert of a level that was low already`() throws {
    var reloading = try Reloading(fruit: (", \"lowStock\": 5", ""))
    try reloading.take(6, at: 1)
    try reloading.take(1, at: 2)
    #expect(reloading.seconds(of: "lowStock") == [1] && reloading.problems() == [])
    let alert = #"{"seq":5,"at":2.000000000,"event":"lowStock","fruit":"kiwi","level":3,"threshold":5}"#
    #expect(reloading.problems(alert).contains { $0.contains("kiwi went from 4 to 3, which does not cross 5") })
}
