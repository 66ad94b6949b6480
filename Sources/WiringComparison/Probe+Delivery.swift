import Platform
import Synchronization

// Who hears what, in which order.

extension Probe {
    func reachesMany() -> Finding {
        let specimen = make()
        let hearings = (0..<3).map { _ in Hearing() }
        let subscriptions = hearings.map { hearing in specimen.observePlainly { hearing.note($0) } }
        specimen.post(1)
        specimen.settle()
        return withExtendedLifetime(subscriptions) {
            let heard = hearings.count { $0.all == [1] }
            return Finding(holds: heard == 3, evidence: "of 3 observers \(heard) heard the post")
        }
    }

    /// Whether an observer is done when a post returns, though the poster is given every chance to go on before it.
    ///
    /// The observer waits for the poster to go on, but not for ever: a poster that waits for its observers would wait for itself.
    func waitsForObservers(_ specimen: any Specimen) -> Bool {
        let hasReturned = Atomic(false)
        let isDone = Atomic(false)
        let subscription = specimen.observe { _ in
            for _ in 0..<1000 where !hasReturned.load(ordering: .acquiring) { sched_yield() }
            isDone.store(true, ordering: .releasing)
        }
        specimen.post(0)
        let waited = isDone.load(ordering: .acquiring)
        hasReturned.store(true, ordering: .releasing)
        specimen.settle()
        subscription.cancel()
        specimen.settle()
        return waited
    }

    /// Posts in bursts to 3 observers and looks at what each heard, until `look` sees a fault or has seen enough.
    private func burst(_ manyRounds: Int, _ look: ([UInt64], _ posted: UInt64) -> String?) -> (
        fault: String?, rounds: Int
    ) {
        let specimen = make()
        // Many rounds where threads have a say, few where they don't.
        let rounds = waitsForObservers(specimen) ? 2 : manyRounds
        let posted: UInt64 = 3000
        for round in 1...rounds {
            let hearings = (0..<3).map { _ in Hearing() }
            let subscriptions = hearings.map { hearing in
                specimen.observe { number in
                    // Some take longer than others, as in life.
                    if number % 64 == 0 { spin(microseconds: 10) }
                    hearing.note(number)
                }
            }
            for number in 1...posted { specimen.post(number) }
            specimen.settle()
            for subscription in subscriptions { subscription.cancel() }
            specimen.settle()
            for hearing in hearings {
                if let fault = look(hearing.all, posted) { return (fault, round) }
            }
        }
        return (nil, rounds)
    }

    func deliversOnce() -> Finding {
        let (fault, rounds) = burst(10) { heard, posted in
            let distinct = Set(heard).count
            if distinct == heard.count, distinct == Int(posted) { return nil }
            return
                "of \(posted) posts an observer missed \(Int(posted) - distinct) and heard \(heard.count - distinct) twice"
        }
        return Finding(
            holds: fault == nil, evidence: fault ?? "3 observers heard each of 3000 posts once, \(rounds) times over")
    }

    /// In bursts, and with an observer that suspends at the first of 8 posts until it has dealt with another.
    func keepsOrderOfPosts() -> Finding {
        let (fault, rounds) = burst(5) { heard, _ in
            guard let place = heard.indices.dropFirst().first(where: { heard[$0] < heard[$0 - 1] }) else { return nil }
            return "an observer heard post \(heard[place]) after post \(heard[place - 1])"
        }
        if let fault { return Finding(holds: false, evidence: "\(fault), in burst \(rounds)") }
        let specimen = make()
        let dealtWith = Hearing()
        let suspension = Suspension()
        let subscription = specimen.observeInTwoParts(
            { _ in }, suspendingWhile: { $0 == 1 && suspension.lasts(until: dealtWith.count > 0) },
            { dealtWith.note($0) })
        for number in 1...8 as ClosedRange<UInt64> { specimen.post(number) }
        suspension.begin()
        specimen.settle()
        subscription.cancel()
        specimen.settle()
        let order = dealtWith.all
        return Finding(
            holds: order == order.sorted(),
            evidence: order == order.sorted()
                ? "3 observers heard 3000 posts in order, \(rounds) times over; one that suspends dealt with 8 in order"
                : "an observer that suspended at the first of 8 posts dealt with post \(order[0]) before it")
    }

