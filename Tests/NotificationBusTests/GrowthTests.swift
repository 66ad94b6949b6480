import NotificationBus
import Platform
import Testing

/// How the processor's time grows with the number of observers, as ratios of the best of several rounds.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct GrowthTests {
    private final class Till: Sendable {}

    /// The processor's time that `body` takes, whatever other threads run meanwhile.
    private func time(_ body: () -> Void) -> Duration {
        func now() -> Duration {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        body()
        return now() - start
    }

    private func best(of rounds: Int = 7, _ body: () -> Duration) -> Duration {
        (0..<rounds).map { _ in body() }.min() ?? .zero
    }

    @Test func `a post in the name of one of 1,000 senders costs little more than with one sender`() {
        func cost(senders count: Int) -> Duration {
            let center = TypedNotificationCenter()
            let tills = (0..<count).map { _ in Till() }
            let calls = Cell(0)
            let tokens = tills.map { till in center.observe(LowStock.self, from: till) { calls.add($0.level) } }
            let posts = 10_000
            let cost = best {
                time {
                    for number in 0..<posts { center.post(LowStock(level: 1), from: tills[number % count]) }
                }
            }
            #expect(calls.value == 7 * posts)
            withExtendedLifetime(tokens) {}
            return cost
        }
        let one = cost(senders: 1)
        let many = cost(senders: 1000)
        print("1,000 senders: \(many / one) times the cost of one")
        #expect(many / one < 20, "linear in the senders it was a hundred times")
    }

    @Test func `observers that go before others take linear time in all`() {
        func cost(_ count: Int) -> Duration {
            best(of: 3) {
                let center = TypedNotificationCenter()
                let last = center.observe(LowStock.self, priority: .low) { _ in }
                let bag = ObservationBag()
                let cost = time {
                    for _ in 0..<count { center.observe(LowStock.self) { _ in }.store(in: bag) }
                    center.post(LowStock())
                }
                withExtendedLifetime((last, bag)) {}
                return cost
            }
        }
        let few = cost(1000)
        let many = cost(16_000)
        print("16,000 observers: \(many / few) times the cost of 1,000")
        #expect(many / few < 150, "16 if linear, and more where memory is far; 256 and more if quadratic")
    }

    @Test func `observers of one sender and of all are called by priority, then in the order they came`() {
        let center = TypedNotificationCenter()
        let till = Till()
        let other = Till()
        let record = Record<String>()
        var tokens: [ObservationToken] = []
        func observe(_ name: String, _ priority: ObserverPriority, _ sender: Till?) {
            tokens.append(center.observe(LowStock.self, priority: priority, from: sender) { _ in record.note(name) })
        }
        observe("a", .normal, till)
        observe("b", .normal, nil)
        observe("c", .normal, other)
        observe("d", .high, nil)
        observe("e", .high, till)
        observe("f", .low, till)
        observe("g", .normal, till)
        center.post(LowStock(), from: till)
        #expect(record.entries == ["d", "e", "a", "b", "g", "f"])
        center.post(LowStock(), from: other)
        #expect(record.entries.suffix(3) == ["d", "b", "c"])
        center.post(LowStock())
        #expect(record.entries.suffix(2) == ["d", "b"])
        #expect(
            center.diagnostics.observations().map(\.priority) == [
                .high, .high, .normal, .normal, .normal, .normal, .low,
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observer of a sender may observe, post and cancel during a post of that sender`() {
        let center = TypedNotificationCenter()
        let till = Till()
        let record = Record<String>()
        let later = TokenBox()
        let added = TokenBox()
        let all = center.observe(LowStock.self) { record.note("all \($0.level)") }
        let first = center.observe(LowStock.self, from: till) { note in
            record.note("first \(note.level)")
            guard note.level == 1 else { return }
            added.keep(center.observe(LowStock.self, from: till) { record.note("added \($0.level)") })
            center.post(LowStock(level: 2), from: till)
            center.post(LowStock(level: 3), from: Till())
            later.cancel()
        }
        later.keep(center.observe(LowStock.self, from: till) { record.note("later \($0.level)") })
        center.post(LowStock(level: 1), from: till)
        #expect(
            record.entries == ["all 1", "first 1", "all 2", "first 2", "later 2", "added 2", "all 3"])
        for box in [later, added] { box.cancel() }
        withExtendedLifetime((all, first)) {}
    }
}
