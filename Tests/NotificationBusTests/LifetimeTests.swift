import Dispatch
import NotificationBus
import Platform
import Testing

/// Promise 4: captures are released in time and never under a lock, and tokens and centers go in any order.
@Suite(.timeLimit(.minutes(60)))
struct LifetimeTests {
    @Test func `an observer cancelled while it runs on another thread is released when that post ends, under no lock`()
        async
    {
        for _ in 0..<50 {
            let center = TypedNotificationCenter()
            let released = Cell(0)
            let running = Gate(1)
            let go = Gate(1)
            let box = TokenBox()
            box.keep(
                observing(
                    LowStock.self, at: center,
                    released: {
                        center.observe(LowStock.self) { _ in }.cancel()
                        _ = center.observations()
                        released.add(1)
                    }
                ) {
                    running.arrive()
                    go.wait()
                })
            let counts = await onThreads(2) { number -> Int in
                if number == 0 {
                    center.post(LowStock())
                    return released.value
                }
                running.wait()
                box.cancel()
                let count = released.value
                go.arrive()
                return count
            }
            #expect(counts == [1, 0])
        }
    }

    /// How an observer comes to be released.
    enum Way: CaseIterable {
        case cancelled, cancelledAndWaitedFor, tokenReleased, cancelledByItself, cancelledInTheQueue, objectGone
        case iteratorReleased
    }

    @Test(arguments: Way.allCases)
    func `in whatever way a capture is released, no lock is held`(way: Way) {
        let center = TypedNotificationCenter()
        let record = Record<String>()
        let other = TokenBox()
        let new = TokenBox()
        other.keep(center.observe(StockLevels.self) { _ in record.note("other") })
        // The end of a capture takes every lock of the center and of the channel it comes from.
        let captive = Cell<Captive?>(
            Captive {
                new.keep(center.observe(LowStock.self) { _ in record.note("new") })
                other.cancel()
                center.post(LowStock())
                center.post(StockLevels())
                _ = center.latest(StockLevels.self)
                _ = center.observations()
                record.note("released")
            })
        release(captive, from: center, way)
        #expect(record.entries == ["new", "released"])
        new.cancel()
    }

    private func release(_ captive: Cell<Captive?>, from center: TypedNotificationCenter, _ way: Way) {
        func observe(_ called: @escaping @Sendable () -> Void = {}) -> ObservationToken {
            let captive = captive.exchange(nil)
            return center.observe(LowStock.self) { _ in
                captive?.touch()
                called()
            }
        }
        let box = TokenBox()
        switch way {
        case .cancelled:
            observe().cancel()
        case .cancelledAndWaitedFor:
            observe().cancelAndWait()
        case .tokenReleased:
            box.keep(observe())
            box.keep(nil)
        case .cancelledByItself:
            box.keep(observe { box.cancel() })
            center.post(LowStock())
        case .cancelledInTheQueue:
            let queue = DispatchQueue(label: "observers")
            queue.suspend()
            let captive = captive.exchange(nil)
            let token = center.observe(LowStock.self, on: queue) { _ in captive?.touch() }
            center.post(LowStock())
            token.cancel()
            queue.resume()
            queue.sync {}
        case .objectGone:
            let object = Guarded<Captive?>(Captive {})
            let captive = captive.exchange(nil)
            let token = center.observe(LowStock.self, with: object.withLock { $0! }) { _, _ in captive?.touch() }
            object.withLock { $0 = nil }
            center.post(LowStock())
            token.cancel()
        case .iteratorReleased:
            let notes = center.notifications(of: Holding.self, buffering: .newest(1))
            let iterator = notes.makeAsyncIterator()
            center.post(Holding(captive: captive.exchange(nil)))
            _ = iterator
        }
    }

    @Test(arguments: [false, true])
    func `what a full buffer gives up may post to it when it is released`(isOfQueue: Bool) {
        let center = TypedNotificationCenter()
        let queue = DispatchQueue(label: "observers")
        let released = Cell(0)
        let notes = center.notifications(of: Holding.self, buffering: .newest(1))
        let iterator = isOfQueue ? nil : notes.makeAsyncIterator()
        let token = isOfQueue ? center.observe(Holding.self, on: queue, buffering: .newest(1)) { _ in } : nil
        queue.suspend()
        for _ in 1...2 {
            center.post(
                Holding(
                    captive: Captive { [weak center] in
                        center?.post(Holding())
                        released.add(1)
                    }))
        }
        // The end of the first posted another, for which the second was given up.
        #expect(released.value == 2)
        queue.resume()
        queue.sync {}
        withExtendedLifetime((iterator, token)) {}
    }

