import Dispatch
import NotificationBus
import Platform
import TestSupport
import Testing

/// What is left of a thread that has posted.
@Suite(.onItsOwnThread, .timeLimit(.minutes(60)))
struct ThreadEndTests {
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
            DispatchQueue(label: "waiter").async {
                Ending.outer.cancelAndWait()
                Ending.inner.cancelAndWait()
                record.note("nobody is calling")
            }
            try await eventually("both cancellations to find that no call is running") { !record.entries.isEmpty }
            let token = Ending.center.observe(LowStock.self) { record.note("level \($0.level)") }
            Ending.center.post(LowStock(level: 1))
            token.cancelAndWait()
            Ending.center.post(LowStock(level: 2))
            #expect(record.entries == ["nobody is calling", "level 1"])
        }
    }
}
