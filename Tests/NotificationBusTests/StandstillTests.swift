import NotificationBus
import Platform
import Synchronization
import TestSupport
import Testing

/// Promise 2 with a thread that stands still at a random instruction.
@Suite(.serialized, .onItsOwnThread, .enabled(if: Freezer.works))
struct StandstillTests {
    init() {
        Freezer.prepare()
    }

    /// What the threads of a test tell each other, without a lock or an allocation.
    private final class Flags: Sendable {
        let isDone = Atomic(false)
        let isCancelled = Atomic(false)
        let isAwaited = Atomic(false)
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
        let end = clock.now + .seconds(5)
        while rounds < 2000 && (rounds < 200 || clock.now < end) {
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
            while flags.calls.load(ordering: .acquiring) < calls + 3 { sched_yield() }
            Freezer.freezing(poster) {
                token.cancel()
                flags.isCancelled.store(true, ordering: .releasing)
            }
            token.cancelAndWait()
            flags.isAwaited.store(true, ordering: .releasing)
            let posts = flags.posts.load(ordering: .acquiring)
            while flags.posts.load(ordering: .acquiring) < posts + 3 { sched_yield() }
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
}
