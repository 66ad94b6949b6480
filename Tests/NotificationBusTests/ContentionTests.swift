import NotificationBus
import Synchronization
import Testing

/// Promise 5: any thread, any time, with real contention.
@Suite(.timeLimit(.minutes(60)))
struct ContentionTests {
    @Test func `concurrent posts reach every observer exactly once each`() async {
        let center = TypedNotificationCenter()
        let sums = (0..<3).map { _ in Sum() }
        let tokens = sums.map { sum in center.observe(LowStock.self) { sum.add($0.level) } }
        _ = await onThreads(4) { _ in for level in 1...2000 { center.post(LowStock(level: level)) } }
        for sum in sums { #expect(sum.value == 4 * 2000 * 2001 / 2) }
        withExtendedLifetime(tokens) {}
    }

    @Test func `steady observers miss nothing and get nothing twice while others come and go`() async {
        let random = SeededRandom.printed()
        let center = TypedNotificationCenter()
        let steady = (0..<3).map { _ in Sum() }
        let made = Sum()
        let released = Sum()
        let tooLate = Sum()
        let tokens = steady.enumerated().map { number, sum in
            center.observe(LowStock.self, priority: .init(rawValue: Int16(number) - 1)) { sum.add($0.level) }
        }
        let posted = await onThreads(4) { number -> Int in
            var random = SeededRandom(seed: random.seed &+ UInt64(number))
            var posted = 0
            var visitors: [(token: ObservationToken, gone: Flag)] = []
            for _ in 0..<1500 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...1:
                    let gone = Flag()
                    made.add(1)
                    let captive = Captive { released.add(1) }
                    let priority = ObserverPriority(rawValue: Int16.random(in: -2...2, using: &random))
                    let token = center.observe(LowStock.self, priority: priority) { _ in
                        captive.touch()
                        if gone.isSet { tooLate.add(1) }
                    }
                    visitors.append((token, gone))
                case 2 where !visitors.isEmpty:
                    let visitor = visitors.remove(at: Int.random(in: 0..<visitors.count, using: &random))
                    visitor.token.cancelAndWait()
                    visitor.gone.set()
                case 3 where !visitors.isEmpty:
                    visitors.remove(at: Int.random(in: 0..<visitors.count, using: &random)).token.cancel()
                default:
                    posted += 1
                    center.post(LowStock(level: 1))
                }
            }
            return posted
        }
        for sum in steady { #expect(sum.value == posted.reduce(0, +)) }
        #expect(tooLate.value == 0, "calls after the form that waits had returned")
        #expect(released.value == made.value, "captures left when all posts had ended")
        #expect(center.diagnostics.observations().count == 3)
        withExtendedLifetime(tokens) {}
    }

    @Test func `observers that observe, cancel and post from several threads leave nothing behind`() async {
        let center = TypedNotificationCenter()
        let made = Sum()
        let released = Sum()
        let inner = Sum()
        let outer = center.observe(StockChanged.self) { change in
            made.add(1)
            let captive = Captive {
                released.add(1)
                center.post(LowStock(level: 1))
            }
            let box = TokenBox()
            box.keep(
                center.observe(StockChanged.self) { [captive] _ in
                    captive.touch()
                    box.cancel()
                })
            if change.level > 0 { center.post(StockChanged(level: change.level - 1)) }
            box.keep(nil)
        }
        let low = center.observe(LowStock.self) { inner.add($0.level) }
        _ = await onThreads(3) { _ in for _ in 0..<200 { center.post(StockChanged(level: 2)) } }
        #expect(made.value == 3 * 200 * 3)
        #expect(released.value == made.value)
        #expect(inner.value == made.value)
        #expect(center.diagnostics.observations().count == 2)
        withExtendedLifetime((outer, low)) {}
    }

    @Test func `nothing is called that was released, however close a post and a cancellation come`() async {
        let center = TypedNotificationCenter()
        let isDone = Flag()
        let tooLate = Sum()
        let calls = Sum()
        _ = await onThreads(2) { number in
            if number == 0 {
                while !isDone.isSet { center.post(LowStock()) }
                return
            }
            for _ in 0..<20_000 {
                let released = Flag()
                let captive = Captive { released.set() }
                let token = center.observe(LowStock.self) { [captive] _ in
                    if released.isSet { tooLate.add(1) }
                    captive.touch()
                    calls.add(1)
                }
                token.cancel()
            }
            isDone.set()
        }
        #expect(tooLate.value == 0)
    }

    @Test func `many threads may cancel the same observation`() async {
        for _ in 0..<50 {
            let center = TypedNotificationCenter()
            let released = Sum()
            let box = TokenBox()
            do {
                let captive = Captive { released.add(1) }
                box.keep(center.observe(LowStock.self) { _ in captive.touch() })
            }
            _ = await onThreads(4) { number in
                if number == 0 { center.post(LowStock()) } else { box.cancel() }
            }
            #expect(released.value == 1)
        }
    }

    @Test func `centers that come and go while other centers post do no harm`() async {
        let steady = TypedNotificationCenter()
        let sum = Sum()
        let token = steady.observe(LowStock.self) { sum.add($0.level) }
        _ = await onThreads(3) { number in
            for _ in 0..<300 {
                if number == 0 {
                    steady.post(LowStock(level: 1))
                } else {
                    let center = TypedNotificationCenter()
                    let token = center.observe(LowStock.self) { steady.post($0) }
                    center.post(LowStock(level: 1))
                    withExtendedLifetime(token) {}
                }
            }
        }
        #expect(sum.value == 900)
        withExtendedLifetime(token) {}
    }

    @Test func `types met for the first time by several threads at once get one channel each`() async {
        for _ in 0..<50 {
            let center = TypedNotificationCenter()
            let sum = Sum()
            let tokens = await onThreads(4) { _ in
                [
                    center.observe(LowStock.self) { sum.add($0.level) },
                    center.observe(StockChanged.self) { sum.add($0.level) },
                    center.observe(StockLevels.self) { sum.add($0.level) },
                ]
            }
            center.post(LowStock(level: 1))
            center.post(StockChanged(level: 10))
            center.post(StockLevels(level: 100))
            #expect(sum.value == 444)
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func `watching may begin and end while others post`() async {
        let center = TypedNotificationCenter()
        let sum = Sum()
        let token = center.observe(LowStock.self) { sum.add($0.level) }
        _ = await onThreads(3) { number in
            for round in 0..<500 {
                if number > 0 {
                    center.post(LowStock(level: 1))
                } else if round.isMultiple(of: 10) {
                    let tap = center.diagnostics.tap { _ in }
                    center.diagnostics.isMeasuring.toggle()
                    withExtendedLifetime(tap) {}
                }
            }
        }
        #expect(sum.value == 1000)
        withExtendedLifetime(token) {}
    }
}

/// A sum without a lock, so that it does not keep threads apart that are to meet.
private final class Sum: Sendable {
    private let atomic = Atomic(0)

    var value: Int { atomic.load(ordering: .acquiring) }

    func add(_ more: Int) {
        atomic.add(more, ordering: .acquiringAndReleasing)
    }
}

/// A flag without a lock.
private final class Flag: Sendable {
    private let atomic = Atomic(false)

    var isSet: Bool { atomic.load(ordering: .acquiring) }

    func set() {
        atomic.store(true, ordering: .releasing)
    }
}
