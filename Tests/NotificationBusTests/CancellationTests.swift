import Dispatch
import NotificationBus
import Platform
import Testing

/// Promise 2: observing takes effect with the next post, cancelling ends what is not decided.
@Suite(.timeLimit(.minutes(60)))
struct CancellationTests {
    let center = TypedNotificationCenter()

    @Test(arguments: [false, true])
    func `cancelling, again and again, or releasing the token ends the calls`(isReleased: Bool) {
        let record = Record<Int>()
        let box = TokenBox()
        box.keep(center.observe(LowStock.self) { record.note($0.level) })
        center.post(LowStock(level: 1))
        if isReleased {
            box.keep(nil)
        } else {
            box.cancel()
            box.cancel()
            box.cancelAndWait()
        }
        center.post(LowStock(level: 2))
        #expect(record.entries == [1])
    }

    @Test func `observing inside an observer takes effect with the next post`() {
        let record = Record<String>()
        let box = TokenBox()
        let outer = center.observe(LowStock.self) { note in
            record.note("outer \(note.level)")
            if note.level == 1 { box.keep(center.observe(LowStock.self) { record.note("inner \($0.level)") }) }
        }
        center.post(LowStock(level: 1))
        #expect(record.entries == ["outer 1"])
        center.post(LowStock(level: 2))
        #expect(record.entries == ["outer 1", "outer 2", "inner 2"])
        withExtendedLifetime(outer) {}
    }

    @Test func `cancelling inside an observer takes effect even after the observers were laid out anew`() {
        let record = Record<String>()
        let later = TokenBox()
        let kept = Record<ObservationToken>()
        let first = center.observe(LowStock.self) { _ in
            // Far more than there is room for, so that the post under way walks a list that is out of use.
            for _ in 0..<100 { kept.note(center.observe(LowStock.self) { _ in record.note("new") }) }
            later.cancel()
        }
        later.keep(center.observe(LowStock.self) { _ in record.note("cancelled") })
        let last = center.observe(LowStock.self) { _ in record.note("last") }
        center.post(LowStock())
        #expect(record.entries == ["last"])
        withExtendedLifetime((first, last)) {}
    }

    @Test func `after cancel returned on another thread a post under way decides on no call`() async {
        for _ in 0..<50 {
            let center = TypedNotificationCenter()
            let isCancelled = Cell(false)
            let calls = Record<Bool>()
            let running = Gate(1)
            let go = Gate(1)
            let token = center.observe(LowStock.self) { note in
                // The first call is caught in the middle: it may finish. Any later one would have begun too late.
                calls.note(isCancelled.value)
                if note.level == 0 {
                    running.arrive()
                    go.wait()
                }
            }
            _ = await onThreads(2) { number in
                guard number > 0 else {
                    for level in 0..<20 { center.post(LowStock(level: level)) }
                    return
                }
                running.wait()
                token.cancel()
                isCancelled.value = true
                go.arrive()
            }
            #expect(calls.entries == [false])
        }
    }

    @Test func `cancelling holds for each of two threads that do it at the same time`() async {
        let calls = Cell(0)
        let rounds = (0..<5000).map { _ in
            let center = TypedNotificationCenter()
            return (center, center.observe(LowStock.self) { _ in calls.add(1) }, Gate(2))
        }
        _ = await onThreads(2) { _ in
            for (center, token, gate) in rounds {
                gate.pass()
                token.cancel()
                // It returned on this thread, whoever was first: so this post must not call.
                center.post(LowStock())
            }
        }
        #expect(calls.value == 0)
    }

    @Test(arguments: [false, true])
    func `each of two cancellations that wait returns after the running call has ended`(isOnQueue: Bool) async {
        for _ in 0..<20 {
            let center = TypedNotificationCenter()
            let running = Gate(1)
            let cancelling = Gate(2)
            let hasEnded = Cell(false)
            let call: @Sendable (LowStock) -> Void = { _ in
                running.arrive()
                cancelling.wait()
                usleep(2000)
                hasEnded.value = true
            }
            let token =
                isOnQueue
                ? center.observe(LowStock.self, on: DispatchQueue(label: "observers"), using: call)
                : center.observe(LowStock.self, using: call)
            let sawEnd = await onThreads(3) { number in
                if number == 0 {
                    center.post(LowStock())
                    return true
                }
                running.wait()
                // The second finds that the observer is gone.
                while number == 2 && !center.observations().isEmpty { sched_yield() }
                cancelling.arrive()
                token.cancelAndWait()
                return hasEnded.value
            }
            #expect(sawEnd == [true, true, true])
        }
    }

    @Test func `the form that waits does not wait for other observers of the same post`() async {
        let running = Gate(1)
        let go = Gate(1)
        let calls = Cell(0)
        let other = center.observe(LowStock.self) { _ in calls.add(1) }
        let slow = center.observe(LowStock.self) { _ in
            running.arrive()
            go.wait()
        }
        _ = await onThreads(2) { number in
            if number == 0 { return center.post(LowStock()) }
            running.wait()
            other.cancelAndWait()
            go.arrive()
        }
        #expect(calls.value == 1)
        withExtendedLifetime(slow) {}
    }

    @Test func `the form that waits can be called thirty posts deep inside its own observer`() {
        let released = Cell(false)
        let wasReleased = Cell(true)
        let depth = Cell(0)
        let box = TokenBox()
        func observe() {
            let captive = Captive { released.value = true }
            box.keep(
                center.observe(LowStock.self) { note in
                    captive.touch()
                    depth.add(1)
                    if note.level < 30 { center.post(LowStock(level: note.level + 1)) } else { box.cancelAndWait() }
                    wasReleased.value = released.value
                })
        }
        observe()
        center.post(LowStock(level: 1))
        #expect(depth.value == 30)
        #expect(!wasReleased.value, "the calls outside are still running")
        #expect(released.value)
    }
}
