import Dispatch
import JuiceStand

// Probes of delivery: which posts an observer hears, and in which order.

extension Probe {
    func reachesMany() -> Finding {
        let audience = Audience(make(), 3)
        audience.till.deliver(1)
        let heard = audience.hearings.count { $0.all == [1] }
        audience.end()
        return Finding(heard == 3, "\(heard) of 3 observers heard the post")
    }

    /// Whether a handler has returned when the post returns.
    private func waitsForHandlers() -> Bool {
        let call = HeldCall()
        let audience = Audience(make()) { hearing, number in
            call.hold()
            hearing.note(number)
        }
        audience.till.post(0)
        let waited = !audience.hearings[0].isEmpty
        call.goOn()
        audience.end()
        return waited
    }

    /// Posts bursts to 3 observers and checks what each heard, until `fault` finds one or 5 rounds are over.
    private func burst(_ fault: ([UInt64]) -> String?) -> (fault: String?, rounds: Int) {
        // More rounds if threads can change the outcome.
        let rounds = waitsForHandlers() ? 2 : 5
        for round in 1...rounds {
            let till = make()
            let audience = Audience(till, min(3, till.capacity)) { hearing, number in
                // Some calls take longer than others.
                if number % 64 == 0 { spin(microseconds: 10) }
                hearing.note(number)
            }
            for number in 1...2000 as ClosedRange<UInt64> { till.post(number) }
            audience.end()
            for hearing in audience.hearings {
                if let found = fault(hearing.all) { return (found, round) }
            }
        }
        return (nil, rounds)
    }

    func deliversOnce() -> Finding {
        let (fault, rounds) = burst { heard in
            let distinct = Set(heard).count
            if distinct == heard.count, distinct == 2000 { return nil }
            return "of 2000 posts an observer missed \(2000 - distinct) and heard \(heard.count - distinct) twice"
        }
        return Finding(
            fault == nil, fault ?? "every observer heard each of 2000 posts once, in \(rounds.of("round"))",
            tried: rounds)
    }

    /// Posts bursts, and posts to a handler that suspends at its first call until another post was handled.
    func keepsOrderOfPosts() -> Finding {
        var fewest = Int.max
        let (fault, rounds) = burst { heard in
            guard let place = heard.indices.dropFirst().first(where: { heard[$0] < heard[$0 - 1] }) else {
                fewest = min(fewest, heard.count)
                return nil
            }
            return "an observer heard post \(heard[place]) after post \(heard[place - 1])"
        }
        if let fault { return Finding(false, "\(fault), in burst \(rounds)") }
        let kept = "of 2000 posts observers heard \(fewest) or more, in order, in \(rounds.of("round"))"
        guard let (isKnown, handled) = handledWhileSuspended() else { return Finding(true, kept, tried: rounds) }
        if let other = handled.first {
            return Finding(
                false, "a handler suspended at its first call, and post \(other) was handled before it had ended")
        }
        return isKnown
            ? Finding(true, "\(kept); a handler that suspends keeps it, too", tried: rounds)
            : Finding(nil, "\(kept); with a handler that suspends it is not known")
    }

    /// Posts 8 times to a handler that suspends at its first call.
    ///
    /// - Returns: the posts that were handled meanwhile, and whether all is known of them; nil if the mechanism awaits
    ///   no handler.
    func handledWhileSuspended() -> (isKnown: Bool, handled: [UInt64])? {
        let till = make()
        let begun = Hearing()
        let handled = Hearing()
        let gate = Gate()
        let subscription = till.subscribe(asynchronously: { number in
            if begun.noteFirst() { await gate.pass() }
            handled.note(number)
        })
        guard let subscription else { return nil }
        for number in 1...8 as ClosedRange<UInt64> { till.post(number) }
        let isKnown = happens(in: till) { !handled.isEmpty } != nil
        let found = handled.all
        gate.open()
        till.settle()
        subscription.cancel()
        till.settle()
        return (isKnown, found)
    }

