import Dispatch
import Foundation
import JuiceStand
import Synchronization
import TestSupport
import Testing

/// Rules of the stand that a plausible wrong change would break without any other test noticing.
@Suite(.timeLimit(.minutes(60)))
struct RuleTests {
    private let out = FactPublisher(ClosureWiring())

    private func seconds(_ seconds: Double) -> SimulationTime { SimulationTime(seconds: seconds) }

    @Test(arguments: [
        (shifts: #"{"every": 120, "makers": [0, 1]}"#, order: 100.0, end: 130.0, served: 1.0),
        (shifts: #"{"every": 100, "makers": [1, 0]}"#, order: 120, end: 120, served: 0),
    ])
    func `a trace ends with its last order, or when no later shift can serve it`(
        shifts: String, order: Double, end: Double, served: Double
    ) throws {
        var settings = try settings(
            """
            {"fruits": {"fig": {"initial": 2}}, "menu": {"fig juice": {"recipe": {"fig": 2}, "preparation": 10}},
             "makers": {"shifts": \(shifts)}}
            """)
        settings.customers.arrivals = paperTrace([(order, 0, 1)])
        var stand = Stand(settings)
        VirtualDriver(horizon: nil).run(&stand, ClosureWiring())
        #expect(stand.now == seconds(end))
        #expect(figures(of: stand)["customers.served"] == served)
    }

    @Test(arguments: LossReason.allCases)
    func `a stand loses customers for every reason`(reason: LossReason) throws {
        // Two customers a second apart, and makers who need longer.
        let (figs, rest) =
            switch reason {
            case .queueFull: (9, #""queue": {"limit": 0}"#)
            case .soldOut: (1, "")
            case .ranOutOfPatience: (9, #""customers": {"patience": 3}"#)
            case .notOnMenu: (9, "")
            }
        var settings = try settings(
            """
            {"makers": 1, "fruits": {"fig": {"initial": \(figs)}},
             "menu": {"fig juice": {"recipe": {"fig": 1}, "preparation": 100}}, \(rest)}
            """)
        settings.customers.arrivals = paperTrace([(1, 0, 1), (2, 0, 1)])
        var stand = Stand(settings)
        stand.open(out)
        if reason == .notOnMenu { stand.takeOrder("tea", at: .zero, out) }
        stand.advance(to: seconds(10), out)
        for other in LossReason.allCases { #expect((stand.tally.lost[other] > 0) == (other == reason), "\(other)") }
    }

    @Test func `fruit is paid when it is ordered, not when it comes`() throws {
        // The position is at the reorder point at opening: 7 pieces at 0.5 and an order at 3. They come after the end.
        var stand = Stand(
            try settings(
                #"""
                {"fruits": {"fig": {"initial": 3, "costs": {"unit": 0.5, "order": 3},
                   "restock": {"orderUpTo": {"reorderPoint": 3, "level": 10, "leadTime": "1h"}}}},
                 "menu": {"fig juice": {"recipe": {"fig": 2}}}, "customers": {"arrivals": {"renewal": 1e9}}}
                """#))
        VirtualDriver(horizon: seconds(60)).run(&stand, ClosureWiring())
        #expect(figures(of: stand)["cost.ordering"] == 6.5)
        #expect(figures(of: stand)["restock.fig.pieces"] == 0)
    }

    /// The customers of a day on which one comes a second at level 1; each day has a level from 0 to 1.
    ///
    /// - Parameter rates: When the rate is multiplied by which factor.
    private func customers(ofDay day: Int, rates: [(at: Double, factor: Double)]) throws -> Int {
        var stand = Stand(
            try settings(
                #"""
                {"opens": "2026-05-04", "fruits": {"a": {"initial": "unlimited"}}, "makers": "unlimited",
                 "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}},
                 "customers": {"arrivals": {"week": {"every": "1d", "perSecond": [1],
                   "level": {"uniform": {"from": 0, "to": 1}}}}}}
                """#))
        stand.open(out)
        for (time, factor) in rates {
            stand.advance(to: seconds(time), out)
            stand.setRate(factor, at: seconds(time), out)
        }
        stand.advance(to: seconds(Double(day - 1) * 86_400), out)
        let before = stand.ordersNumbered
        stand.advance(to: seconds(Double(day) * 86_400), out)
        return Int(stand.ordersNumbered - before)
    }

    @Test func `days on which nobody comes draw their level too`() throws {
        let open = try customers(ofDay: 4, rates: [])
        let closed = try customers(ofDay: 4, rates: [(40_000, 0), (3 * 86_400 - 1, 1)])
        #expect(abs(open - closed) < 2000, "\(open) customers, and \(closed) after days without any")
    }

    @Test func `a new rate keeps the levels of the days`() throws {
        // Near midnight the rate falls, so that the next customer is due tomorrow, and rises again.
        let one = try customers(ofDay: 2, rates: [])
        let other = try customers(ofDay: 2, rates: [(86_000, 0.001), (86_100, 1)])
        #expect(abs(one - other) < 2000, "\(one) customers, and \(other) after a change of the rate")
    }

    @Test func `a new rate leaves the phases of bursts where they are`() throws {
        // Calm and busy take turns every 100 s; only busy phases bring customers, 10 a second.
        var stand = Stand(
            try settings(
                #"""
                {"fruits": {"a": {"initial": "unlimited"}}, "makers": "unlimited",
                 "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}},
                 "customers": {"arrivals": {"bursts": {"calm": {"perSecond": 0, "lasting": 100},
                                                      "busy": {"perSecond": 10, "lasting": 100}}}}}
                """#))
        stand.open(out)
        stand.advance(to: seconds(150), out)
        stand.setRate(2, at: seconds(150), out)
        var counts: [Int] = []
        for end in [200.0, 300, 400, 500] {
            let before = stand.ordersNumbered
            stand.advance(to: seconds(end), out)
            counts.append(Int(stand.ordersNumbered - before))
        }
        #expect(counts[1] == 0 && counts[3] == 0, "\(counts)")
        #expect((850...1150).contains(counts[0]) && (1800...2200).contains(counts[2]), "\(counts)")
    }

    @Test func `no future is the stand's own, even with the stand's own seed`() throws {
        var stand = Stand(try lively(.leave))
        stand.open(out)
        let futures = Futures(of: stand, at: .zero, seed: stand.settings.seed)
        let times = (0..<20).map { futures.stand($0).nextTime }
        #expect(!times.contains(stand.nextTime))
        #expect(Set(times).count == times.count)
    }

    @Test func `a saved stand knows when the fruit on its way was ordered`() throws {
        // Ordered at opening, it comes after 100 s; the futures of a saved stand know that half of that is over.
        let settings = try settings(
            #"""
            {"fruits": {"fig": {"initial": 1, "restock": {"fixedQuantity": {"reorderPoint": 5, "quantity": 9, "leadTime": 100}}}},
             "menu": {"fig juice": {"recipe": {"fig": 2}}}, "customers": {"arrivals": {"poisson": {"perSecond": 0}}}}
            """#)
        var stand = Stand(settings)
        stand.open(out)
        let saved = try JSONDecoder().decode(Stand.Snapshot.self, from: JSONEncoder().encode(stand.snapshot))
        let futures = Futures(of: Stand(settings, resuming: saved), at: seconds(50), seed: 1)
        #expect(Set((0..<5).map { futures.stand($0).nextTime }) == [seconds(100)])
    }

    @Test(arguments: [-3, 3])
    func `differences of one fruit that is named twice count together`(pieces: Int) throws {
        var stand = Stand(
            try settings(
                #"{"fruits": {"fig": {"initial": 5, "capacity": 10}}, "menu": {"fig juice": {"recipe": {"fig": 2}}}}"#))
        stand.open(out)
        let fig = Fruit(index: 0)
        let thrown = #expect(throws: StockEditError.self) {
            try stand.edit([(fig, pieces), (fig, pieces)], at: .zero, out)
        }
        #expect(thrown == (pieces < 0 ? .wouldBeNegative(fig, by: 1) : .wouldNotFit(fig, by: 1)))
        #expect(stand.maker.stock(of: fig) == 5)
    }

    @Test func `a command follows all events of the instant it falls on`() throws {
        // Customers come every second, three at a time. A held stand has all three of an instant, and the command comes after.
        var settings = try settings(
            #"{"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 0}}}"#)
        settings.customers.arrivals = .renewal(.constant(1))
        settings.customers.party = .constant(3)
        let held = Mutex<[(time: SimulationTime, last: SimulationTime, orders: UInt64)]>([])
        let isDone = DispatchSemaphore(value: 0)
        let driver = LiveDriver(
            Stand(settings), ClosureWiring(), queue: DispatchQueue(label: "stand"), speed: 1000, horizon: .never)
        driver.start { _ in isDone.signal() }
        try eventually("fifty commands after events") {
            driver.async {
                guard let time = try? driver.hold() else { return }
                driver.look { stand, _, _ in
                    if stand.now > .zero { held.withLock { $0.append((time, stand.now, stand.ordersNumbered)) } }
                }
                driver.goOn()
            }
            return held.withLock { $0.count } >= 50
        }
        driver.stop()
        #expect(isDone.wait(timeout: .now() + .seconds(60)) == .success)
        for (time, last, orders) in held.withLock({ $0 }) {
            #expect(time > last, "a command at \(time.seconds) s, after an event at \(last.seconds) s")
            #expect(orders % 3 == 0, "\(orders) orders at \(time.seconds) s")
        }
    }

    @Test func `lateness is wall time at any speed`() async throws {
        let driver = LiveDriver(
            Stand(try lively(.leave)), ClosureWiring(), queue: DispatchQueue(label: "stand"), speed: 100_000,
            horizon: seconds(3600))
        let began = DispatchTime.now()
        let outcome = await withCheckedContinuation { continuation in
            driver.start { continuation.resume(returning: $0) }
        }
        let wall = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e9
        // No event was late by more than the whole run took. In stand time it would be thousands of seconds.
        let most = try #require(outcome.lateness.spans.maximum)
        #expect(most.seconds <= wall * 1.01, "\(most.seconds) s late in a run of \(wall) s")
    }

    @Test func `an impatient customer who waited for fruit gives no place back`() throws {
        // Order 1 keeps the maker busy. Order 2 waits for figs, without a place, and reneges. Order 3 takes the only place.
        var settings = try settings(
            #"""
            {"fruits": {"fig": {"initial": 0}, "ice": {"initial": "unlimited"}}, "queue": {"limit": 1},
             "menu": {"water": {"recipe": {"ice": 1}, "preparation": 1000}, "fig juice": {"recipe": {"fig": 2}}},
             "customers": {"arrivals": {"renewal": 1e9}, "patience": 10, "whenSoldOut": "wait"}}
            """#)
        settings.customers.arrivals = paperTrace([(1, 0, 1), (2, 1, 1), (20, 0, 1), (21, 0, 1)])
        #expect(
            ledger(of: settings, until: 22).contains(
                #""orderLost","order":4,"juice":"water","cups":1,"reason":"queueFull"}"#))
    }

    @Test func `a shift that ends precedes the cups that it began`() throws {
        // One maker from 100 to 200. The cup of order 1 is done at 200, when nobody is there to begin that of order 2.
        var settings = try settings(
            #"""
            {"fruits": {"fig": {"initial": 9}}, "menu": {"fig juice": {"recipe": {"fig": 2}, "preparation": 100}},
             "makers": {"shifts": {"every": 100, "makers": [0, 1, 0]}}, "customers": {"arrivals": {"renewal": 1e9}}}
            """#)
        settings.customers.arrivals = paperTrace([(50, 0, 1), (51, 0, 1)])
        let starts = ledger(of: settings, until: 250).split(separator: "\n").filter { $0.contains("orderStarted") }
        #expect(starts.count == 1 && starts[0].contains("\"at\":100."))
    }

    @Test func `an order by command leaves the customers as they were`() throws {
        let settings = try settings(
            #"""
            {"fruits": {"a": {"initial": "unlimited"}}, "makers": "unlimited",
             "menu": {"j": {"recipe": {"a": 1}, "preparation": {"exponential": {"mean": 30}}}}}
            """#)
        /// How long the customers stayed.
        func stays(withOrder: Bool) -> [Substring] {
            let wiring = ClosureWiring()
            let (logger, lines) = connectLedger(to: wiring, settings)
            let out = FactPublisher(wiring)
            var stand = Stand(settings)
            stand.open(out)
            stand.advance(to: seconds(1000), out)
            let number = withOrder ? stand.takeOrder("j", at: seconds(1000), out)?.number : nil
            stand.advance(to: seconds(2000), out)
            logger.flush()
            return lines.text.split(separator: "\n").filter { line in
                line.contains("orderServed") && !(number.map { line.contains("\"order\":\($0),") } ?? false)
            }.map { $0[$0.firstRange(of: "\"wait\"")!.lowerBound...] }
        }
        let alone = stays(withOrder: false)
        #expect(alone.count > 50 && alone == stays(withOrder: true))
    }

    @Test func `the size of a party is rounded to the nearest number`() throws {
        var stand = Stand(
            try settings(
                #"""
                {"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}}},
                 "customers": {"arrivals": {"renewal": 10}, "party": 1.6}}
                """#))
        stand.open(out)
        stand.advance(to: seconds(15), out)
        #expect(stand.ordersNumbered == 2)
    }

    @Test func `what is replayed at a start does not count as late`() throws {
        var stand = Stand(
            try settings(
                #"{"fruits": {"a": {"initial": "unlimited"}}, "menu": {"j": {"recipe": {"a": 1}, "preparation": 1}}}"#))
        stand.open(out)
        let queue = DispatchQueue(label: "stand")
        let driver = LiveDriver(
            stand, ClosureWiring(), queue: queue, speed: 1, horizon: .never, resumesAt: seconds(100_000))
        driver.start { _ in }
        // Some 5000 customers come before that time.
        try eventually("the replay") { queue.sync { driver.look { stand, _, _ in stand.ordersNumbered } ?? 0 > 4000 } }
        let late = queue.sync { driver.look { _, _, lateness in lateness.spans.count } }
        #expect(try #require(late) < 1000)
        driver.stop()
    }

    @Test func `a late stand is where its events are, and says how far it is behind`() throws {
        let settings = try settings(
            """
            {"fruits": {"a": {}}, "menu": {"a juice": {"recipe": {"a": 1}}}, "customers": {"arrivals": {"renewal": 1}}}
            """)
        let queue = DispatchQueue(label: "stand")
        let driver = LiveDriver(Stand(settings), ClosureWiring(), queue: queue, speed: 100, horizon: .never)
        let isDone = DispatchSemaphore(value: 0)
        driver.start { _ in isDone.signal() }
        // Stand time comes to 30 s, and no event happens meanwhile.
        let late = queue.sync {
            usleep(300_000)
            return driver.look { stand, time, lateness in (next: stand.nextTime, time: time, behind: lateness.behind) }
        }
        let (next, time, behind) = try #require(late)
        // What is due has not happened.
        #expect(
            time == next - SimulationTime(nanoseconds: 1) && behind >= seconds(28),
            "at \(time.seconds) s, \(behind.seconds) s behind")
        let share = Mutex(0.0)
        let later = Mutex(0.0)
        try eventually("events to be late") {
            _ = queue.sync {
                driver.look { _, _, lateness in
                    share.withLock { $0 = lateness.lastMinute.lateShare() }
                    later.withLock { $0 = lateness.lastMinute.lateShare(at: .now() + .seconds(61)) }
                }
            }
            return share.withLock { $0 } > 0
        }
        #expect(share.withLock { $0 } <= 1 && later.withLock { $0 } == 0)
        driver.stop()
        isDone.wait(for: "the stand to close")
    }
}
