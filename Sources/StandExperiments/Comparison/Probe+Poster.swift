import Dispatch
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

    /// Two threads post and a third observes and cancels; an observer that stays hears it all and counts.
    ///
    /// A race need not show itself, so it is run again and again; a mechanism that is not made for it dies or loses count.
    func isThreadSafe() -> Finding {
        // Where tasks deliver, threads meet less often, and it takes more to see them.
        let isSynchronous = isSynchronous(make())
        let posts = isSynchronous ? 20_000 : 80_000
        let end = ContinuousClock.now + .seconds(isSynchronous ? 3 : 10)
        var rounds = 0
        while ContinuousClock.now < end {
            rounds += 1
            let specimen = Slot(make())
            let heard = Atomic(0)
            let subscription = specimen.value.observe { _ in heard.add(1, ordering: .relaxed) }
            let postersLeft = Atomic(2)
            let arrived = Atomic(0)
            // Queues of their own: a shared pool might have fewer threads than are to run at once.
            let threads = (0..<3).map { DispatchQueue(label: "thread \($0)") }
            let all = DispatchGroup()
            for (number, thread) in threads.enumerated() {
                thread.async(group: all) {
                    arrived.add(1, ordering: .acquiringAndReleasing)
                    while arrived.load(ordering: .acquiring) < 3 {}
                    if number < 2 {
                        for post in 0..<posts { specimen.value.post(UInt64(number * posts + post)) }
                        postersLeft.subtract(1, ordering: .acquiringAndReleasing)
                    } else {
                        while postersLeft.load(ordering: .acquiring) > 0 {
                            let few = (0..<16).map { _ in specimen.value.observe { _ in } }
                            for subscription in few { subscription.cancel() }
                        }
                    }
                }
            }
            all.wait()
            specimen.value.settle()
            subscription.cancel()
            let found = heard.load(ordering: .relaxed)
            if found != 2 * posts {
                return Finding(
                    holds: false,
                    evidence: "of \(2 * posts) posts by two threads an observer heard \(found), in round \(rounds)")
            }
        }
        return Finding(
            holds: true,
            evidence: "two threads posted \(posts) each while a third observed and cancelled, \(rounds) times over: "
                + "nothing lost, nothing doubled")
    }
}
