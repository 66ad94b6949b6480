import NotificationBus
import TestSupport
import Testing

/// Promise 9: observers in the isolation of whoever observes.
@Suite(.timeLimit(.minutes(60)))
struct IsolationTests {
    /// An actor that observes in its own isolation.
    private actor Display {
        private(set) var levels: [Int] = []
        private var token: ObservationToken?
        private var isBusy = false
        private(set) var overlaps = 0

        func observe(_ center: TypedNotificationCenter, _ buffering: NotificationBuffering = .unbounded) {
            token = center.observe(LowStock.self, isolation: self, buffering: buffering) { note in
                self.levels.append(note.level)
            }
        }

        func observeSlowly(_ center: TypedNotificationCenter, _ buffering: NotificationBuffering = .unbounded) {
            token = center.observe(LowStock.self, isolation: self, buffering: buffering) { note in
                if self.isBusy { self.overlaps += 1 }
                self.isBusy = true
                await Task.yield()
                self.isBusy = false
                self.levels.append(note.level)
            }
        }

        /// Posts and cancels without letting go of the actor.
        func postAndCancel(_ center: TypedNotificationCenter) {
            center.post(LowStock(level: 1))
            token?.cancel()
        }

        func cancel() {
            token?.cancel()
        }
    }

    let center = TypedNotificationCenter()

    @Test func `an actor's observer uses the actor's state, in the order of the posts`() async throws {
        let display = Display()
        await display.observe(center)
        for level in 1...100 { center.post(LowStock(level: level)) }
        try await eventually("100 calls") { await display.levels.count == 100 }
        #expect(await display.levels == Array(1...100))
        await display.cancel()
    }

    @Test func `the next call begins when what the one before awaited is done`() async throws {
        let display = Display()
        await display.observeSlowly(center)
        for level in 1...50 { center.post(LowStock(level: level)) }
        try await eventually("50 calls") { await display.levels.count == 50 }
        #expect(await display.levels == Array(1...50))
        #expect(await display.overlaps == 0)
        await display.cancel()
    }

    @Test func `a task that sends waits for an observer in an isolation`() async {
        let display = Display()
        await display.observeSlowly(center, .suspending(1))
        for level in 1...200 { await center.send(LowStock(level: level)) }
        // One waits, one is being handled, and one is on its way there.
        #expect(await display.levels.count >= 197)
        await display.cancel()
    }

    @Test func `after cancelling in the same isolation no call begins`() async {
        for _ in 0..<100 {
            let display = Display()
            await display.observe(center)
            await display.postAndCancel(center)
            for _ in 0..<5 { await Task.yield() }
            #expect(await display.levels.isEmpty)
        }
        #expect(center.diagnostics.observations().isEmpty)
    }

    @Test func `an actor that cancels its token is freed`() async throws {
        weak var watched: Display?
        do {
            let display = Display()
            watched = display
            await display.observe(center)
            await display.cancel()
        }
        try await eventually("the end of the task that held the actor") { watched == nil }
    }

    @MainActor
    @Test func `code of the main actor observes on it`() async throws {
        var levels: [Int] = []
        let token = center.observe(LowStock.self, isolation: #isolation) { note in
            MainActor.assertIsolated()
            levels.append(note.level)
        }
        for level in 1...3 { center.post(LowStock(level: level)) }
        try await eventually("3 calls") { levels.count == 3 }
        #expect(levels == [1, 2, 3])
        token.cancel()
    }
}