    /// Posts once to 20 observers, 50 times. With churn, every third leaves and as many join first.
    ///
    /// The first observer suspends, if it can: the second must wait for it.
    func keepsOrder(isChurning: Bool) -> Finding {
        let runs = 50
        var kept = 0
        for _ in 0..<runs {
            let till = make()
            let handled = Hearing()
            let gate = Gate()
            func observe(_ number: UInt64, _ isFirst: Bool = false) -> Subscription {
                let suspending = till.subscribe(asynchronously: { _ in
                    if isFirst { await gate.pass() }
                    handled.note(number)
                })
                return suspending ?? till.subscribe { _ in handled.note(number) }
            }
            // With churn, observer 0 leaves, so the first that stays is 1.
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
                till.settle()
            }
            till.post(1)
            let isKnown = happens(in: till) { !handled.isEmpty } != nil
            gate.open()
            till.settle()
            for subscription in subscriptions { subscription.cancel() }
            guard isKnown else { return Finding(nil, "not known within 10 s whether an observer was called") }
            if handled.all == expected { kept += 1 }
        }
        return Finding(
            kept == runs, "20 observers were called in the order of observing in \(kept) of \(runs) runs", tried: runs)
    }

    func isFinished() -> Finding {
        let runs = 50
        let finished = (0..<runs).count { _ in waitsForHandlers() }
        return Finding(
            finished == runs, "the handler had returned when the post did in \(share(finished, runs)) runs", tried: runs
        )
    }

    /// The first of 3 observers throws.
    func afterAFailure() -> (others: Finding, error: Finding) {
        let called = Hearing()
        let witness = make().postToThrowing([{ throw CancellationError() }, { called.note() }, { called.note() }])
        return (
            Finding(called.count == 2, "the first of 3 threw, and \(called.count) of the other 2 were called"),
            Finding(witness != nil, "the first of 3 threw; \(witness ?? "nobody") learned of the error")
        )
    }

    /// The first call is held up until everything is posted.
    func slowIsNoticed() -> Finding {
        let posted = 2000
        let call = HeldCall()
        let audience = Audience(make()) { hearing, number in
            call.hold()
            hearing.note(number)
        }
        let till = audience.till
        for number in 1...UInt64(posted) { till.post(number) }
        let then = audience.hearings[0].count
        call.goOn()
        audience.end()
        let all = audience.hearings[0].count
        if then == posted { return Finding(true, "the poster waited for it, \(posted) times", tried: posted) }
        if till.dropped > 0 {
            return Finding(
                till.dropped + all == posted,
                "the poster was told of \(till.dropped) dropped posts; \(all) of \(posted) were heard")
        }
        return Finding(
            false,
            all < posted
                ? "the poster went on; all but \(all) of \(posted) posts were dropped, and nobody learned of it"
                : "the poster went on; up to \(posted) posts waited in memory, without a bound")
    }

    func replaysLatest() -> Finding {
        let till = make()
        till.deliver(7)
        let hearing = Hearing()
        guard let late = till.subscribeFromNow({ hearing.note($0) }) else {
            return Finding(false, "the mechanism keeps no value; the poster may have one beside it")
        }
        till.settle()
        let first = hearing.all.first
        late.cancel()
        return Finding(
            first == 7, "an observer came after post 7 and began with \(first.map { "\($0)" } ?? "nothing")")
    }

    /// A handler that may suspend can wait for an actor on the queue.
    func deliversOnAQueue() -> Finding {
        let till = make()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.ofObservers.setSpecific(key: key, value: true)
        let called = Hearing()
        let isThere = Hearing()
        let note: @Sendable () -> Void = {
            called.note()
            if DispatchQueue.getSpecific(key: key) == true { isThere.note() }
        }
        let reader = QueueReader(.ofObservers)
        let suspending = till.subscribe(asynchronously: { _ in await reader.run(note) })
        let subscription = suspending ?? till.subscribe { _ in note() }
        till.post(1)
        guard happens(in: till, { !called.isEmpty }) == true else { return Finding(nil, "no call within 10 s") }
        subscription.cancel()
        guard !isThere.isEmpty else { return Finding(false, "the handler ran elsewhere; it must switch by itself") }
        return Finding(true, "the handler ran on the observer's queue" + (suspending == nil ? "" : ", with an actor"))
    }
}

/// An actor on a queue, for which a handler can wait.
private actor QueueReader {
    private let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ queue: DispatchQueue) { executor = QueueExecutor(queue) }

    func run(_ body: @Sendable () -> Void) { body() }
}

/// Suspends handlers until it is opened.
private final class Gate: Sendable {
    private let stream = AsyncStream<Void>.makeStream()

    /// Only one handler may pass.
    func pass() async { for await _ in stream.stream {} }

    func open() { stream.continuation.finish() }
}

/// Keeps the thread busy without sleeping.
private func spin(microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
}