    /// 20 observers and one post, 50 times over; churning, every third goes and as many come before it.
    ///
    /// The first of them suspends, where observers can: the second is to be called when the first is done.
    func keepsOrder(isChurning: Bool) -> Finding {
        let runs = 50
        var kept = 0
        for _ in 0..<runs {
            let specimen = make()
            let dealtWith = Hearing()
            let suspension = Suspension()
            func observe(_ number: UInt64, _ isFirst: Bool = false) -> Subscription {
                specimen.observeInTwoParts(
                    { _ in }, suspendingWhile: { _ in isFirst && suspension.lasts(until: dealtWith.count > 0) },
                    { _ in dealtWith.note(number) })
            }
            // The first that stays suspends: that of number 0 goes when they churn.
            var subscriptions = (0..<20).map { observe($0, $0 == (isChurning ? 1 : 0)) }
            var expected = (0..<20).map { UInt64($0) }
            if isChurning {
                for number in stride(from: 18, through: 0, by: -3) {
                    subscriptions.remove(at: number).cancel()
                    expected.remove(at: number)
                }
                for number in 20..<27 as Range<UInt64> {
                    subscriptions.append(observe(number))
                    expected.append(number)
                }
                specimen.settle()
            }
            specimen.post(1)
            suspension.begin()
            specimen.settle()
            if dealtWith.all == expected { kept += 1 }
            for subscription in subscriptions { subscription.cancel() }
            specimen.settle()
        }
        return Finding(
            holds: kept == runs, evidence: "20 observers in the order of observing in \(kept) of \(runs) runs")
    }

    /// Calls of an observer that suspends until it has been called again, with 8 posts under way.
    func callsDoNotOverlap() -> Finding {
        let specimen = make()
        let inside = Atomic(0)
        let most = Atomic(0)
        let suspension = Suspension()
        let subscription = specimen.observeInTwoParts(
            { _ in
                let now = inside.add(1, ordering: .acquiringAndReleasing).newValue
                most.max(now, ordering: .relaxed)
            },
            suspendingWhile: { _ in suspension.lasts(until: most.load(ordering: .relaxed) > 1) },
            { _ in inside.subtract(1, ordering: .acquiringAndReleasing) })
        for number in 1...8 as ClosedRange<UInt64> { specimen.post(number) }
        suspension.begin()
        specimen.settle()
        subscription.cancel()
        specimen.settle()
        let overlapped = most.load(ordering: .relaxed) > 1
        return Finding(
            holds: !overlapped,
            evidence: overlapped
                ? "an observer that suspended was called again before it had gone on"
                : "with 8 posts under way no call of an observer began before the last had ended")
    }

    func isFinished() -> Finding {
        let runs = 50
        let finished = (0..<runs).count { _ in waitsForObservers(make()) }
        return Finding(
            holds: finished == runs,
            evidence:
                "the observer was done when the post returned in \(finished == 0 ? "none" : finished == runs ? "all" : "some") of \(runs) runs"
        )
    }

    /// A slow observer either makes the poster wait, or is told what it missed.
    ///
    /// Its first call lasts until all has been posted, unless the poster waits for it.
    func slowIsNoticed() -> Finding {
        let posted = 2000
        let specimen = make()
        let heard = Atomic(0)
        let isPosted = Atomic(false)
        let subscription = specimen.observe { number in
            if number == 1 {
                for _ in 0..<1000 where !isPosted.load(ordering: .acquiring) { sched_yield() }
            }
            heard.add(1, ordering: .relaxed)
        }
        for number in 1...UInt64(posted) { specimen.post(number) }
        let then = heard.load(ordering: .relaxed)
        isPosted.store(true, ordering: .releasing)
        specimen.settle()
        let all = heard.load(ordering: .relaxed)
        subscription.cancel()
        specimen.settle()
        if then == posted { return Finding(holds: true, evidence: "the poster waited for it, \(posted) times") }
        return all < posted
            ? Finding(
                holds: false,
                evidence: "the poster went on; of \(posted) posts all but \(all) were dropped, and nobody was told")
            : Finding(
                holds: false, evidence: "the poster went on; up to \(posted) posts wait in memory, without a bound")
    }
}

/// How long an observer that suspends stays so: until something has happened that a serial mechanism never lets happen,
/// but not for ever.
private final class Suspension: Sendable {
    private let hasBegun = Atomic(false)
    private let turnsLeft = Atomic(2000)

    /// All is posted: from here on turns are counted.
    func begin() { hasBegun.store(true, ordering: .releasing) }

    /// Asked at each turn of the observer.
    func lasts(until hasHappened: Bool) -> Bool {
        guard hasBegun.load(ordering: .acquiring) else { return true }
        return !hasHappened && turnsLeft.subtract(1, ordering: .relaxed).newValue > 0
    }
}

/// Works for so long, without sleeping.
func spin(microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
}
