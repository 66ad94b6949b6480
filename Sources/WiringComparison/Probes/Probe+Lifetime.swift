import Dispatch
import Platform
import Synchronization

// What happens to observers that leave.

extension Probe {
    func forgetsReleased() -> Finding {
        let till = make()
        let (released, hearing) = (Hearing(), Hearing())
        func begin() -> Subscription {
            let captured = Captured { released.note(0) }
            return till.subscribe { number in withExtendedLifetime(captured) { hearing.note(number) } }
        }
        var subscription: Subscription? = begin()
        till.deliver(1)
        withExtendedLifetime(subscription) {}
        subscription = nil
        till.deliver(2, 3)
        let late = hearing.count - 1
        if late > 0 { return Finding(false, "its owner released it, and it heard \(late) of 2 later posts") }
        let verdict = happens(in: till) { released.count == 1 }
        return Finding(
            verdict,
            verdict == true ? "it ended with its last reference and heard no later post" : "its release was not seen")
    }

    func releasesCaptures() -> Finding {
        let till = make()
        let released = Hearing()
        for number in 1...100 as ClosedRange<UInt64> {
            func begin() -> Subscription {
                let captured = Captured { released.note(number) }
                return till.subscribe { _ in withExtendedLifetime(captured) {} }
            }
            let subscription = begin()
            till.deliver(number)
            subscription.cancel()
        }
        till.settle()
        let verdict = happens(in: till) { released.count == 100 }
        return Finding(
            verdict, "\(released.count) of 100 cancelled observers released what they captured", tried: 100)
    }

    func makesNoRetainCycle() -> Finding {
        let till = make()
        let (released, hearing) = (Hearing(), Hearing())
        // An idiom with a single observer takes them one after another.
        for _ in 0..<100 {
            till.observeCapturingSelf(Display { hearing.note($0.order) }, Captured { released.note(0) })
        }
        till.deliver(1)
        let verdict = happens(in: till) { released.count == 100 }
        let freed = "\(released.count) of 100 objects that observe, capture self and keep the token were freed"
        return hearing.count > 0
            ? Finding(false, "\(freed); the rest heard a post after their owner released them")
            : Finding(verdict, freed, tried: 100)
    }

    func holdsWeakly() -> Finding {
        let till = make()
        let released = Hearing()
        func begin() -> Form? {
            let captured = Captured { released.note(0) }
            return till.observeWeakly(Display { _ in withExtendedLifetime(captured) {} })
        }
        guard let form = begin() else {
            return Finding(false, "there is no such form; the handler must capture weakly")
        }
        till.deliver(1)
        let verdict = happens(in: till) { released.count == 1 }
        form.subscription.cancel()
        return Finding(
            verdict, verdict == true ? "the object was freed while it observed" : "the object was kept alive",
            form: form)
    }

    /// Cancels inside a post, by another observer, and after posts, by the poster.
    func noCallAfterCancel() -> Finding {
        let runs = 50
        var inside = 0
        var after = 0
        for _ in 0..<runs where hasRoom {
            let till = make()
            let isCancelled = Atomic(false)
            let late = Atomic(0)
            let others = Slot<[Subscription]>([])
            // Each cancels the other, so that one is cancelled whichever is called first.
            for number in 0..<2 {
                let subscription = till.subscribe { _ in
                    if isCancelled.load(ordering: .acquiring) {
                        late.add(1, ordering: .relaxed)
                    } else if others.value.count == 2 {
                        others.value[1 - number].cancel()
                        isCancelled.store(true, ordering: .releasing)
                    }
                }
                others.value.append(subscription)
            }
            till.post(1)
            till.settle()
            if late.load(ordering: .relaxed) > 0 { inside += 1 }
            for subscription in others.value { subscription.cancel() }
            till.settle()
        }
        for _ in 0..<runs {
            let till = make()
            let isCancelled = Atomic(false)
            let late = Atomic(0)
            let subscription = till.subscribe { _ in
                if isCancelled.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
            }
            for number in 1...200 as ClosedRange<UInt64> { till.post(number) }
            subscription.cancel()
            isCancelled.store(true, ordering: .releasing)
            till.post(201)
            till.settle()
            if late.load(ordering: .relaxed) > 0 { after += 1 }
        }
        return Finding(
            inside + after == 0,
            "called after another observer had cancelled it in \(share(inside, runs)) runs, after the poster had in "
                + "\(share(after, runs))", tried: 2 * runs)
    }

    /// Cancels with posts under way.
    func hearsBeforeCancel() -> Finding {
        let (runs, posted) = (50, 20)
        var fewest = posted
        for _ in 0..<runs {
            let till = make()
            let hearing = Hearing()
            let subscription = till.subscribe { hearing.note($0) }
            for number in 1...UInt64(posted) { till.post(number) }
            subscription.cancel()
            till.settle()
            fewest = min(fewest, hearing.count)
        }
        return Finding(
            fewest == posted,
            fewest == posted
                ? "all of \(posted) posts before the cancel were heard, in \(runs) runs"
                : "an observer that was cancelled after \(posted) posts heard \(fewest) of them", tried: runs)
    }

    private var hasRoom: Bool { make().capacity > 1 }

    /// `none`, `some` or `all`: how often a race goes one way says little.
    func share(_ count: Int, _ runs: Int) -> String {
        (count == 0 ? "none" : count == runs ? "all" : "some") + " of \(runs)"
    }

