import Dispatch
import Platform
import Synchronization

// Probes with two threads, and of observers that can be listed or noticed.

extension Probe {
    /// Two threads observe, post and cancel, while an observer that stays counts.
    ///
    /// Where other threads deliver, nobody cancels: what a cancelled observer still hears is another row's question.
    ///
    /// A race shows only while both threads run, and a busy machine or a single processor seldom lets them. So the
    /// probe repeats until they have met often enough. If that uses up the budget, there is no verdict. A mechanism
    /// that is not thread-safe crashes or loses count. One that drops posts on a single thread too must only not crash.
    /// Where other threads deliver, they take processors away, so it is enough that both begin together.
    func isThreadSafe() -> Finding {
        // Short rounds: in a long one a busy machine takes a processor away.
        let turns = 20
        let enough = make().isConcurrent ? 10 : 50
        let dropsPosts = deliversOnce().holds == false
        let acts = make().isConcurrent ? "observed and posted" : "observed, posted and cancelled"
        let expense = Expense()
        var rounds = 0
        var met = 0
        while met < enough {
            guard !expense.exceeds(work: budget, wall: budget * 2) else {
                return Finding(
                    nil, "two threads ran side by side in only \(met) of \(rounds.of("round")); nothing was lost")
            }
            rounds += 1
            let till = make()
            let (heard, haveMet) = meet(till, turns: turns, losesNone: !dropsPosts)
            if haveMet || till.isConcurrent { met += 1 }
            if heard != 8 * turns, !dropsPosts {
                return Finding(
                    false, "two threads \(acts): an observer that stayed heard \(heard) of \(8 * turns) posts")
            }
        }
        return Finding(
            true,
            "two threads \(acts) \(turns) times in each of \(met) rounds: "
                + (dropsPosts ? "nothing crashed, and it drops posts on one thread too" : "every post was heard once"),
            tried: met)
    }

    /// - Parameter losesNone: Whether to wait until the observer that stays has heard all.
    /// - Returns: how many posts it heard, and whether the threads ran side by side.
    private func meet(_ made: any Idiom, turns: Int, losesNone: Bool) -> (heard: Int, haveMet: Bool) {
        let till = Slot(made)
        let isConcurrent = made.isConcurrent
        let heard = Atomic(0)
        let late = Guarded<[Subscription]>([])
        let subscription = till.value.subscribe { _ in heard.add(1, ordering: .relaxed) }
        let haveMet = onTwoThreads { thread in
            for turn in 0..<turns {
                let few = (0..<4).map { _ in till.value.subscribe { _ in } }
                for post in 0..<4 { till.value.post(UInt64(turn * 4 + post)) }
                if isConcurrent {
                    late.withLock { $0 += few }
                } else {
                    for subscription in few { subscription.cancel() }
                }
            }
        }
        till.value.settle()
        // On a busy machine, threads may seem idle before they have delivered all posts.
        for _ in 0..<5000 where isConcurrent && losesNone && heard.load(ordering: .relaxed) < 8 * turns { usleep(1000) }
        for subscription in late.withLock({ $0 }) + [subscription] { subscription.cancel() }
        return (heard.load(ordering: .relaxed), haveMet)
    }

    /// Two threads post, and the first call waits 2 s for a second one, so that a busy machine has time for both.
    ///
    /// A handler that can suspend does so instead.
    func callsDoNotOverlap() -> Finding {
        if let (isKnown, handled) = handledWhileSuspended() {
            return Finding(
                isKnown ? handled.isEmpty : nil,
                "with 8 posts under way, a handler that suspends was "
                    + (handled.isEmpty ? "called once at a time" : "called again meanwhile"))
        }
        let inside = Atomic(0)
        let most = Atomic(0)
        let audience = Audience(make()) { hearing, number in
            most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            for _ in 0..<2000 where most.load(ordering: .relaxed) < 2 && hearing.isEmpty { usleep(1000) }
            inside.subtract(1, ordering: .relaxed)
            hearing.note(number)
        }
        let till = Slot(audience.till)
        onTwoThreads { till.value.post(UInt64($0 + 1)) }
        // A queue may still have a call, which sleeps.
        for _ in 0..<10_000 where audience.hearings[0].count < 2 { usleep(1000) }
        audience.end()
        let overlapped = most.load(ordering: .relaxed) > 1
        return Finding(
            overlapped ? false : audience.hearings[0].count == 2 ? true : nil,
            "two threads posted, and an observer ran \(overlapped ? "on both at once" : "on one at a time")")
    }

