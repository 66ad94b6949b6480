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

        func observeSlowly(_ center: TypedNotificationCenter, _ buffering: NotificationBuffering = .unbounded) {
            token = center.observe(LowStock.self, isolation: self, buffering: buffering) { note in
                if self.isBusy { self.overlaps += 1 }
                self.isBusy = true
                await Task.yield()
                self.isBusy = false
                self.levels.append(note.level)
            }
        }

        func cancel() {
            token?.cancel()
        }
    }

    let center = TypedNotificationCenter()

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

    /// An actor that keeps the token of its own observation.
    private actor Owner {
        private(set) var levels: [Int] = []
        private var token: ObservationToken?

        func observe(_ center: TypedNotificationCenter, suspending: Bool) {
            if suspending {
                token = center.observe(LowStock.self, with: self) { owner, note in
                    await Task.yield()
                    owner.levels.append(note.level)
                }
            } else {
                token = center.observe(LowStock.self, with: self) { owner, note in owner.levels.append(note.level) }
            }
        }
    }

    @Test(arguments: [false, true])
    func `an observer with an actor uses its state, and the actor may keep its token`(suspending: Bool) async throws {
        weak var watched: Owner?
        do {
            let owner = Owner()
            watched = owner
            await owner.observe(center, suspending: suspending)
            for level in 1...100 { center.post(LowStock(level: level)) }
            try await eventually("100 calls") { await owner.levels.count == 100 }
            #expect(await owner.levels == Array(1...100))
        }
        try await eventually("the end of the actor") { watched == nil }
        #expect(center.observations().isEmpty)
    }

    @Test func `the observation of an actor that is gone ends with the next post`() async throws {
        let tokens = Record<ObservationToken>()
        do {
            let owner = Owner()
            tokens.note(center.observe(LowStock.self, with: owner) { _, _ in })
        }
        center.post(LowStock())
        try await eventually("the end of the observation") { center.observations().isEmpty }
    }

    private actor Capturing {
        /// Posts and cancels without letting go of the actor: whether the observer was called, and whether its capture was
        /// released when cancelling returned.
        func cancel(_ center: TypedNotificationCenter, holdsActorWeakly: Bool, _ calls: Cell<Int>) -> Bool {
            let released = Cell(false)
            func observe() -> ObservationToken {
                let captive = Captive { released.value = true }
                @Sendable func call() {
                    captive.touch()
                    calls.add(1)
                }
                return holdsActorWeakly
                    ? center.observe(LowStock.self, with: self) { _, _ in call() }
                    : center.observe(LowStock.self, isolation: self) { _ in call() }
            }
            let token = observe()
            center.post(LowStock())
            token.cancel()
            return released.value
        }
    }

    @Test(arguments: [false, true])
    func `after cancelling in its isolation an observer is not called, and its captures are released`(
        holdsActorWeakly: Bool
    ) async {
        let calls = Cell(0)
        let actor = Capturing()
        for _ in 0..<100 {
            #expect(await actor.cancel(center, holdsActorWeakly: holdsActorWeakly, calls))
            for _ in 0..<5 { await Task.yield() }
        }
        #expect(calls.value == 0)
        #expect(center.observations().isEmpty)
    }
}
