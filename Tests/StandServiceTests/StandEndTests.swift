import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// How a running stand ends by itself and on request.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StandEndTests {
    @Test(arguments: [false, true])
    func `a stand that is ended before it opens still opens`(hasState: Bool) async throws {
        try await withTemporaryFolder { folder in
            let ledger = "\(folder)/ledger.jsonl"
            let running = try hasState ? stand("\(folder)/state", ledger: ledger) : restless(ledger: ledger)
            running.control.end()
            let outcome = await onItsOwnThread { running.run { _ in } }
            #expect(outcome.stand.isClosed == !hasState && outcome.failures.isEmpty && outcome.causes.isEmpty)
            let lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
            #expect(lines.first?.contains("\"opened\"") == true)
            #expect(lines.last?.contains("\"closed\"") == !hasState)
        }
    }

    @Test(arguments: [false, true])
    func `a duration is wall time, and a pause is not caught up`(goesOn: Bool) async throws {
        let duration = 1.5
        let speed = 100.0
        let running = try restless(speed: speed, duration: duration)
        async let run = onItsOwnThread { running.run { _ in } }
        // It waits until the stand is open.
        let time = try await running.control.answer(to: .pause)
        let start = ContinuousClock.now
        var paused = duration
        if goesOn {
            try await Task.sleep(for: .milliseconds(500))
            paused = (ContinuousClock.now - start) / .seconds(1)
            running.control.submit(.resume)
        }
        let outcome = await run
        #expect(outcome.stand.isClosed && outcome.behind == .zero)
        #expect(outcome.stand.now.seconds <= max(time.seconds, (duration - paused) * speed) + 1e-6)
    }

    @Test func `a stand without a pause closes exactly at the end of its duration`() async throws {
        let running = try restless(speed: 1000, duration: 0.25)
        let outcome = await onItsOwnThread { running.run { _ in } }
        // Where the machine gave it no time to release what was due, it closes short of that, and says by how much.
        #expect(outcome.stand.isClosed && outcome.stand.now + outcome.behind == SimulationTime(seconds: 250))
    }

    @Test func `a stand that cannot catch up ends without that, and says how far behind it is`() async throws {
        let text = #"""
            {"customers": {"arrivals": {"renewal": 0.01}, "cups": 1000, "whenSoldOut": "wait"},
             "fruits": {"kiwi": {"restock": {"fixedQuantity": {"reorderPoint": 5, "quantity": 1, "leadTime": 1}}}},
             "menu": {"kiwi juice": {"recipe": {"kiwi": 1}}}}
            """#
        let running = try restless(text, speed: 100)
        let control = running.control
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { control.end() }
        let outcome = await onItsOwnThread { running.run { _ in } }
        #expect(outcome.stand.isClosed && outcome.behind > .zero)
    }

    @Test func `a stand with endless events at one instant is suspended, also after a stop request`() async throws {
        try await withTemporaryFolder { folder in
            var options = try RunningStand.Options(#"{"queue": {"limit": 0}}"#, state: "\(folder)/state")
            options.settings.customers.arrivals = .renewal(.constant(0))
            let running = try RunningStand(options)
            let control = running.control
            let ending = Guarded<RunningStand.Outcome?>(nil)
            Task {
                let outcome = await onItsOwnThread { running.run { _ in } }
                ending.withLock { $0 = outcome }
            }
            try await eventually("a customer") { control.status.orders > 0 }
            let refusals = Guarded<[ControlError]>([])
            @Sendable func take(_ result: Result<some Any, ControlError>) {
                if case .failure(let error) = result { refusals.withLock { $0.append(error) } }
            }
            control.submit(.order("kiwi juice")) { take($0) }
            control.submit(.stop) { take($0) }
            // As SIGTERM does.
            control.end()
            try await eventually("the end of the stand") { ending.withLock { $0 != nil } }
            let outcome = try #require(ending.withLock { $0 })
            #expect(!outcome.stand.isClosed && outcome.stand.now == .zero)
            #expect(refusals.withLock { $0 } == [.stopping, .stopping])
        }
    }

    /// A stand in memory that a customer visits every second.
    private func restless(
        _ text: String = #"{"customers": {"arrivals": {"renewal": 1}}}"#, speed: Double = 1, duration: Double? = nil,
        ledger: String? = nil
    ) throws -> RunningStand {
        var options = try RunningStand.Options(text, speed: speed, ledger: ledger)
        options.duration = duration.map { SimulationTime(seconds: $0) }
        return try RunningStand(options)
    }
}