    /// Cancels from another thread while the post is busy with an observer before.
    func noCallAfterCancelElsewhere() -> Finding {
        let till = Slot(make())
        let others = Slot<[Subscription]>([])
        let isInside = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let first = Atomic(-1)
        let late = Atomic(0)
        // The observer that is called first waits inside while the other is cancelled.
        for number in 0..<2 {
            others.value.append(
                till.value.subscribe { _ in
                    if first.compareExchange(expected: -1, desired: number, ordering: .acquiringAndReleasing).exchanged
                    {
                        isInside.signal()
                        mayGoOn.wait()
                    } else {
                        late.add(1, ordering: .relaxed)
                    }
                })
        }
        let group = DispatchGroup()
        DispatchQueue(label: "poster").async(group: group) { till.value.post(1) }
        guard isInside.wait(timeout: .now() + .seconds(15)) == .success else {
            return Finding(nil, "no call within 15 s")
        }
        // Where observers run side by side, the other may have been called already.
        if late.load(ordering: .acquiring) > 0 {
            mayGoOn.signal()
            return Finding(nil, "both observers were called at once, so there was none to cancel in time")
        }
        others.value[1 - first.load(ordering: .acquiring)].cancel()
        mayGoOn.signal()
        group.wait()
        till.value.settle()
        for subscription in others.value { subscription.cancel() }
        let isCalled = late.load(ordering: .acquiring) > 0
        return Finding(
            !isCalled,
            "a post was busy with one observer while another thread cancelled the next, which was "
                + "\(isCalled ? "called all the same" : "not called")")
    }

    func cancelWaits() -> Finding {
        let till = Slot(make())
        let isInside = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let isDone = Atomic(false)
        let wasDone = Atomic(false)
        let body: PostHandler = { _ in
            isInside.signal()
            mayGoOn.wait()
            isDone.store(true, ordering: .releasing)
        }
        let waiting = till.value.observeWithWaitingCancel(Display { body($0.order) })
        let subscription = waiting?.subscription ?? till.value.subscribe(body)
        let group = DispatchGroup()
        DispatchQueue(label: "poster").async(group: group) { till.value.post(1) }
        guard isInside.wait(timeout: .now() + .seconds(15)) == .success else {
            return Finding(nil, "no call within 15 s")
        }
        let hasReturned = DispatchSemaphore(value: 0)
        DispatchQueue(label: "canceller").async(group: group) {
            subscription.cancel()
            wasDone.store(isDone.load(ordering: .acquiring), ordering: .releasing)
            hasReturned.signal()
        }
        // A cancel that does not wait returns while the call is still held up. Without a form that is meant to wait, it
        // gets all the time that a busy machine may need.
        let patience = waiting == nil ? 10.0 : 1
        let returnedEarly = hasReturned.wait(timeout: .now() + patience) == .success
        mayGoOn.signal()
        if !returnedEarly { hasReturned.wait() }
        group.wait()
        till.value.settle()
        if wasDone.load(ordering: .acquiring) {
            return Finding(true, "cancel returned after the running call had", form: waiting)
        }
        return returnedEarly
            ? Finding(false, "cancel returned while a call was running")
            : Finding(nil, "cancel took longer than \(patience) s")
    }

    func isReentrant() -> Finding {
        let runs = 50
        let dropsPosts = deliversOnce().holds == false
        let faults = (0..<runs).compactMap { faultOfReentrancy(after: $0, dropsPosts) }
        return Finding(
            faults.isEmpty,
            faults.first.map { "\($0), in \(share(faults.count, runs)) runs" }
                ?? "an observer cancelled itself, began another and posted as expected, in all of \(runs) runs",
            tried: runs)
    }

    /// - Parameters:
    ///   - others: Observers that came and left before; they change the order in mechanisms that hash.
    ///   - dropsPosts: Whether the mechanism loses posts in any case.
    private func faultOfReentrancy(after others: Int, _ dropsPosts: Bool) -> String? {
        let till = make()
        for _ in 0..<others { till.subscribe { _ in }.cancel() }
        let (steady, once, later) = (Hearing(), Hearing(), Hearing())
        let own = Slot<Subscription?>(nil)
        let new = Slot<Subscription?>(nil)
        let poster = Slot(till)
        own.value = till.subscribe { number in
            once.note(number)
            guard number == 1 else { return }
            own.value?.cancel()
            new.value = poster.value.subscribe { later.note($0) }
            poster.value.post(2)
        }
        let stays = till.capacity > 1 ? till.subscribe { steady.note($0) } : nil
        till.deliver(1, 3)
        stays?.cancel()
        new.value?.cancel()
        own.value = nil
        let missed = Set([1, 2, 3] as [UInt64]).subtracting(steady.all).count
        if stays != nil, missed > 0, !dropsPosts { return "another observer missed \(missed.of("post"))" }
        if once.all != [1] { return "it was called again after it had cancelled itself" }
        return later.all.contains(3) ? nil : "the observer it began heard nothing"
    }

    func cancelInDeinit() -> Finding {
        let till = make()
        let (gone, stays) = (Hearing(), Hearing())
        let cancelled = Hearing()
        let other = till.subscribe { gone.note($0) }
        let steady = till.subscribe { stays.note($0) }
        func begin() -> Subscription {
            let captured = Captured {
                other.cancel()
                cancelled.note(0)
            }
            return till.subscribe { _ in withExtendedLifetime(captured) {} }
        }
        let first = begin()
        till.deliver(1)
        first.cancel()
        till.settle()
        let isReleased = happens(in: till) { cancelled.count == 1 }
        guard isReleased == true else {
            return Finding(isReleased, "it was not seen that what an observer captured was released when it cancelled")
        }
        till.deliver(2)
        steady.cancel()
        let isSilent = gone.all == [1]
        return Finding(
            isSilent && stays.all == [1, 2],
            isSilent
                ? "releasing what one observer captured cancelled another; a third heard \(stays.count) of 2 posts"
                : "releasing what one observer captured cancelled another, which was called all the same")
    }
}
