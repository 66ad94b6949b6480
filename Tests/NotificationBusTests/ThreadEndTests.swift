import NotificationBus
import Platform
import Synchronization
import TestSupport
import Testing

/// What is left of a thread that has posted, and what that costs those that are still there.
///
/// Most of these run in a process of their own, where no other test's threads count.
@Suite(.onItsOwnThread, .timeLimit(.minutes(60)))
struct ThreadEndTests {
    /// Has `count` threads post, all alive at once, and waits for their end.
    private static func postFromThreads(_ count: Int, at center: TypedNotificationCenter) {
        let gate = Gate(count + 1)
        let threads = (0..<count).map { _ in
            startJoinableThread {
                center.post(LowStock())
                gate.pass()
            }
        }
        gate.pass()
        for thread in threads { pthread_join(thread, nil) }
    }

    @Test func `the record of a thread that ended serves a later thread`() async {
        await #expect(processExitsWith: .success) {
            typealias Diagnostics = TypedNotificationCenter.Diagnostics
            let center = TypedNotificationCenter()
            let token = center.observe(LowStock.self) { _ in }
            for _ in 0..<20 { Self.postFromThreads(10, at: center) }
            precondition(Diagnostics.postingThreads == (0, 10), "\(Diagnostics.postingThreads)")
            center.post(LowStock())
            precondition(Diagnostics.postingThreads == (1, 10), "\(Diagnostics.postingThreads)")
            withExtendedLifetime(token) {}
        }
    }

    @Test func `a thread's first post in the name of a sender is waited for`() async {
        await #expect(processExitsWith: .success) {
            let center = TypedNotificationCenter()
            let till = Captive {}
            let running = Gate(1)
            let hasEnded = Cell(false)
            let all = center.observe(LowStock.self) { _ in }
            let token = center.observe(LowStock.self, from: till) { _ in
                running.arrive()
                usleep(100_000)
                hasEnded.value = true
            }
            let poster = startJoinableThread {
                center.post(LowStock())
                center.post(LowStock(), from: till)
            }
            running.wait()
            token.cancelAndWait()
            precondition(hasEnded.value)
            pthread_join(poster, nil)
            withExtendedLifetime(all) {}
        }
    }

    @Test func `cancelling costs the same after 1,000 posting threads have ended`() async {
        await #expect(processExitsWith: .success) {
            let center = TypedNotificationCenter()
            let clock = ContinuousClock()
            func cost() -> Duration {
                (0..<200).map { _ in
                    let token = center.observe(LowStock.self) { _ in }
                    return clock.measure { token.cancel() }
                }.sorted()[100]
            }
            center.post(LowStock())
            let before = cost()
            Self.postFromThreads(1000, at: center)
            let after = cost()
            // With all records to look at it was more than 100 times as much.
            precondition(after < before * 20, "\(after) after, \(before) before")
        }
    }

    /// What the threads use that end inside an observer: nothing releases what their stacks hold, so they hold nothing.
    private enum Ending {
        static let center = TypedNotificationCenter()
        static let outer = TokenBox()
        static let inner = TokenBox()

        /// Posts in a thread whose observer ends it.
        static func post() {
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let status = unsafe pthread_create(
                &thread, nil,
                { _ in
                    Ending.center.post(StockChanged())
                    return nil
                }, nil)
            precondition(status == 0)
            #if canImport(Darwin)
                unsafe pthread_join(thread.unsafelyUnwrapped, nil)
            #else
                pthread_join(thread, nil)
            #endif
        }
    }

    @Test func `a thread that ends inside an observer leaves no post under way`() async throws {
        for _ in 0..<20 {
            let record = Record<String>()
            Ending.outer.keep(Ending.center.observe(StockChanged.self) { _ in Ending.center.post(LowStock()) })
            Ending.inner.keep(
                Ending.center.observe(LowStock.self) { _ in
                    Ending.outer.cancel()
                    Ending.inner.cancel()
                    pthread_exit(nil)
                })
            Ending.post()
            let waiter = startJoinableThread {
                Ending.outer.cancelAndWait()
                Ending.inner.cancelAndWait()
                record.note("nobody is calling")
            }
            try await eventually("both cancellations to find that no call is running") { !record.entries.isEmpty }
            pthread_join(waiter, nil)
            let token = Ending.center.observe(LowStock.self) { record.note("level \($0.level)") }
            Ending.center.post(LowStock(level: 1))
            token.cancelAndWait()
            Ending.center.post(LowStock(level: 2))
            #expect(record.entries == ["nobody is calling", "level 1"])
        }
    }
}
