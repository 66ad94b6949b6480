import Dispatch
import NotificationBus
import Platform
import Testing

/// Promise 4: captures are released in time and never under a lock, and tokens and centers go in any order.
@Suite(.timeLimit(.minutes(60)))
struct LifetimeTests {
    @Test func `what an observer captured is released when it is cancelled`() {
        let center = TypedNotificationCenter()
        let released = Cell(0)
        weak var captive: Captive?
        let token: ObservationToken
        do {
            let made = Captive { released.add(1) }
            captive = made
            token = center.observe(LowStock.self) { _ in made.touch() }
        }
        #expect(captive != nil)
        token.cancel()
        #expect(captive == nil)
        #expect(released.value == 1)
    }

    @Test func `an observer cancelled by another of the same post is released at once`() {
        let center = TypedNotificationCenter()
        let released = Cell(0)
        let sawReleased = Cell(0)
        let box = TokenBox()
        let first = center.observe(LowStock.self) { _ in
            box.cancel()
            sawReleased.value = released.value
        }
        box.keep(observing(LowStock.self, at: center) { released.add(1) })
        center.post(LowStock())
        #expect(sawReleased.value == 1)
        withExtendedLifetime(first) {}
    }

    /// `observed` and `posted`: whether the observation and the post name a sender.
    @Test(arguments: [(observed: false, posted: false), (false, true), (true, true)])
    func `what an observer that cancels itself captured is released when the post ends`(observed: Bool, posted: Bool) {
        let center = TypedNotificationCenter()
        let sender = Captive {}
        let other = center.observe(LowStock.self, from: sender) { _ in }
        let released = Cell(0)
        let sawReleased = Cell(-1)
        let box = TokenBox()
        let captive = CaptiveBox { released.add(1) }
        box.keep(
            center.observe(LowStock.self, from: observed ? sender : nil) { [captive = captive.take()] _ in
                box.cancel()
                captive?.touch()
                sawReleased.value = released.value
            })
        if posted { center.post(LowStock(), from: sender) } else { center.post(LowStock()) }
        #expect(sawReleased.value == 0)
        #expect(released.value == 1)
        withExtendedLifetime(other) {}
    }