    /// Two threads post to two observers, until these have heard two posts in different orders, or until the posts were
    /// mixed often enough.
    func keepsOneOrder() -> Finding {
        if !make().isConcurrent, let finding = overtakes() { return finding }
        let enough = 50
        let expense = Expense()
        var rounds = 0
        var met = 0
        while met < enough, !expense.exceeds(work: budget, wall: budget * 2) {
            rounds += 1
            let audience = Audience(make(), 2) { hearing, number in
                hearing.note(number)
                // Gives the other thread a chance to be first at the next observer.
                if number % 8 < 2 { sched_yield() }
            }
            let till = Slot(audience.till)
            onTwoThreads { thread in
                for number in 0..<200 { till.value.post(UInt64(2 * number + thread)) }
            }
            audience.end()
            let first = audience.hearings[0].all
            let second = audience.hearings[1].all
            // The posts of the two threads were mixed, on two processors or on one.
            if zip(first, first.dropFirst()).count(where: { $0 % 2 != $1 % 2 }) > 1 { met += 1 }
            // A post that only one of them heard has no order.
            let common = Set(first).intersection(second)
            if first.filter(common.contains) != second.filter(common.contains) {
                return Finding(false, "two threads posted, and two observers heard the posts in different orders")
            }
        }
        return Finding(
            met < enough ? nil : true,
            "two threads posted 400 times to two observers in each of \(rounds.of("round")), mixed in \(met), and no "
                + "order differed", tried: rounds)
    }

    /// The first observer holds the post of one thread until the second one has heard the post of another thread.
    ///
    /// - Returns: nil if the second thread has to wait, for a second.
    private func overtakes() -> Finding? {
        let call = HeldCall()
        let audience = Audience(make(), 2) { hearing, number in
            hearing.note(number)
            call.hold()
        }
        guard let post = call.begin(by: audience.till) else { return nil }
        let till = Slot(audience.till)
        let isOvertaken = DispatchSemaphore(value: 0)
        DispatchQueue(label: "overtakes").async(group: post) {
            till.value.post(2)
            isOvertaken.signal()
        }
        _ = isOvertaken.wait(timeout: .now() + 1)
        call.goOn()
        post.wait()
        audience.end()
        let first = audience.hearings[0].all
        let second = audience.hearings[1].all
        guard first.count == 2, second.count == 2, first != second else { return nil }
        return Finding(
            false,
            "while one observer held a post up, another thread's post overtook it: the two observers heard them "
                + "in different orders")
    }

    func reachesStrangers() -> Finding {
        let audience = Audience(make())
        let other = audience.till.makeAnother() ?? make()
        other.post(1)
        other.settle()
        audience.end()
        let heard = audience.hearings[0].count
        return Finding(heard == 1, "an observer heard \(heard) of 1 post by a poster made after it began")
    }

    func listsObservers() -> Finding {
        let till = make()
        let audience = Audience(till, min(3, till.capacity))
        let listed = till.observersListed
        audience.end()
        return Finding(
            listed?.count == audience.hearings.count,
            listed.map {
                "\($0.count) of \(audience.hearings.count.of("observer")) listed, the first as \($0.first ?? "")"
            } ?? "nothing names them")
    }

    func noticesUnheard() -> Finding {
        let till = make()
        let before = till.isHeard
        let audience = Audience(till)
        let after = till.isHeard
        audience.end()
        return Finding(
            before == false && after == true,
            before == nil
                ? "nothing tells the poster"
                : "the poster was told \(before == true) without and \(after == true) with an observer")
    }
}
