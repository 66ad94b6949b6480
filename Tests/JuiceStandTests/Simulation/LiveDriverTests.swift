import Dispatch
import Foundation
import JuiceStand
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct LiveDriverTests {
    /// Runs `settings` in wall-clock time to the end.
    private func liveLedger(_ settings: StandSettings, speed: Double, until seconds: Double) async -> (String, Stand) {
        let wiring = NotificationWiring()
        let (logger, lines) = connectLedger(to: wiring, settings)
        let driver = LiveDriver(
            Stand(settings), wiring, queue: DispatchQueue(label: "stand"), speed: speed,
            horizon: SimulationTime(seconds: seconds))
        let outcome = await withCheckedContinuation { continuation in
            driver.start { continuation.resume(returning: $0) }
        }
        logger.flush()
        return (lines.text, outcome.stand)
    }

    @Test(arguments: WhenSoldOut.allCases)
    func `a live run gives the ledger of a virtual run`(whenSoldOut: WhenSoldOut) async throws {
        let settings = try lively(whenSoldOut)
        let (live, _) = await liveLedger(settings, speed: 50_000, until: 3600)
        #expect(live == ledger(of: settings, until: 3600))
    }

    @Test func `a live trace ends with its last order`() async throws {
        var settings = try lively(.leave)
        settings.customers.arrivals = paperTrace([(10, 2, 1), (10, 2, 1), (700, 2, 1)])
        let (live, stand) = await liveLedger(settings, speed: 50_000, until: 1e9)
        #expect(live == ledger(of: settings, until: nil))
        #expect(stand.tally.served == 3 && stand.isClosed)
    }

    @Test(arguments: [SimulationTime.never, SimulationTime(seconds: 1e6)])
    func `a finished trace closes now, even with an order by command`(
        horizon: SimulationTime
    ) async throws {
        let text = #"{"fruits": {"a": {}}, "menu": {"a juice": {"recipe": {"a": 1}, "preparation": "1d"}}}"#
        var settings = try settings(text)
        settings.customers.arrivals = paperTrace([])
        let placed = Mutex<SimulationTime?>(nil)
        let orders = Mutex(0)
        let connection = Mutex<LiveDriver?>(nil)
        let outcome = await withCheckedContinuation { continuation in
            let driver = LiveDriver(
                Stand(settings), ClosureWiring(), queue: DispatchQueue(label: "stand"), speed: 1, horizon: horizon,
                atEnd: { end in
                    let driver = connection.withLock { $0! }
                    let time = try! driver.hold()
                    placed.withLock { $0 = time }
                    _ = driver.perform { stand, out in stand.takeOrder("a juice", at: time, out) }
                    let (closing, _) = try! driver.holdForClosing(at: end, isRepeatable: false)
                    orders.withLock { $0 = driver.look { stand, _, _ in stand.ordersPresent }! }
                    _ = driver.perform { stand, out in stand.close(at: closing, out) }
                    driver.end()
                })
            connection.withLock { $0 = driver }
            driver.start { continuation.resume(returning: $0) }
        }
        connection.withLock { $0 = nil }
        #expect(orders.withLock { $0 } == 1)
        let time = try #require(placed.withLock { $0 })
        #expect(outcome.stand.isClosed && outcome.stand.now - time < SimulationTime(seconds: 3600))
    }

    @Test(arguments: [1e-300, 1e9])
    func `extreme speeds do no harm`(speed: Double) async throws {
        let settings = try lively(.leave)
        let driver = LiveDriver(
            Stand(settings), ClosureWiring(), queue: DispatchQueue(label: "stand"), speed: speed,
            horizon: SimulationTime(seconds: 1e5))
        let outcome = await withCheckedContinuation { continuation in
            driver.start { continuation.resume(returning: $0) }
            if speed < 1 { driver.stop() }
        }
        #expect(outcome.stand.isClosed)
    }

    @Test(arguments: [false, true])
    func `a stand with endless events at one instant refuses to be held and can end`(
        isSuspended: Bool
    ) throws {
        var settings = try settings(
            #"{"fruits": {"a": {}}, "menu": {"a juice": {"recipe": {"a": 1}}}, "queue": {"limit": 0}}"#)
        settings.customers.arrivals = .renewal(.constant(0))
        let hasEnded = DispatchSemaphore(value: 0)
        let connection = Mutex<LiveDriver?>(nil)
        let ended = Mutex<LiveDriver.Outcome?>(nil)
        let driver = LiveDriver(
            Stand(settings), ClosureWiring(), queue: DispatchQueue(label: "stand"), speed: 1, horizon: .never)
        connection.withLock { $0 = driver }
        driver.start { outcome in
            ended.withLock { $0 = outcome }
            hasEnded.signal()
        }
        let isWithin = Mutex(false)
        try eventually("a customer of the first instant") {
            driver.async {
                guard let driver = connection.withLock({ $0 }) else { return }
                isWithin.withLock { $0 = driver.look { stand, _, _ in stand.factsAnnounced > 1 } ?? false }
            }
            return isWithin.withLock { $0 }
        }
        if isSuspended {
            driver.async {
                let driver = connection.withLock { $0! }
                for _ in 1...2 {
                    #expect(throws: LiveDriver.HoldError.instantNotOver) { try driver.hold() }
                    #expect(throws: LiveDriver.HoldError.instantNotOver) {
                        _ = try driver.holdForClosing(isRepeatable: true)
                    }
                }
                driver.end()
            }
        } else {
            driver.stop()
        }
        hasEnded.wait(for: "the end of the stand")
        connection.withLock { $0 = nil }
        let stand = try #require(ended.withLock { $0 }).stand
        #expect(stand.isClosed != isSuspended && stand.now == .zero)
    }

    @Test func `a due event counts as late until it is released`()
        async throws
    {
        let settings = try settings(
            #"{"fruits": {"a": {}}, "menu": {"a juice": {"recipe": {"a": 1}}}, "customers": {"arrivals": {"renewal": 0.05}}}"#
        )
        let queue = DispatchQueue(label: "stand")
        let released = DispatchSemaphore(value: 0)
        let driver = LiveDriver(
            Stand(settings), ClosureWiring(), queue: queue, speed: 1, horizon: .never,
            afterRelease: { released.signal() })
        let outcome = await withCheckedContinuation { continuation in
            driver.start { continuation.resume(returning: $0) }
            released.wait(for: "a release")
            // Nobody gets at the queue now, as if there were no processor.
            queue.sync {
                let end = DispatchTime.now() + .seconds(60)
                while !driver.isLate, .now() < end {}
                #expect(driver.isLate)
            }
            released.wait(for: "a release")
            queue.sync {
                _ = try! driver.hold()
                // Longer than it takes until the next event is due.
                usleep(60_000)
                #expect(!driver.isLate, "who is held is not late")
                driver.goOn()
            }
            driver.stop()
        }
        #expect(outcome.stand.isClosed && !driver.isLate)
    }

    @Test func `a lower speed holds from the time that a late stand has reached`() async throws {
        let settings = try settings(
            #"{"fruits": {"a": {}}, "menu": {"a juice": {"recipe": {"a": 1}}}, "customers": {"arrivals": {"renewal": 1}}}"#
        )
        let queue = DispatchQueue(label: "stand")
        let driver = LiveDriver(
            Stand(settings), ClosureWiring(), queue: queue, speed: 1e9, horizon: .never)
        let outcome = await withCheckedContinuation { continuation in
            driver.start { continuation.resume(returning: $0) }
            queue.sync {
                // A millisecond of this speed is a million customers.
                let deadline = DispatchTime.now() + .seconds(60)
                func behind() -> SimulationTime { driver.look { _, _, lateness in lateness.behind } ?? .zero }
                let much = SimulationTime(seconds: 1e6)
                while behind() < much, .now() < deadline {}
                #expect(behind() >= much)
                let next = driver.look { stand, _, _ in stand.nextTime - SimulationTime(nanoseconds: 1) }
                let before = DispatchTime.now()
                #expect(driver.setSpeed(1) == next)
                let late = behind()
                let passed = Double(DispatchTime.now().uptimeNanoseconds - before.uptimeNanoseconds) / 1e9
                #expect(late <= SimulationTime(seconds: passed + 1e-6))
            }
            driver.stop()
        }
        #expect(outcome.stand.isClosed)
    }

    @Test func `stopping closes the stand at once and calls back once`() async throws {
        let settings = try lively(.leave)
        let wiring = ClosureWiring()
        let (_, lines) = connectLedger(to: wiring, settings)
        let driver = LiveDriver(
            Stand(settings), wiring, queue: DispatchQueue(label: "stand"), speed: 1, horizon: .never)
        let calls = Atomic(0)
        let outcome = await withCheckedContinuation { continuation in
            driver.start {
                calls.add(1, ordering: .relaxed)
                continuation.resume(returning: $0)
            }
            driver.stop()
            driver.stop()
        }
        #expect(outcome.stand.isClosed)
        #expect(calls.load(ordering: .relaxed) == 1)
        #expect(lines.lines.count { $0.contains("\"closed\"") } == 1)
    }

    @Test func `observers can be read from another thread while the stand runs`() async throws {
        let settings = try lively(.leave)
        let wiring = NotificationWiring()
        let display = StockDisplay()
        let alerter = LowStockAlerter()
        wiring.connect(display)
        wiring.connect(alerter)
        let (logger, lines) = connectLedger(to: wiring, settings)
        let driver = LiveDriver(
            Stand(settings), wiring, queue: DispatchQueue(label: "stand"), speed: 50_000,
            horizon: SimulationTime(seconds: 3600))
        let isClosed = Atomic(false)
        let outcome = await withCheckedContinuation { continuation in
            driver.start { outcome in
                isClosed.store(true, ordering: .releasing)
                continuation.resume(returning: outcome)
            }
            // As a screen does, only without a pause.
            var views = 0
            var served = 0
            let deadline = ContinuousClock.now + .seconds(60)
            while !isClosed.load(ordering: .acquiring) {
                guard ContinuousClock.now < deadline else {
                    Issue.record("waited 60 seconds for the stand to close")
                    driver.stop()
                    break
                }
                let view = display.current
                #expect(view.served >= served && view.present >= view.queue)
                served = view.served
                views += 1
                logger.flush()
            }
            #expect(views > 10)
        }
        logger.flush()
        #expect(display.current.served == outcome.stand.tally.served)
        #expect(lines.text == ledger(of: settings, until: 3600))
    }
}