    @Test func `an observer cancelled while it runs on another thread is released when that post ends`() async {
        for _ in 0..<50 {
            let center = TypedNotificationCenter()
            let released = Cell(0)
            let running = Gate(1)
            let go = Gate(1)
            let box = TokenBox()
            box.keep(
                observing(LowStock.self, at: center, released: { released.add(1) }) {
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

    @Test(arguments: ["observes", "cancels", "posts", "asks for the latest", "ends the center's last observation"])
    func `a capture whose end does something at the center is fine`(what: String) {
        let center = TypedNotificationCenter()
        let record = Record<String>()
        let box = TokenBox()
        let other = TokenBox()
        other.keep(center.observe(LowStock.self) { _ in record.note("other") })
        let token = observing(StockLevels.self, at: center) {
            switch what {
            case "observes": box.keep(center.observe(LowStock.self) { _ in record.note("new") })
            case "cancels": other.cancel()
            case "posts": center.post(LowStock())
            case "asks for the latest": _ = center.latest(StockLevels.self)
            default: other.keep(nil)
            }
            record.note("released")
        }
        center.post(StockLevels())
        token.cancel()
        #expect(record.entries.last == "released")
        center.post(LowStock())
        let expected: [String] =
            switch what {
            case "observes": ["released", "other", "new"]
            case "posts": ["other", "released", "other"]
            case "asks for the latest": ["released", "other"]
            default: ["released"]
            }
        #expect(record.entries == expected)
    }

    /// How an observer comes to be released.
    enum Way: CaseIterable {
        case cancelled, cancelledAndWaitedFor, tokenReleased, cancelledByItself, cancelledElsewhereWhileCalled
        case cancelledInTheQueue, objectGone, iteratorReleased
    }

    @Test(arguments: Way.allCases)
    func `in whatever way a capture is released, no lock is held`(way: Way) async {
        let center = TypedNotificationCenter()
        let record = Record<String>()
        let other = TokenBox()
        let new = TokenBox()
        other.keep(center.observe(StockLevels.self) { _ in record.note("other") })
        // The end of a capture takes every lock of the center and of the channel it comes from.
        let captive = CaptiveBox {
            new.keep(center.observe(LowStock.self, priority: .high) { _ in record.note("new") })
            other.cancel()
            center.post(LowStock())
            center.post(StockLevels())
            _ = center.latest(StockLevels.self)
            _ = center.diagnostics.observations()
            record.note("released")
        }
        await release(captive, from: center, way)
        #expect(record.entries == ["new", "released"])
        new.cancel()
    }

    private func release(_ captive: CaptiveBox, from center: TypedNotificationCenter, _ way: Way) async {
        func observe(_ called: @escaping @Sendable () -> Void = {}) -> ObservationToken {
            let captive = captive.take()
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
        case .cancelledElsewhereWhileCalled:
            let running = Gate(1)
            let go = Gate(1)
            box.keep(
                observe {
                    running.arrive()
                    go.wait()
                })
            _ = await onThreads(2) { number in
                if number == 0 { return center.post(LowStock()) }
                running.wait()
                box.cancel()
                go.arrive()
            }
        case .cancelledInTheQueue:
            let queue = DispatchQueue(label: "observers")
            queue.suspend()
            let captive = captive.take()
            let token = center.observe(LowStock.self, on: queue) { _ in captive?.touch() }
            center.post(LowStock())
            token.cancel()
            queue.resume()
            queue.sync {}
        case .objectGone:
            let object = Guarded<Captive?>(Captive {})
            let captive = captive.take()
            let token = center.observe(LowStock.self, with: object.withLock { $0! }) { _, _ in captive?.touch() }
            object.withLock { $0 = nil }
            center.post(LowStock())
            token.cancel()
        case .iteratorReleased:
            let notes = center.notifications(of: Holding.self, buffering: .newest(1))
            let iterator = notes.makeAsyncIterator()
            center.post(Holding(captive: captive.take()))
            _ = iterator
        }
    }

    @Test func `a value that stops being the latest, or is given up by a full buffer, is released under no lock`() {
        let center = TypedNotificationCenter()
        let record = Record<Int>()
        let iterator = center.notifications(of: Kept.self, buffering: .newest(1)).makeAsyncIterator()
        for level in 1...3 {
            center.post(
                Kept(
                    // The center keeps the latest: so that must not keep the center.
                    captive: Captive { [weak center] in
                        center?.observe(Kept.self) { _ in }.cancel()
                        _ = center?.latest(Kept.self)
                        record.note(level)
                    }))
        }
        #expect(record.entries == [1, 2])
        withExtendedLifetime(iterator) {}
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

    @Test func `a center that goes away releases observers that no post has put in their place yet`() {
        let released = Cell(0)
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        let captive = Captive { released.add(1) }
        let low = center?.observe(LowStock.self, priority: .low) { _ in }
        let high = center?.observe(LowStock.self, priority: .high) { [captive = consume captive] _ in captive.touch() }
        center = nil
        #expect(released.value == 1)
        withExtendedLifetime((low, high)) {}
    }

    @Test(arguments: ["observer of a sender", "paused observer", "answerer", "tap"])
    func `a center that goes away releases what observers of every kind captured`(kind: String) {
        let released = Cell(0)
        let box = CaptiveBox { released.add(1) }
        let sender = Captive {}
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        func observe(_ captive: Captive?) -> ObservationToken? {
            switch kind {
            case "answerer": center?.answer(HowMuchIsLeft.self) { [captive] _ in captive == nil ? 0 : 1 }
            case "tap": center?.diagnostics.tap { [captive] _ in captive?.touch() }
            case "paused observer": center?.observe(LowStock.self) { [captive] _ in captive?.touch() }
            default: center?.observe(LowStock.self, from: sender) { [captive] _ in captive?.touch() }
            }
        }
        let token = observe(box.take())
        if kind == "paused observer" { token?.pause(keepingNewest: 1) }
        center?.post(LowStock(), from: sender)
        #expect(released.value == 0)
        center = nil
        #expect(released.value == 1)
        withExtendedLifetime(token) {}
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

    @Test func `a center may outlive its observations and be observed again`() {
        let center = TypedNotificationCenter()
        let record = Record<Int>()
        for round in 1...3 {
            let token = center.observe(LowStock.self) { record.note($0.level) }
            center.post(LowStock(level: round))
            token.cancel()
            center.post(LowStock(level: -1))
            #expect(center.diagnostics.observations().isEmpty)
        }
        #expect(record.entries == [1, 2, 3])
    }

    @Test func `a center that goes away releases what its observers captured, and their tokens do no harm`() {
        let released = Cell(0)
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        weak let watched = center
        let tokens = (0..<20).map { _ in
            observing(LowStock.self, at: center!) { released.add(1) }
        }
        center?.post(LowStock())
        center = nil
        #expect(watched == nil)
        #expect(released.value == 20)
        for token in tokens { token.cancel() }
        tokens.first?.cancelAndWait()
        #expect(released.value == 20)
    }

    @Test func `an observer may capture its own center's token without a leak once it is cancelled`() {
        weak var watched: TypedNotificationCenter?
        do {
            let center = TypedNotificationCenter()
            watched = center
            let box = TokenBox()
            box.keep(center.observe(LowStock.self) { _ in box.cancel() })
            center.post(LowStock())
        }
        #expect(watched == nil)
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
        let captive = CaptiveBox { released.add(1) }
        let token = center.observe(LowStock.self, with: display!) { [captive = captive.take()] display, note in
            captive?.touch()
            display.record.note(note.level)
        }
        center.post(LowStock(level: 1))
        display = nil
        #expect(watched == nil)
        center.post(LowStock(level: 2))
        #expect(record.entries == [1])
        #expect(released.value == 1, "the post that found it gone released the rest")
        #expect(center.diagnostics.observations().isEmpty)
        token.cancel()
    }

    @Test func `an object is kept alive while it is called`() {
        final class Display: Sendable {
            let level = 7
        }
        let center = TypedNotificationCenter()
        let record = Record<Int>()
        let holder = Guarded<Display?>(Display())
        let token = center.observe(LowStock.self, with: holder.withLock { $0! }) { display, _ in
            holder.withLock { $0 = nil }
            record.note(display.level)
        }
        center.post(LowStock())
        center.post(LowStock())
        #expect(record.entries == [7])
        withExtendedLifetime(token) {}
    }

    /// An object that keeps the token of its own observation.
    final class Display: Sendable {
        enum Capture: CaseIterable {
            case strong, weak, object
        }

        private let token = TokenBox()

        init(_ center: TypedNotificationCenter, _ capture: Capture) {
            switch capture {
            case .strong: token.keep(center.observe(LowStock.self) { _ in self.show() })
            case .weak: token.keep(center.observe(LowStock.self) { [weak self] _ in self?.show() })
            case .object: token.keep(center.observe(LowStock.self, with: self) { display, _ in display.show() })
            }
        }

        func show() {}

        func cancel() { token.keep(nil) }
    }

    @Test(arguments: Display.Capture.allCases)
    func `an object that keeps its token is freed unless its observer captures it`(capture: Display.Capture) {
        struct Weak {
            weak var display: Display?
        }
        let center = TypedNotificationCenter()
        let displays = (0..<100).map { _ in
            let display = Display(center, capture)
            return withExtendedLifetime(display) { Weak(display: display) }
        }
        center.post(LowStock())
        #expect(displays.count { $0.display != nil } == (capture == .strong ? 100 : 0))
        for weak in displays { weak.display?.cancel() }
        #expect(displays.allSatisfy { $0.display == nil }, "cancelling ends the cycle")
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

private struct Kept: TypedNotification {
    static var keepsLatest: Bool { true }
    var captive: Captive
}

/// Gives its captive away, so that nobody else keeps it.
private final class CaptiveBox: Sendable {
    private let captive: Guarded<Captive?>

    init(_ released: @escaping @Sendable () -> Void) {
        captive = Guarded(Captive(released))
    }

    func take() -> Captive? {
        captive.withLock { $0.take() }
    }
}
