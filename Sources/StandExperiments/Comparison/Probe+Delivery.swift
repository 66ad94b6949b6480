import NotificationBus
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

    func isSynchronous(_ specimen: any Specimen) -> Bool {
        let hearing = Hearing()
        let subscription = specimen.observe { hearing.note($0) }
        specimen.post(0)
        let isSynchronous = hearing.count == 1
        specimen.settle()
        subscription.cancel()
        specimen.settle()
        return isSynchronous
    }

    /// Posts in bursts to 3 observers and looks at what each heard, until `look` sees a fault or has seen enough.
    private func burst(_ manyRounds: Int, _ look: ([UInt64], _ posted: UInt64) -> String?) -> (
        fault: String?, rounds: Int
    ) {
        let specimen = make()
        // Many rounds where threads have a say, few where they don't.
        let rounds = isSynchronous(specimen) ? 3 : manyRounds
        let posted: UInt64 = 3000
        let end = ContinuousClock.now + .seconds(6)
        for round in 1...rounds {
            if ContinuousClock.now > end { return (nil, round - 1) }
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

    func keepsOrderOfPosts() -> Finding {
        let (fault, rounds) = burst(200) { heard, _ in
            guard let place = heard.indices.dropFirst().first(where: { heard[$0] < heard[$0 - 1] }) else { return nil }
            return "an observer heard post \(heard[place]) after post \(heard[place - 1])"
        }
        return Finding(
            holds: fault == nil,
            evidence: fault.map { "\($0), in burst \(rounds)" }
                ?? "3 observers heard 3000 posts in order, \(rounds) times over")
    }

    /// 20 observers and one post, 50 times over; churning, every third goes and as many come before it.
    func keepsOrder(isChurning: Bool) -> Finding {
        let runs = 50
        var kept = 0
        for _ in 0..<runs {
            let specimen = make()
            let hearing = Hearing()
            var subscriptions = (0..<20).map { number in specimen.observe { _ in hearing.note(UInt64(number)) } }
            var expected = (0..<20).map { UInt64($0) }
            if isChurning {
                for number in stride(from: 18, through: 0, by: -3) {
                    subscriptions.remove(at: number).cancel()
                    expected.remove(at: number)
                }
                for number in 20..<27 {
                    subscriptions.append(specimen.observe { _ in hearing.note(UInt64(number)) })
                    expected.append(UInt64(number))
                }
                specimen.settle()
            }
            specimen.post(1)
            specimen.settle()
            if hearing.all == expected { kept += 1 }
            withExtendedLifetime(subscriptions) {}
        }
        return Finding(
            holds: kept == runs, evidence: "20 observers in the order of observing in \(kept) of \(runs) runs")
    }

    func callsDoNotOverlap() -> Finding {
        let specimen = make()
        let inside = Atomic(0)
        let most = Atomic(0)
        let subscription = specimen.observeInTwoParts {
            let now = inside.add(1, ordering: .acquiringAndReleasing).newValue
            most.max(now, ordering: .relaxed)
            spin(microseconds: 20)
        } _: {
            inside.subtract(1, ordering: .acquiringAndReleasing)
        }
        for number in 1...500 as ClosedRange<UInt64> { specimen.post(number) }
        specimen.settle()
        subscription.cancel()
        specimen.settle()
        let found = most.load(ordering: .relaxed)
        return Finding(
            holds: found <= 1,
            evidence: "of 500 posts by one thread, up to \(found.of("call")) of one observer ran at once")
    }

    func isFinished() -> Finding {
        let runs = 50
        var finished = 0
        for _ in 0..<runs {
            let specimen = make()
            let hearings = (0..<3).map { _ in Hearing() }
            let subscriptions = hearings.map { hearing in
                specimen.observe {
                    spin(microseconds: 20)
                    hearing.note($0)
                }
            }
            specimen.post(1)
            if hearings.allSatisfy({ $0.count == 1 }) { finished += 1 }
            specimen.settle()
            withExtendedLifetime(subscriptions) {}
        }
        return Finding(
            holds: finished == runs,
            evidence: "3 observers were done when the post returned in \(finished) of \(runs) runs")
    }

    /// A slow observer either makes the poster wait, or is told what it missed.
    func slowIsNoticed() -> Finding {
        let posted = 2000
        let specimen = make()
        let heard = Atomic(0)
        let subscription = specimen.observe { _ in
            spin(microseconds: 20)
            heard.add(1, ordering: .relaxed)
        }
        for number in 1...UInt64(posted) { specimen.post(number) }
        let then = heard.load(ordering: .relaxed)
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
                holds: false,
                evidence: "the poster went on; nearly all of \(posted) posts waited in memory, without a bound")
    }
}

/// Works for so long, without sleeping.
func spin(microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
}
