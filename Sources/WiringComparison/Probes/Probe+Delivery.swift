import Dispatch
import Foundation
import Platform
import Synchronization

// Who hears what, and in which order.

extension Probe {
    func reachesMany() -> Finding {
        let till = make()
        let hearings = (0..<3).map { _ in Hearing() }
        let subscriptions = hearings.map { hearing in till.subscribe { hearing.note($0) } }
        till.deliver(1)
        let heard = hearings.count { $0.all == [1] }
        return withExtendedLifetime(subscriptions) {
            Finding(heard == 3, "\(heard) of 3 observers heard the post")
        }
    }

    /// Whether a handler has returned when the post returns.
    func waitsForHandlers(_ till: any Idiom) -> Bool {
        let holdup = Holdup()
        let isDone = Atomic(false)
        let subscription = till.subscribe { _ in
            holdup.hold()
            isDone.store(true, ordering: .releasing)
        }
        till.post(0)
        let waited = isDone.load(ordering: .acquiring)
        holdup.end()
        till.settle()
        subscription.cancel()
        till.settle()
        return waited
    }

    /// Posts bursts to 3 observers and checks what each heard, until `fault` finds one or `rounds` are over.
    private func burst(_ rounds: Int, _ fault: ([UInt64], _ posted: UInt64) -> String?) -> (fault: String?, rounds: Int)
    {
        let till = make()
        // Many rounds if threads can change the outcome, few if they can't.
        let rounds = waitsForHandlers(till) ? 2 : rounds
        let posted: UInt64 = 2000
        for round in 1...rounds {
            let hearings = (0..<min(3, till.capacity)).map { _ in Hearing() }
            let subscriptions = hearings.map { hearing in
                till.subscribe { number in
                    // Some calls take longer than others.
                    if number % 64 == 0 { spin(microseconds: 10) }
                    hearing.note(number)
                }
            }
            for number in 1...posted { till.post(number) }
            till.settle()
            for subscription in subscriptions { subscription.cancel() }
            till.settle()
            for hearing in hearings {
                if let found = fault(hearing.all, posted) { return (found, round) }
            }
        }
        return (nil, rounds)
    }

    func deliversOnce() -> Finding {
        let (fault, rounds) = burst(5) { heard, posted in
            let distinct = Set(heard).count
            if distinct == heard.count, distinct == Int(posted) { return nil }
            return
                "of \(posted) posts an observer missed \(Int(posted) - distinct) and heard \(heard.count - distinct) "
                + "twice"
        }
        return Finding(
            fault == nil, fault ?? "every observer heard each of 2000 posts once, in \(rounds.of("round"))",
            tried: rounds)
    }

    /// In bursts, and with a handler that suspends at its first call until another post was handled.
    func keepsOrderOfPosts() -> Finding {
        var fewest = Int.max
        let (fault, rounds) = burst(5) { heard, _ in
            guard let place = heard.indices.dropFirst().first(where: { heard[$0] < heard[$0 - 1] }) else {
                fewest = min(fewest, heard.count)
                return nil
            }
            return "an observer heard post \(heard[place]) after post \(heard[place - 1])"
        }
        if let fault { return Finding(false, "\(fault), in burst \(rounds)") }
        let kept = "of 2000 posts observers heard \(fewest) or more, in order, in \(rounds.of("round"))"
        let till = make()
        let (handled, gate) = (Hearing(), Gate())
        let calls = Atomic(0)
        let subscription = till.observe(asynchronously: { number in
            if calls.add(1, ordering: .relaxed).oldValue == 0 { await gate.pass() }
            handled.note(number)
        })
        guard let subscription else { return Finding(true, kept, tried: rounds) }
        for number in 1...8 as ClosedRange<UInt64> { till.post(number) }
        let isOvertaken = happens(in: till) { handled.count > 0 }
        gate.open()
        till.settle()
        subscription.cancel()
        till.settle()
        switch isOvertaken {
        case nil: return Finding(nil, "\(kept); with a handler that suspends it is not known")
        case true?:
            return Finding(
                false,
                "a handler suspended at its first call, and post \(handled.all[0]) was handled before it had ended")
        case false?: return Finding(true, "\(kept); a handler that suspends keeps it, too", tried: rounds)
        }
    }

