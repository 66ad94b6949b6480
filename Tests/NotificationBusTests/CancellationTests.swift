import NotificationBus
import Platform
import Testing

/// Promise 2: observing takes effect with the next post, cancelling ends what is not decided.
@Suite(.timeLimit(.minutes(60)))
struct CancellationTests {
    let center = TypedNotificationCenter()

    @Test func `cancelling ends the calls, and doing it again is harmless`() {
        let record = Record<Int>()
        let token = center.observe(LowStock.self) { record.note($0.level) }
        center.post(LowStock(level: 1))
        token.cancel()
        token.cancel()
        token.cancelAndWait()
        center.post(LowStock(level: 2))
        #expect(record.entries == [1])
    }

    @Test func `releasing the token cancels`() {
        let record = Record<Int>()
        do {
            let token = center.observe(LowStock.self) { record.note($0.level) }
            center.post(LowStock(level: 1))
            withExtendedLifetime(token) {}
        }
        center.post(LowStock(level: 2))
        #expect(record.entries == [1])
    }

    @Test func `observing inside an observer takes effect with the next post`() {
        let record = Record<String>()
        let box = TokenBox()
        let center = center
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

    @Test func `observing many times inside an observer leaves the post under way as it was`() {
        let record = Record<Int>()
        let kept = Record<ObservationToken>()
        let center = center
        let tokens = (0..<3).map { number in
            center.observe(LowStock.self) { note in
                record.note(number)
                guard note.level == 0 else { return }
                for _ in 0..<50 { kept.note(center.observe(LowStock.self) { _ in record.note(99) }) }
            }
        }
        center.post(LowStock(level: 0))
        #expect(record.entries == [0, 1, 2])
        center.post(LowStock(level: 1))
        #expect(record.entries == [0, 1, 2, 0, 1, 2] + Array(repeating: 99, count: 150))
        withExtendedLifetime(tokens) {}
    }

    @Test func `cancelling oneself inside an observer takes effect at once`() {
        let record = Record<Int>()
        let box = TokenBox()
        let center = center
        box.keep(
            center.observe(LowStock.self) { note in
                record.note(note.level)
                box.cancel()
                center.post(LowStock(level: note.level + 1))
            })
        center.post(LowStock(level: 1))
        center.post(LowStock(level: 9))
        #expect(record.entries == [1])
    }

    @Test func `cancelling inside an observer takes effect at once`() {
        let record = Record<Int>()
        let later = TokenBox()
        let first = center.observe(LowStock.self) { _ in
            record.note(1)
            later.cancel()
        }
        later.keep(center.observe(LowStock.self) { _ in record.note(2) })
        let last = center.observe(LowStock.self) { _ in record.note(3) }
        center.post(LowStock())
        #expect(record.entries == [1, 3])
        withExtendedLifetime((first, last)) {}
    }

    @Test func `cancelling inside an observer takes effect even after the observers were laid out anew`() {
        let record = Record<String>()
        let later = TokenBox()
        let kept = Record<ObservationToken>()
        let center = center
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

    @Test func `an inner post calls no one whom an outer observer cancelled, and the other way round`() {
        let record = Record<String>()
        let boxes = (0..<3).map { _ in TokenBox() }
        let center = center
        boxes[0].keep(
            center.observe(LowStock.self) { note in
                record.note("a\(note.level)")
                if note.level == 0 { center.post(LowStock(level: 1)) }
            })
        boxes[1].keep(
            center.observe(LowStock.self) { note in
                record.note("b\(note.level)")
                if note.level == 1 { boxes[2].cancel() }
            })
        boxes[2].keep(center.observe(LowStock.self) { record.note("c\($0.level)") })
        center.post(LowStock(level: 0))
        #expect(record.entries == ["a0", "a1", "b1", "b0"])
        // An observer that captures its center keeps it, and these keep each other's tokens.
        for box in boxes { box.cancel() }
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
                if number == 0 {
                    for level in 0..<20 { center.post(LowStock(level: level)) }
                } else {
                    running.wait()
                    token.cancel()
                    isCancelled.value = true
                    go.arrive()
                }
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

    @Test func `the form that waits returns after running calls have ended`() async {
        for _ in 0..<50 {
            let center = TypedNotificationCenter()
            let running = Gate(1)
            let hasEnded = Cell(false)
            let sawEnd = Cell(false)
            let token = center.observe(LowStock.self) { _ in
                running.arrive()
                for _ in 0..<1000 { _ = currentThread() }
                hasEnded.value = true
            }
            _ = await onThreads(2) { number in
                if number == 0 {
                    center.post(LowStock())
                } else {
                    running.wait()
                    token.cancelAndWait()
                    sawEnd.value = hasEnded.value
                }
            }
            #expect(sawEnd.value)
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
        let center = center
        _ = await onThreads(2) { number in
            if number == 0 {
                center.post(LowStock())
            } else {
                running.wait()
                other.cancelAndWait()
                go.arrive()
            }
        }
        #expect(calls.value == 1)
        withExtendedLifetime(slow) {}
    }

    @Test func `the form that waits can be called inside its own observer`() {
        let calls = Cell(0)
        let box = TokenBox()
        box.keep(
            center.observe(LowStock.self) { _ in
                calls.add(1)
                box.cancelAndWait()
            })
        center.post(LowStock())
        center.post(LowStock())
        #expect(calls.value == 1)
    }
}
