import Platform
import Synchronization

// What becomes of observers that go.

extension Probe {
    func forgetsReleased() -> Finding {
        let specimen = make()
        let released = Atomic(false)
        let hearing = Hearing()
        func begin() -> Subscription {
            let captured = Captured { released.store(true, ordering: .relaxed) }
            return specimen.observePlainly { number in withExtendedLifetime(captured) { hearing.note(number) } }
        }
        var subscription: Subscription? = begin()
        specimen.post(1)
        specimen.settle()
        withExtendedLifetime(subscription) {}
        subscription = nil
        for number in 2...3 as ClosedRange<UInt64> {
            specimen.post(number)
            specimen.settle()
        }
        waitUntil { released.load(ordering: .relaxed) }
        let isReleased = released.load(ordering: .relaxed)
        let late = hearing.count - 1
        return Finding(
            holds: isReleased && late == 0,
            evidence: isReleased
                ? "gone with its last reference; it heard \(late) of 2 later posts"
                : "nobody held it any more, and it was kept and heard \(late) of 2 later posts")
    }

    func releasesCaptures() -> Finding {
        let specimen = make()
        let released = Atomic(0)
        let count = 100
        for number in 1...count {
            func begin() -> Subscription {
                let captured = Captured { released.add(1, ordering: .relaxed) }
                return specimen.observePlainly { _ in withExtendedLifetime(captured) {} }
            }
            let subscription = begin()
            specimen.post(UInt64(number))
            specimen.settle()
            subscription.cancel()
        }
        specimen.settle()
        waitUntil { released.load(ordering: .relaxed) == count }
        let found = released.load(ordering: .relaxed)
        return Finding(
            holds: found == count,
            evidence: "of \(count) observers that cancelled, \(found) let go of what they captured")
    }

    /// Within a post, by another observer; and while posts are under way.
    func noCallAfterCancel() -> Finding {
        let runs = 50
        var within = 0
        var underWay = 0
        for _ in 0..<runs {
            let specimen = make()
            let isCancelled = Atomic(false)
            let late = Atomic(0)
            let others = Slot<[Subscription]>([])
            // Both cancel the other, so that one is cancelled whichever is called first.
            for number in 0..<2 {
                let subscription = specimen.observe { _ in
                    if isCancelled.load(ordering: .acquiring) {
                        late.add(1, ordering: .relaxed)
                    } else if others.value.count == 2 {
                        others.value[1 - number].cancel()
                        isCancelled.store(true, ordering: .releasing)
                    }
                }
                others.value.append(subscription)
            }
            specimen.post(1)
            specimen.settle()
            if late.load(ordering: .relaxed) > 0 { within += 1 }
            for subscription in others.value { subscription.cancel() }
            specimen.settle()
        }
        for _ in 0..<runs {
            let specimen = make()
            let isCancelled = Atomic(false)
            let late = Atomic(0)
            let subscription = specimen.observe { _ in
                if isCancelled.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
            }
            for number in 1...200 as ClosedRange<UInt64> { specimen.post(number) }
            subscription.cancel()
            isCancelled.store(true, ordering: .releasing)
            specimen.post(201)
            specimen.settle()
            if late.load(ordering: .relaxed) > 0 { underWay += 1 }
        }
        return Finding(
            holds: within + underWay == 0,
            evidence:
                "called after another observer had cancelled it in \(within) of \(runs) runs, after the poster had in \(underWay) of \(runs)"
        )
    }

    func isReentrant() -> Finding {
        let runs = 50
        let faults = (0..<runs).compactMap { faultOfReentrancy(after: $0) }
        return Finding(
            holds: faults.isEmpty,
            evidence: faults.first.map { "\($0), in \(faults.count) of \(runs) runs" }
                ?? "an observer cancelled itself, began another and posted, all as expected, \(runs) times over")
    }

    /// - Parameter others: Observers that came and went before, which changes the order where that is left to hashing.
    private func faultOfReentrancy(after others: Int) -> String? {
        let specimen = make()
        for _ in 0..<others { specimen.observe { _ in }.cancel() }
        let (steady, once, later) = (Hearing(), Hearing(), Hearing())
        let own = Slot<Subscription?>(nil)
        let new = Slot<Subscription?>(nil)
        let poster = Slot(specimen)
        own.value = specimen.observe { number in
            once.note(number)
            guard number == 1 else { return }
            own.value?.cancel()
            new.value = poster.value.observe { later.note($0) }
            poster.value.post(2)
        }
        let stays = specimen.observe { steady.note($0) }
        specimen.post(1)
        specimen.settle()
        specimen.post(3)
        specimen.settle()
        stays.cancel()
        new.value?.cancel()
        own.value = nil
        let missed = Set([1, 2, 3] as [UInt64]).subtracting(steady.all).count
        if missed > 0 { return "another observer missed \(missed.of("post"))" }
        if once.all != [1] { return "it was called again after it had cancelled itself" }
        return later.all.contains(3) ? nil : "the observer it made heard nothing"
    }

    func cancelInDeinit() -> Finding {
        let specimen = make()
        let (gone, stays) = (Hearing(), Hearing())
        let isCancelled = Atomic(false)
        let other = specimen.observe { gone.note($0) }
        let steady = specimen.observe { stays.note($0) }
        func begin() -> Subscription {
            let captured = Captured {
                other.cancel()
                isCancelled.store(true, ordering: .releasing)
            }
            return specimen.observe { _ in withExtendedLifetime(captured) {} }
        }
        let first = begin()
        specimen.post(1)
        specimen.settle()
        first.cancel()
        specimen.settle()
        waitUntil { isCancelled.load(ordering: .acquiring) }
        guard isCancelled.load(ordering: .acquiring) else {
            return Finding(holds: false, evidence: "what an observer captured was not released when it cancelled")
        }
        specimen.post(2)
        specimen.settle()
        steady.cancel()
        let isSilent = gone.all == [1]
        return Finding(
            holds: isSilent && stays.all == [1, 2],
            evidence: isSilent
                ? "releasing what one observer captured cancelled another; of 2 posts a third heard \(stays.count)"
                : "releasing what one observer captured cancelled another, which was called all the same")
    }

    func replaysLatest() -> Finding {
        let specimen = make()
        specimen.post(7)
        specimen.settle()
        let hearing = Hearing()
        let late = specimen.observeFromNow { hearing.note($0) }
        specimen.settle()
        let first = hearing.all.first
        late.cancel()
        return Finding(
            holds: first == 7,
            evidence: first == 7
                ? "an observer that came after the post began with its value"
                : "an observer that came after the post heard nothing of it")
    }

    /// Gives other threads the time to do what they do in their own time: the end of a task, where a mechanism has tasks.
    private func waitUntil(_ isDone: () -> Bool) {
        guard !waitsForObservers(make()) else { return }
        for _ in 0..<500 where !isDone() { usleep(1000) }
    }
}
