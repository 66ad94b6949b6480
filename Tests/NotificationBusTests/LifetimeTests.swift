import NotificationBus
import Testing

/// Promise 4: captures are released in time and never under a lock, and tokens and centers go in any order.
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

    @Test func `what an observer that cancels itself captured is released when the post ends`() {
        let center = TypedNotificationCenter()
        let released = Cell(0)
        let sawReleased = Cell(-1)
        let box = TokenBox()
        let captive = CaptiveBox { released.add(1) }
        box.keep(
            center.observe(LowStock.self) { [captive = captive.take()] _ in
                box.cancel()
                captive?.touch()
                sawReleased.value = released.value
            })
        center.post(LowStock())
        #expect(sawReleased.value == 0)
        #expect(released.value == 1)
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
