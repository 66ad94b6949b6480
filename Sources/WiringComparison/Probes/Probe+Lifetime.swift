import Dispatch

// Probes of observers that leave.

extension Probe {
    /// Observes with a closure that captures an object, and notes the release of the object.
    private func subscribe(
        to till: any Idiom, noting released: Hearing, _ hear: @escaping PostHandler = { _ in }
    ) -> Subscription {
        let captured = Captured { released.note() }
        return till.subscribe { number in withExtendedLifetime(captured) { hear(number) } }
    }

    func forgetsReleased() -> Finding {
        let till = make()
        let released = Hearing()
        let hearing = Hearing()
        var subscription: Subscription? = subscribe(to: till, noting: released) { hearing.note($0) }
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
            let subscription = subscribe(to: till, noting: released)
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
        let released = Hearing()
        let hearing = Hearing()
        // An idiom with a single observer takes them one after another.
        for _ in 0..<100 {
            till.observeCapturingSelf(Display { hearing.note($0.order) }, Captured { released.note() })
        }
        till.deliver(1)
        let verdict = happens(in: till) { released.count == 100 }
        let freed = "\(released.count) of 100 objects that observe, capture self and keep the token were freed"
        return hearing.isEmpty
            ? Finding(verdict, freed, tried: 100)
            : Finding(false, "\(freed); the rest heard a post after their owner released them")
    }

    func holdsWeakly() -> Finding {
        let till = make()
        let released = Hearing()
        func observe() -> Any {
            let captured = Captured { released.note() }
            return till.observe(Display { _ in withExtendedLifetime(captured) {} })
        }
        let key = observe()
        till.deliver(1)
        let verdict = happens(in: till) { released.count == 1 }
        return withExtendedLifetime(key) {
            Finding(
                verdict,
                verdict == true
                    ? "the object was freed while it observed"
                    : "the object was kept alive while it observed; its handler must capture it weakly")
        }
    }

    /// Cancels inside a post, by another observer, and after posts, by the poster.
    func noCallAfterCancel() -> Finding {
        let runs = 50
        let inside = make().capacity > 1 ? (0..<runs).count { _ in isCalledAfterCancelInside() } : 0
        let after = (0..<runs).count { _ in
            let cancelled = Hearing()
            let audience = Audience(make()) { late, _ in if !cancelled.isEmpty { late.note() } }
            for number in 1...200 as ClosedRange<UInt64> { audience.till.post(number) }
            audience.subscriptions[0].cancel()
            cancelled.note()
            audience.till.post(201)
            audience.till.settle()
            return !audience.hearings[0].isEmpty
        }
        return Finding(
            inside + after == 0,
            "called after another observer had cancelled it in \(share(inside, runs)) runs, after the poster had in "
                + "\(share(after, runs))", tried: 2 * runs)
    }

    /// Two observers; the one that is called first cancels the other.
    private func isCalledAfterCancelInside() -> Bool {
        let cancelled = Hearing()
        let late = Hearing()
        let both = Slot<[Subscription]>([])
        let till = make()
        both.value = [1, 0].map { other in
            till.subscribe { _ in
                guard cancelled.isEmpty else { return late.note() }
                both.value[other].cancel()
                cancelled.note()
            }
        }
        till.deliver(1)
        for subscription in both.value { subscription.cancel() }
        till.settle()
        return !late.isEmpty
    }

    /// Cancels with posts under way.
    func hearsBeforeCancel() -> Finding {
        let runs = 50
        let posted = 20
        var fewest = posted
        for _ in 0..<runs {
            let audience = Audience(make())
            for number in 1...UInt64(posted) { audience.till.post(number) }
            audience.subscriptions[0].cancel()
            audience.till.settle()
            fewest = min(fewest, audience.hearings[0].count)
        }
        return Finding(
            fewest == posted,
            fewest == posted
                ? "all of \(posted) posts before the cancel were heard, in \(runs) runs"
                : "an observer that was cancelled after \(posted) posts heard \(fewest) of them", tried: runs)
    }

    /// Cancels from another thread while the post is busy with an observer before.
    func noCallAfterCancelElsewhere() -> Finding {
        let late = Hearing()
        let call = HeldCall()
        // The observer that is called first waits inside while the other is cancelled.
        let audience = Audience(make(), 2) { hearing, number in
            hearing.note(number)
            if !call.hold() { late.note() }
        }
        guard let post = call.begin(by: audience.till) else { return Finding(nil, "no call within 15 s") }
        defer { audience.end() }
        // Where observers run side by side, the other may have been called already.
        guard let next = audience.hearings.firstIndex(where: \.isEmpty) else {
            call.goOn()
            return Finding(nil, "both observers were called at once, so there was none to cancel in time")
        }
        audience.subscriptions[next].cancel()
        call.goOn()
        post.wait()
        audience.till.settle()
        return Finding(
            late.isEmpty,
            "a post was busy with one observer while another thread cancelled the next, which was "
                + (late.isEmpty ? "not called" : "called all the same"))
    }

    func cancelWaits() -> Finding {
        let call = HeldCall()
        let audience = Audience(make()) { hearing, number in
            call.hold()
            hearing.note(number)
        }
        guard let post = call.begin(by: audience.till) else { return Finding(nil, "no call within 15 s") }
        let hasReturned = DispatchSemaphore(value: 0)
        let doneBefore = Hearing()
        DispatchQueue(label: "canceller").async(group: post) {
            [subscription = audience.subscriptions[0], hearing = audience.hearings[0]] in
            subscription.cancel()
            if !hearing.isEmpty { doneBefore.note() }
            hasReturned.signal()
        }
        // A cancel that does not wait returns while the call is still held up, even on a busy machine.
        let returnedEarly = hasReturned.wait(timeout: .now() + .seconds(5)) == .success
        call.goOn()
        post.wait()
        audience.end()
        if !doneBefore.isEmpty { return Finding(true, "cancel returned after the running call had") }
        return returnedEarly
            ? Finding(false, "cancel returned while a call was running")
            : Finding(nil, "cancel took longer than 5 s")
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
        let steady = Hearing()
        let once = Hearing()
        let later = Hearing()
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

    /// The release of what one observer captured cancels another.
    func cancelInDeinit() -> Finding {
        let audience = Audience(make(), 2)
        let till = audience.till
        let gone = audience.hearings[0]
        let stays = audience.hearings[1]
        let cancelled = Hearing()
        func begin() -> Subscription {
            let captured = Captured { [other = audience.subscriptions[0]] in
                other.cancel()
                cancelled.note()
            }
            return till.subscribe { _ in withExtendedLifetime(captured) {} }
        }
        let first = begin()
        till.deliver(1)
        first.cancel()
        till.settle()
        let isReleased = happens(in: till) { !cancelled.isEmpty }
        guard isReleased == true else {
            return Finding(isReleased, "it was not seen that what an observer captured was released when it cancelled")
        }
        till.deliver(2)
        audience.end()
        let isSilent = gone.all == [1]
        return Finding(
            isSilent && stays.all == [1, 2],
            "releasing what one observer captured cancelled another"
                + (isSilent ? "; a third heard \(stays.count) of 2 posts" : ", which was called all the same"))
    }
}
