import Dispatch
import NotificationBus
import Platform
import Synchronization
import TestSupport
import Testing

/// Promises 2 and 5 with a thread that stands still at a random instruction.
@Suite(.serialized, .onItsOwnThread, .timeLimit(.minutes(60)), .enabled(if: Freezer.works))
struct StandstillTests {
    init() {
        Freezer.prepare()
    }

    /// What the threads of a test tell each other, without a lock or an allocation.
    private final class Flags: Sendable {
        let isDone = Atomic(false)
        let isCancelled = Atomic(false)
        let isAwaited = Atomic(false)
        let isReleased = Atomic(false)
        let mayReturn = Atomic(false)
        let posts = Atomic(0)
        let calls = Atomic(0)
        let callsAfterCancel = Atomic(0)
        let callsOfLaterPosts = Atomic(0)
        let callsAfterWaiting = Atomic(0)
    }

    @Test func `after cancel returned a call may begin only if its post had already decided on it`() {
        let center = TypedNotificationCenter()
        let flags = Flags()
        let poster = startJoinableThread {
            while !flags.isDone.load(ordering: .acquiring) {
                center.post(LowStock(level: flags.isCancelled.load(ordering: .acquiring) ? 1 : 0))
                flags.posts.add(1, ordering: .acquiringAndReleasing)
            }
        }
        var rounds = 0
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Study.size(1, full: 5))
        // Until it has met the window, too.
        while rounds < 2000
            && (rounds < 200 || clock.now < end || flags.callsAfterCancel.load(ordering: .acquiring) == 0)
        {
            rounds += 1
            flags.isCancelled.store(false, ordering: .releasing)
            flags.isAwaited.store(false, ordering: .releasing)
            let calls = flags.calls.load(ordering: .acquiring)
            let token = center.observe(LowStock.self) { note in
                flags.calls.add(1, ordering: .acquiringAndReleasing)
                guard flags.isCancelled.load(ordering: .acquiring) else { return }
                flags.callsAfterCancel.add(1, ordering: .acquiringAndReleasing)
                if note.level == 1 { flags.callsOfLaterPosts.add(1, ordering: .acquiringAndReleasing) }
                if flags.isAwaited.load(ordering: .acquiring) {
                    flags.callsAfterWaiting.add(1, ordering: .acquiringAndReleasing)
                }
            }
            // After a few calls the poster owes nothing, so it does not hold the lock that cancelling takes.
            spin { flags.calls.load(ordering: .acquiring) >= calls + 3 }
            Freezer.freezing(poster) {
                token.cancel()
                flags.isCancelled.store(true, ordering: .releasing)
            }
            token.cancelAndWait()
            flags.isAwaited.store(true, ordering: .releasing)
            let posts = flags.posts.load(ordering: .acquiring)
            spin { flags.posts.load(ordering: .acquiring) >= posts + 3 }
        }
        flags.isDone.store(true, ordering: .releasing)
        pthread_join(poster, nil)
        let inTheWindow = flags.callsAfterCancel.load(ordering: .acquiring)
        print("of \(rounds) cancellations, \(inTheWindow) were followed by a call that a post had decided on before")
        #expect(inTheWindow > 0, "the window is there, and the test meets it")
        #expect(inTheWindow < rounds / 2)
        #expect(flags.callsOfLaterPosts.load(ordering: .acquiring) == 0)
        #expect(flags.callsAfterWaiting.load(ordering: .acquiring) == 0)
    }

    @Test func `a post that began after the cancellation delays neither the release nor the form that waits`() {
        for _ in 0..<Study.size(30, full: 300) {
            let center = TypedNotificationCenter()
            let flags = Flags()
            let token: ObservationToken
            do {
                let captive = Captive { flags.isReleased.store(true, ordering: .releasing) }
                token = center.observe(LowStock.self) { _ in
                    captive.touch()
                    flags.calls.add(1, ordering: .acquiringAndReleasing)
                    spin { flags.mayReturn.load(ordering: .acquiring) }
                }
            }
            let steady = center.observe(LowStock.self) { _ in }
            let caller = startJoinableThread { center.post(LowStock()) }
            spin { flags.calls.load(ordering: .acquiring) == 1 }
            token.cancel()
            let poster = startJoinableThread {
                while !flags.isDone.load(ordering: .acquiring) {
                    center.post(LowStock())
                    flags.posts.add(1, ordering: .acquiringAndReleasing)
                }
            }
            spin { flags.posts.load(ordering: .acquiring) > 100 }
            let waiter = startJoinableThread {
                token.cancelAndWait()
                flags.isAwaited.store(true, ordering: .releasing)
            }
            // Often at the slot of the cancelled observer, where the only thing to do is to go on.
            let isInTime = Freezer.freezing(poster) {
                flags.mayReturn.store(true, ordering: .releasing)
                pthread_join(caller, nil)
                let end = ContinuousClock.now + .seconds(10)
                while !flags.isAwaited.load(ordering: .acquiring) && .now < end { sched_yield() }
                return flags.isReleased.load(ordering: .acquiring) && flags.isAwaited.load(ordering: .acquiring)
            }
            flags.isDone.store(true, ordering: .releasing)
            pthread_join(poster, nil)
            pthread_join(waiter, nil)
            #expect(isInTime)
            #expect(flags.calls.load(ordering: .acquiring) == 1)
            withExtendedLifetime(steady) {}
            if !isInTime { return }
        }
    }

    @Test(arguments: [1, 4, 16, 32])
    func `the form that waits returns beside threads that post in a loop`(threads: Int) {
        let center = TypedNotificationCenter()
        let flags = Flags()
        let posters = (0..<threads).map { _ in
            startJoinableThread { while !flags.isDone.load(ordering: .acquiring) { center.post(LowStock()) } }
        }
        let clock = ContinuousClock()
        var longest = Duration.zero
        for _ in 0..<Study.size(10, full: 200) {
            let calls = flags.calls.load(ordering: .acquiring)
            let token = center.observe(LowStock.self) { _ in flags.calls.add(1, ordering: .relaxed) }
            spin { flags.calls.load(ordering: .acquiring) >= calls + threads }
            longest = max(longest, clock.measure { token.cancelAndWait() })
        }
        flags.isDone.store(true, ordering: .releasing)
        for poster in posters { pthread_join(poster, nil) }
        print("beside \(threads) threads that post in a loop the longest wait was \(longest)")
        #expect(longest < .seconds(10))
    }

    /// Freezes a thread that observes and cancels a type, again and again.
    ///
    /// - Returns: Whether a thread that posts did not get on before `timeout` in one of at most `rounds`. After `limit` and
    ///   100 rounds it gives up.
    private func isPostHeldUp(
        byCancelling cancelled: (some TypedNotification).Type, rounds: Int, timeout: Duration,
        within limit: Duration = .seconds(Study.size(1, full: 5))
    ) -> Bool {
        let center = TypedNotificationCenter()
        let steady = center.observe(LowStock.self) { _ in }
        defer { withExtendedLifetime(steady) {} }
        let flags = Flags()
        let poster = startJoinableThread {
            while !flags.isDone.load(ordering: .acquiring) {
                center.post(LowStock())
                flags.posts.add(1, ordering: .acquiringAndReleasing)
            }
        }
        let canceller = startJoinableThread {
            while !flags.isDone.load(ordering: .acquiring) {
                center.observe(cancelled) { _ in }.cancel()
                flags.calls.add(1, ordering: .acquiringAndReleasing)
            }
        }
        spin { flags.posts.load(ordering: .acquiring) > 0 }
        let clock = ContinuousClock()
        let end = clock.now + limit
        var round = 0
        var isHeldUp = false
        while !isHeldUp && round < rounds && (round < 100 || clock.now < end) {
            round += 1
            let calls = flags.calls.load(ordering: .acquiring)
            spin { flags.calls.load(ordering: .acquiring) >= calls + 2 }
            Freezer.freezing(canceller) {
                // No allocation here: the thread may stand still inside the allocator.
                let posts = flags.posts.load(ordering: .acquiring)
                let end = clock.now + timeout
                while flags.posts.load(ordering: .acquiring) < posts + 2 {
                    if clock.now > end {
                        isHeldUp = true
                        break
                    }
                    sched_yield()
                }
            }
        }
        flags.isDone.store(true, ordering: .releasing)
        pthread_join(poster, nil)
        pthread_join(canceller, nil)
        print("\(isHeldUp ? "held up" : "not held up") in \(round) rounds")
        return isHeldUp
    }

    @Test func `a post is never held up by a canceller of another type, wherever that stands still`() {
        #expect(!isPostHeldUp(byCancelling: StockChanged.self, rounds: 2000, timeout: .seconds(10)))
    }

    @Test func `a post that frees what was cancelled during its call may wait for another canceller of the type`() {
        let timeout = Duration.milliseconds(100)
        #expect(isPostHeldUp(byCancelling: LowStock.self, rounds: 20_000, timeout: timeout, within: .seconds(5)))
    }
}
