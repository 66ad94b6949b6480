import NotificationBus
import Testing

/// Promise 1: synchronous, in order, every observer once.
@Suite(.timeLimit(.minutes(60)))
struct DeliveryTests {
    let center = TypedNotificationCenter()

    @Test func `an observer gets what is posted, before post returns`() {
        let record = Record<StockChanged>()
        let token = center.observe(StockChanged.self) { record.note($0) }
        center.post(StockChanged(fruit: "kiwi", level: 7))
        #expect(record.entries == [StockChanged(fruit: "kiwi", level: 7)])
        token.cancel()
    }

    @Test func `an observer is called on the thread of the poster`() async {
        let record = Record<UInt>()
        let token = center.observe(StockChanged.self) { _ in record.note(currentThread()) }
        let posters = await onThreads(2) { _ in
            center.post(StockChanged())
            return currentThread()
        }
        #expect(Set(record.entries) == Set(posters))
        token.cancel()
    }

    @Test func `every observer of the type is called once, and no other`() {
        let record = Record<Int>()
        let tokens = (0..<100).map { number in center.observe(StockChanged.self) { _ in record.note(number) } }
        let other = center.observe(LowStock.self) { _ in record.note(-1) }
        center.post(StockChanged())
        #expect(record.entries == Array(0..<100))
        withExtendedLifetime((tokens, other)) {}
    }

    @Test func `observers are called by priority, then in order of observation`() {
        let record = Record<String>()
        let priorities: [ObserverPriority] = [.normal, .low, .high, .normal, 5, .high, -5, .low]
        let tokens = priorities.enumerated().map { number, priority in
            center.observe(StockChanged.self, priority: priority) { _ in
                record.note("\(priority.rawValue)/\(number)")
            }
        }
        center.post(StockChanged())
        #expect(record.entries == ["100/2", "100/5", "5/4", "0/0", "0/3", "-5/6", "-100/1", "-100/7"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `the extremes of priority keep their order`() {
        let record = Record<Int16>()
        let tokens = [ObserverPriority(rawValue: .min), .normal, ObserverPriority(rawValue: .max)].map { priority in
            center.observe(StockChanged.self, priority: priority) { _ in record.note(priority.rawValue) }
        }
        center.post(StockChanged())
        #expect(record.entries == [.max, 0, .min])
        #expect([.normal, .high, .low].sorted() == [ObserverPriority.low, .normal, .high])
        withExtendedLifetime(tokens) {}
    }

    @Test func `the order of observation survives cancelling and observing, whatever the sequence`() {
        var random = SeededRandom.printed()
        for _ in 0..<200 {
            let center = TypedNotificationCenter()
            let record = Record<Int>()
            var alive: [(number: Int, priority: Int16, token: ObservationToken)] = []
            for number in 0..<Int.random(in: 1...60, using: &random) {
                if Int.random(in: 0..<3, using: &random) == 0, !alive.isEmpty {
                    alive.remove(at: Int.random(in: 0..<alive.count, using: &random)).token.cancel()
                } else {
                    let priority = Int16.random(in: -1...1, using: &random)
                    let token = center.observe(StockChanged.self, priority: .init(rawValue: priority)) { _ in
                        record.note(number)
                    }
                    alive.append((number, priority, token))
                }
            }
            center.post(StockChanged())
            let expected = alive.sorted { ($1.priority, $0.number) < ($0.priority, $1.number) }.map(\.number)
            #expect(record.entries == expected)
        }
    }

    @Test func `many types at one center do not get in each other's way`() {
        func observe<each T: TypedNotification>(_ types: repeat (each T).Type, by record: Record<String>)
            -> [ObservationToken]
        {
            var tokens: [ObservationToken] = []
            for type in repeat each types {
                func observe<N: TypedNotification>(_ type: N.Type) {
                    tokens.append(center.observe(type) { _ in record.note("\(N.self)") })
                }
                observe(type)
            }
            return tokens
        }
        let record = Record<String>()
        let tokens = observe(
            Of<Int8>.self, Of<Int16>.self, Of<Int32>.self, Of<Int64>.self, Of<UInt8>.self, Of<UInt16>.self,
            Of<UInt32>.self, Of<UInt64>.self, Of<Float>.self, Of<Double>.self, Of<Bool>.self, Of<String>.self,
            by: record)
        center.post(Of<Int8>())
        center.post(Of<String>())
        center.post(Of<Double>())
        center.post(Of<Character>())
        #expect(record.entries == ["Of<Int8>", "Of<String>", "Of<Double>"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a post reaches the observers of its static type, and no supertype's or subtype's`() {
        let record = Record<String>()
        let tokens = [
            center.observe(Delivery.self) { record.note("delivery \(type(of: $0))") },
            center.observe(LateDelivery.self) { _ in record.note("late") },
        ]
        center.post(LateDelivery())
        center.post(LateDelivery() as Delivery)
        center.post(Delivery())
        #expect(record.entries == ["late", "delivery LateDelivery", "delivery Delivery"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a post of any notification reaches the observers of the type inside`() {
        let record = Record<String>()
        let tokens = [
            center.observe(LowStock.self) { record.note("low \($0.level)") },
            center.observe(Delivery.self) { _ in record.note("delivery") },
        ]
        let notes: [any TypedNotification] = [LowStock(level: 1), LateDelivery(), StockChanged()]
        for note in notes { center.post(note) }
        #expect(record.entries == ["low 1"])
        withExtendedLifetime(tokens) {}
    }
}

private struct Of<T: Sendable>: TypedNotification {}

/// Unchecked because a class with subclasses cannot be checked; these have no state.
private class Delivery: TypedNotification, @unchecked Sendable {}
private final class LateDelivery: Delivery, @unchecked Sendable {}
