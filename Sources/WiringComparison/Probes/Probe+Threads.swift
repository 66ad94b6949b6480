import Dispatch
import Platform
import Synchronization

// Two threads, and who can be listed or noticed.

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
        let (turns, enough) = (20, make().isConcurrent ? 10 : 50)
        let dropsPosts = deliversOnce().holds == false
        let acts = make().isConcurrent ? "observed and posted" : "observed, posted and cancelled"
        let expense = Expense()
        var (rounds, met) = (0, 0)
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
                    false,
                    "two threads \(acts): an observer that stayed heard \(heard) of \(8 * turns) posts")
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
        // An idle moment of a busy machine is no loss.
        for _ in 0..<5000 where isConcurrent && losesNone && heard.load(ordering: .relaxed) < 8 * turns { usleep(1000) }
        for subscription in late.withLock({ $0 }) + [subscription] { subscription.cancel() }
        return (heard.load(ordering: .relaxed), haveMet)
    }

    /// A way to begin an observation; nil if the mechanism has none.
    private typealias Observing = (any Idiom, @escaping PostHandler) -> Form?

    /// Looks for a property in the plain form, and if it is missing there, on a serial queue that all observers name.
    private func plainOrOnAQueue(_ find: (@escaping Observing) -> Finding) -> Finding {
        let plain = find { Form($0.subscribe($1), "", isOption: false) }
        let queue = DispatchQueue(label: "observers")
        guard plain.holds == false, let form = make().observe(on: queue, { _ in }) else { return plain }
        var queued = find { $0.observe(on: queue, $1) }
        guard queued.holds == true else { return plain }
        queued.option = form.name
        return queued
    }

    func callsDoNotOverlap() -> Finding { plainOrOnAQueue(callsDoNotOverlap) }

    /// Two threads post, and the first call waits 2 s for a second one, so that a busy machine has time for both.
    ///
    /// A handler that can suspend does so instead, at each of 8 posts.
    private func callsDoNotOverlap(_ observe: @escaping Observing) -> Finding {
        let till = Slot(make())
        let inside = Atomic(0)
        let most = Atomic(0)
        let gate = Gate()
        let suspending = till.value.observe(asynchronously: { _ in
            most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            await gate.pass()
            inside.subtract(1, ordering: .relaxed)
        })
        var isKnown = true
        if let suspending {
            for number in 1...8 as ClosedRange<UInt64> { till.value.post(number) }
            isKnown = happens(in: till.value) { most.load(ordering: .relaxed) > 1 } != nil
            gate.open()
            till.value.settle()
            suspending.cancel()
        } else {
            let heard = Atomic(0)
            let form = observe(till.value) { _ in
                most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                for _ in 0..<2000 where most.load(ordering: .relaxed) < 2 && heard.load(ordering: .relaxed) == 0 {
                    usleep(1000)
                }
                inside.subtract(1, ordering: .relaxed)
                heard.add(1, ordering: .relaxed)
            }
            onTwoThreads { till.value.post(UInt64($0 + 1)) }
            for _ in 0..<10_000 where heard.load(ordering: .relaxed) < 2 { usleep(1000) }
            isKnown = heard.load(ordering: .relaxed) == 2
            form?.subscription.cancel()
        }
        till.value.settle()
        let overlapped = most.load(ordering: .relaxed) > 1
        return Finding(
            isKnown || overlapped ? !overlapped : nil,
            suspending != nil
                ? "with 8 posts under way, a handler that suspends was "
                    + "\(overlapped ? "called again meanwhile" : "called once at a time")"
                : "two threads posted, and an observer ran \(overlapped ? "on both at once" : "on one at a time")")
    }

    func keepsOneOrder() -> Finding { plainOrOnAQueue(keepsOneOrder) }

    /// Two threads post to two observers, until these have heard two posts in different orders, or until the posts were
    /// mixed often enough.
    private func keepsOneOrder(_ observe: @escaping Observing) -> Finding {
        if !make().isConcurrent, let finding = overtakes(observe) { return finding }
        let enough = 50
        let expense = Expense()
        var (rounds, met) = (0, 0)
        while met < enough, !expense.exceeds(work: budget, wall: budget * 2) {
            rounds += 1
            let till = Slot(make())
            let hearings = [Hearing(), Hearing()]
            let forms = hearings.map { hearing in
                observe(till.value) { number in
                    hearing.note(number)
                    // Gives the other thread a chance to be first at the next observer.
                    if number % 8 < 2 { sched_yield() }
                }
            }
            onTwoThreads { thread in
                for number in 0..<200 { till.value.post(UInt64(2 * number + thread)) }
            }
            till.value.settle()
            if !till.value.isConcurrent {
                // A queue may still have some.
                for _ in 0..<5000 where hearings.contains(where: { $0.count < 400 }) { usleep(1000) }
            }
            for form in forms { form?.subscription.cancel() }
            let heard = hearings[0].all
            // The posts of the two threads were mixed, on two processors or on one.
            if zip(heard, heard.dropFirst()).count(where: { $0 % 2 != $1 % 2 }) > 1 { met += 1 }
            // What only one of them heard has no order.
            let common = Set(hearings[0].all).intersection(hearings[1].all)
            if hearings[0].all.filter(common.contains) != hearings[1].all.filter(common.contains) {
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
    private func overtakes(_ observe: Observing) -> Finding? {
        let till = Slot(make())
        let (isInside, isOvertaken) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hearings = [Hearing(), Hearing()]
        let isFirst = Atomic(true)
        let forms = hearings.map { hearing in
            observe(till.value) { number in
                hearing.note(number)
                if number == 1, isFirst.exchange(false, ordering: .acquiringAndReleasing) {
                    isInside.signal()
                    _ = isOvertaken.wait(timeout: .now() + 1)
                }
            }
        }
        let group = DispatchGroup()
        DispatchQueue(label: "held up").async(group: group) { till.value.post(1) }
        _ = isInside.wait(timeout: .now() + 1)
        DispatchQueue(label: "overtakes").async(group: group) {
            till.value.post(2)
            isOvertaken.signal()
        }
        group.wait()
        till.value.settle()
        for form in forms { form?.subscription.cancel() }
        guard hearings.allSatisfy({ $0.count == 2 }), hearings[0].all != hearings[1].all else { return nil }
        return Finding(
            false,
            "while one observer held a post up, another thread's post overtook it: the two observers heard them "
                + "in different orders")
    }

    func reachesStrangers() -> Finding {
        let till = make()
        let hearing = Hearing()
        let subscription = till.subscribe { hearing.note($0) }
        let other = till.makeAnother()
        other.post(1)
        other.settle()
        till.settle()
        return withExtendedLifetime((subscription, other)) {
            Finding(hearing.count == 1, "an observer heard \(hearing.count) of 1 post by a poster made after it began")
        }
    }

    func listsObservers() -> Finding {
        let till = make()
        let count = min(3, till.capacity)
        let subscriptions = (0..<count).map { _ in till.subscribe { _ in } }
        return withExtendedLifetime(subscriptions) {
            let listed = till.observersListed
            return Finding(
                listed?.count == count,
                listed.map { "\($0.count) of \(count.of("observer")) listed, the first as \($0.first ?? "")" }
                    ?? "nothing names them")
        }
    }

    func noticesUnheard() -> Finding {
        let till = make()
        let before = till.isHeard
        let subscription = till.subscribe { _ in }
        let after = withExtendedLifetime(subscription) { till.isHeard }
        return Finding(
            before == false && after == true,
            before == nil
                ? "nothing tells the poster"
                : "the poster was told \(before == true) without and \(after == true) with an observer")
    }
}