    /// 20 observers and one post, 50 times. With churn, every third leaves and as many join first.
    ///
    /// The first observer suspends, if it can: the second must wait for it.
    func keepsOrder(isChurning: Bool) -> Finding {
        let runs = 50
        var kept = 0
        for _ in 0..<runs {
            let till = make()
            let (handled, gate) = (Hearing(), Gate())
            func observe(_ number: UInt64, _ isFirst: Bool = false) -> Subscription {
                let suspending = till.observe(asynchronously: { _ in
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
            let isKnown = happens(in: till) { handled.count > 0 } != nil
            gate.open()
            till.settle()
            for subscription in subscriptions { subscription.cancel() }
            till.settle()
            guard isKnown else { return Finding(nil, "not known within 10 s whether an observer was called") }
            if handled.all == expected { kept += 1 }
        }
        return Finding(
            kept == runs, "20 observers were called in the order of observing in \(kept) of \(runs) runs", tried: runs)
    }

    func isFinished() -> Finding {
        let runs = 50
        let finished = (0..<runs).count { _ in waitsForHandlers(make()) }
        return Finding(
            finished == runs, "the handler had returned when the post did in \(share(finished, runs)) runs", tried: runs
        )
    }

    /// The first of 3 observers throws.
    func afterAFailure() -> (others: Finding, error: Finding) {
        struct Failure: Error {}
        let called = Atomic(0)
        var observers: [@Sendable () throws -> Void] = [{ throw Failure() }]
        for _ in 0..<2 { observers.append { called.add(1, ordering: .relaxed) } }
        let witness = make().postToThrowing(observers)
        let others = called.load(ordering: .relaxed)
        return (
            Finding(others == 2, "the first of 3 threw, and \(others) of the other 2 were called"),
            Finding(witness != nil, "the first of 3 threw; \(witness ?? "nobody") learned of the error")
        )
    }

    /// The plain form, and if the poster learns nothing there, a form that tells it what is dropped.
    func slowIsNoticed() -> Finding {
        let plain = slowIsNoticed(in: make())
        guard plain.holds == false, let (bounded, name) = make().makeBounded() else { return plain }
        var told = slowIsNoticed(in: bounded)
        told.option = name
        return told
    }

    /// The first call is held up until everything is posted.
    private func slowIsNoticed(in till: any Idiom) -> Finding {
        let posted = 2000
        let heard = Atomic(0)
        let holdup = Holdup()
        let subscription = till.subscribe { number in
            if number == 1 { holdup.hold() }
            heard.add(1, ordering: .relaxed)
        }
        for number in 1...UInt64(posted) { till.post(number) }
        let then = heard.load(ordering: .relaxed)
        holdup.end()
        till.settle()
        let all = heard.load(ordering: .relaxed)
        subscription.cancel()
        till.settle()
        if then == posted { return Finding(true, "the poster waited for it, \(posted) times", tried: posted) }
        if till.dropped > 0 {
            let isTrue = till.dropped + all == posted
            return Finding(
                isTrue, "the poster was told of \(till.dropped) dropped posts; \(all) of \(posted) were heard")
        }
        return all < posted
            ? Finding(
                false, "the poster went on; all but \(all) of \(posted) posts were dropped, and nobody learned of it")
            : Finding(false, "the poster went on; up to \(posted) posts waited in memory, without a bound")
    }

    func replaysLatest() -> Finding {
        let till = make()
        till.deliver(7)
        let hearing = Hearing()
        guard let late = till.observeFromNow(Display { hearing.note($0.order) }) else {
            return Finding(false, "the mechanism keeps no value; the poster may have one beside it")
        }
        till.settle()
        let first = hearing.all.first
        late.subscription.cancel()
        return Finding(
            first == 7, "an observer came after post 7 and began with \(first.map { "\($0)" } ?? "nothing")", form: late
        )
    }

    func deliversOnAQueue() -> Finding {
        let till = make()
        let queue = DispatchQueue(label: "observer")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let heard = DispatchSemaphore(value: 0)
        let isThere = Atomic(false)
        let form = till.observe(on: queue) { _ in
            isThere.store(DispatchQueue.getSpecific(key: key) == true, ordering: .releasing)
            heard.signal()
        }
        guard let form else { return Finding(false, "there is no such form; the observer must switch by itself") }
        till.post(1)
        till.settle()
        guard heard.wait(timeout: .now() + .seconds(10)) == .success else { return Finding(nil, "no call within 10 s") }
        form.subscription.cancel()
        let found = isThere.load(ordering: .acquiring)
        return Finding(
            found, found ? "the handler ran on the observer's queue" : "the handler ran elsewhere", form: form)
    }
}

/// Holds a call of an observer up until the poster has gone on.
///
/// A call on the poster's own thread is let through: the poster can't go on before it returns. If the poster waits for
/// a call on another thread, neither ends, and the probe has no verdict.
private final class Holdup: Sendable {
    private let poster = ObjectIdentifier(Thread.current)
    private let isOver = DispatchSemaphore(value: 0)

    func hold() {
        guard ObjectIdentifier(Thread.current) != poster else { return }
        isOver.wait()
        // For the next call that is held up.
        isOver.signal()
    }

    func end() { isOver.signal() }
}

/// Suspends handlers until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var suspended: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock {
                if !$0.isOpen { $0.suspended.append(continuation) }
                return $0.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let suspended = state.withLock { state in
            state.isOpen = true
            defer { state.suspended = [] }
            return state.suspended
        }
        for continuation in suspended { continuation.resume() }
    }
}

/// Keeps the thread busy without sleeping.
func spin(microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
}