    @Test func `a late observer that has caught up keeps no value`() {
        let center = TypedNotificationCenter()
        let record = Record<Int>()
        func post(_ level: Int) { center.post(Kept(captive: Captive { record.note(level) })) }
        post(1)
        let token = center.observe(Kept.self, replayingLatest: true) { _ in }
        post(2)
        post(3)
        #expect(record.entries == [1, 2])
        token.cancel()
    }

    @Test(arguments: ["observers", "observer of a sender", "answerer", "onDelivery"])
    func `a center that goes away releases what was captured, and its tokens do no harm`(kind: String) {
        let released = Cell(0)
        let box = Cell<Captive?>(Captive { released.add(1) })
        let sender = Captive {}
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        weak let watched = center
        func observe(_ center: TypedNotificationCenter, _ captive: Captive?) -> [ObservationToken] {
            switch kind {
            case "observers":
                return (0..<20).map { _ in center.observe(LowStock.self) { _ in captive?.touch() } }
            case "answerer":
                return [center.answer(HowMuchIsLeft.self) { _ in captive == nil ? 0 : 1 }]
            case "onDelivery":
                center.onDelivery = { _, _, _ in captive?.touch() }
                return []
            default:
                return [center.observe(LowStock.self, from: sender) { _ in captive?.touch() }]
            }
        }
        let tokens = observe(center!, box.exchange(nil))
        center?.post(LowStock(), from: sender)
        #expect(released.value == 0)
        center = nil
        #expect(watched == nil)
        #expect(released.value == 1)
        for token in tokens { token.cancelAndWait() }
        #expect(released.value == 1)
    }

    @Test func `a center that its own observer lets go of delivers the post under way to its end`() {
        let record = Record<String>()
        let holder = Guarded<TypedNotificationCenter?>(TypedNotificationCenter())
        func observe(_ called: @escaping @Sendable () -> Void, released: @escaping @Sendable () -> Void = {})
            -> ObservationToken
        {
            observing(LowStock.self, at: holder.withLock { $0! }, released: released, called)
        }
        let tokens = [
            observe {
                let center = holder.withLock { $0.take() }
                withExtendedLifetime(center) { record.note("first") }
            },
            observe({ record.note("second") }, released: { record.note("released") }),
        ]
        func post() { holder.withLock { $0 }?.post(LowStock()) }
        post()
        #expect(record.entries == ["first", "second", "released"])
        post()
        #expect(record.entries.count == 3)
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observation with an object does not keep it and ends with it`() {
        final class Display: Sendable {
            let record = Record<Int>()
        }
        let center = TypedNotificationCenter()
        var display: Display? = Display()
        weak let watched = display
        let record = display!.record
        let released = Cell(0)
        let captive = Cell<Captive?>(Captive { released.add(1) })
        let token = center.observe(LowStock.self, with: display!) { [captive = captive.exchange(nil)] display, note in
            captive?.touch()
            display.record.note(note.level)
        }
        center.post(LowStock(level: 1))
        display = nil
        #expect(watched == nil)
        center.post(LowStock(level: 2))
        #expect(record.entries == [1])
        #expect(released.value == 1, "the post that found it gone released the rest")
        #expect(center.observations().isEmpty)
        token.cancel()
    }

    /// An observation whose captures tell when they are released.
    private func observing<N: TypedNotification>(
        _ type: N.Type, at center: TypedNotificationCenter, released: @escaping @Sendable () -> Void,
        _ called: @escaping @Sendable () -> Void = {}
    ) -> ObservationToken {
        let captive = Captive(released)
        return center.observe(type) { _ in
            captive.touch()
            called()
        }
    }
}

/// Notifications that hold something with an end of its own.
private struct Holding: TypedNotification {
    var captive: Captive?
}

private struct Kept: KeptNotification {
    var captive: Captive
}
