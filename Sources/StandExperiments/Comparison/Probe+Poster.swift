import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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

    /// Two threads post and two observe and cancel; an observer that stays hears it all and counts.
    ///
    /// A race need not show itself, so it is run again and again; a mechanism that is not made for it dies or loses count.
    func isThreadSafe() -> Finding {
        // Where tasks deliver, a post to many that come and go is a lot of work.
        let isSynchronous = isSynchronous(make())
        let posts = isSynchronous ? 20_000 : 2000
        let end = ContinuousClock.now + .seconds(isSynchronous ? 1 : 14)
        var rounds = 0
        let posted = Atomic(0)
        while ContinuousClock.now < end {
            rounds += 1
            let specimen = Slot(make())
            let heard = Atomic(0)
            let postedBefore = posted.load(ordering: .relaxed)
            let subscription = specimen.value.observe { _ in heard.add(1, ordering: .relaxed) }
            let postersLeft = Atomic(2)
            let arrived = Atomic(0)
            // Queues of their own: a shared pool might have fewer threads than are to run at once.
            let threads = (0..<4).map { DispatchQueue(label: "thread \($0)") }
            let all = DispatchGroup()
            for (number, thread) in threads.enumerated() {
                thread.async(group: all) {
                    arrived.add(1, ordering: .acquiringAndReleasing)
                    while arrived.load(ordering: .acquiring) < 4 { sched_yield() }
                    if number < 2 {
                        for post in 0..<posts {
                            if post % 256 == 0, ContinuousClock.now > end { break }
                            specimen.value.post(UInt64(number * posts + post))
                            posted.add(1, ordering: .relaxed)
                        }
                        postersLeft.subtract(1, ordering: .acquiringAndReleasing)
                    } else {
                        var left = 200
                        while left > 0 || postersLeft.load(ordering: .acquiring) > 0 {
                            let few = (0..<16).map { _ in specimen.value.observe { _ in } }
                            for subscription in few { subscription.cancel() }
                            left -= 1
                        }
                    }
                }
            }
            all.wait()
            specimen.value.settle()
            subscription.cancel()
            let expected = posted.load(ordering: .relaxed) - postedBefore
            let found = heard.load(ordering: .relaxed)
            if found != expected {
                return Finding(
                    holds: false,
                    evidence: "of \(expected) posts by two threads an observer heard \(found), in round \(rounds)")
            }
        }
        return Finding(
            holds: true,
            evidence:
                "two threads posted while two others observed and cancelled: nothing was lost and nothing doubled "
                + "in \(posted.load(ordering: .relaxed).of("post")), \(rounds.of("round"))")
    }
}
