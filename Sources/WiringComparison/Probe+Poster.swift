import Dispatch
import Platform
import Synchronization

// What the poster has of it.

extension Probe {
    func checkedByCompiler() -> Finding {
        make().postMisspelt().map { Finding(holds: false, evidence: $0) } ?? compiler()
    }

    func answersBack() -> Finding {
        let answer = make().ask(16)
        return Finding(
            holds: answer == 16,
            evidence: answer.map { "the poster asked and was told \($0)" } ?? "a post returns nothing")
    }

    func reachesStrangers() -> Finding {
        let specimen = make()
        let hearing = Hearing()
        let subscription = specimen.observe { hearing.note($0) }
        let other = specimen.makeAnotherPoster()
        other.post(1)
        other.settle()
        specimen.settle()
        return withExtendedLifetime((subscription, other)) {
            Finding(
                holds: hearing.count == 1,
                evidence: "an observer that began before the poster was made heard \(hearing.count) of its 1 post")
        }
    }

    func failureStopsNobody() -> Finding {
        struct Failure: Error {}
        let called = Atomic(0)
        var observers: [@Sendable () throws -> Void] = [{ throw Failure() }]
        for _ in 0..<2 { observers.append { called.add(1, ordering: .relaxed) } }
        guard let fate = make().postToThrowing(observers) else {
            return Finding(
                holds: nil, evidence: "an observer can't throw here; its errors are its own, and nobody is told")
        }
        let others = called.load(ordering: .relaxed)
        return Finding(
            holds: others == 2,
            evidence: "the first of 3 threw; of the other 2 \(others) were called, and the error: \(fate)")
    }

    func listsObservers() -> Finding {
        let specimen = make()
        let subscriptions = (0..<3).map { _ in specimen.observe { _ in } }
        return withExtendedLifetime(subscriptions) {
            let listed = specimen.observersListed()
            return Finding(
                holds: listed == 3,
                evidence: listed.map { "\($0) of 3 observers were listed" } ?? "nothing lists them")
        }
    }

    func noticesUnheard() -> Finding {
        let witness = make().postUnheard()
        return Finding(
            holds: witness != nil, evidence: witness.map { "noticed by \($0)" } ?? "lost, and nobody noticed")
    }

    /// Two threads observe, post and cancel; an observer that stays hears it all and counts.
    ///
    /// A race shows itself only while both threads are really at it, which a busy machine or a single processor seldom lets
    /// them: so the probe goes on until they have met so many times, and where that takes too long it has no verdict. A
    /// mechanism that is not made for it dies, or loses count.
    func isThreadSafe() -> Finding {
        // Where tasks deliver, a post to many that come and go is a lot of work.
        let isSynchronous = waitsForObservers(make())
        let turns = isSynchronous ? 500 : 200
        let (enough, fewest) = (500, isSynchronous ? 20 : 100)
        let expense = Expense()
        var met = 0
        var rounds = 0
        while met < enough || rounds < fewest {
            guard !expense.exceeds(work: patience, wall: patience * 12) else {
                return Finding(
                    holds: nil,
                    evidence:
                        "two threads met \(met) times in \(rounds.of("round")), and nothing was lost: too seldom to tell"
                )
            }
            rounds += 1
            let (found, meetings) = meet(make(), turns: turns)
            met += meetings
            if found != 8 * turns {
                return Finding(
                    holds: false,
                    evidence:
                        "two threads observed, posted and cancelled: of \(8 * turns) posts an observer heard \(found)"
                )
            }
        }
        return Finding(
            holds: true,
            evidence:
                "two threads observed, posted and cancelled, meeting at least \(enough) times: no post was lost or doubled"
        )
    }

    /// - Returns: how many posts the observer that stays heard, and how many turns of one thread the other had one in.
    private func meet(_ made: any Specimen, turns: Int) -> (heard: Int, meetings: Int) {
        let specimen = Slot(made)
        let heard = Atomic(0)
        let subscription = specimen.value.observe { _ in heard.add(1, ordering: .relaxed) }
        let meetings = Atomic(0)
        let arrived = Atomic(0)
        let (first, second) = (Turns(), Turns())
        @Sendable func work(_ own: Turns, _ other: Turns) {
            arrived.add(1, ordering: .acquiringAndReleasing)
            while arrived.load(ordering: .acquiring) < 2 { sched_yield() }
            for turn in 0..<turns {
                let before = other.done.load(ordering: .relaxed)
                let few = (0..<4).map { _ in specimen.value.observe { _ in } }
                for post in 0..<4 { specimen.value.post(UInt64(turn * 4 + post)) }
                for subscription in few { subscription.cancel() }
                own.done.add(1, ordering: .relaxed)
                if other.done.load(ordering: .relaxed) != before { meetings.add(1, ordering: .relaxed) }
            }
        }
        // Queues of their own: a shared pool might have fewer threads than are to run at once.
        let group = DispatchGroup()
        DispatchQueue(label: "first").async(group: group) { work(first, second) }
        DispatchQueue(label: "second").async(group: group) { work(second, first) }
        group.wait()
        specimen.value.settle()
        subscription.cancel()
        return (heard.load(ordering: .relaxed), meetings.load(ordering: .relaxed))
    }
}

/// How far a thread has come.
private final class Turns: Sendable {
    let done = Atomic(0)
}

/// What something has taken so far: wall time, and work of all threads of this process.
///
/// Work alone would not end on a machine that gives it none; wall time alone would ask little of a busy one.
private struct Expense {
    private let begun = ContinuousClock.now
    private let usedBefore = Self.used()

    func exceeds(work: Duration, wall: Duration) -> Bool {
        Self.used() - usedBefore > work || ContinuousClock.now - begun > wall
    }

    private static func used() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
