import Foundation
import NotificationBus
import Testing

/// Promise 1: synchronous, in order, every observer once.
@Suite(.timeLimit(.minutes(60)))
struct DeliveryTests {
    let center = TypedNotificationCenter()

    @Test func `an observer is called on the thread of the poster`() async {
        let record = Record<ObjectIdentifier>()
        let token = center.observe(StockChanged.self) { _ in record.note(ObjectIdentifier(Thread.current)) }
        let posters = await onThreads(2) { _ in
            center.post(StockChanged())
            return ObjectIdentifier(Thread.current)
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

    @Test func `the order of observation survives cancelling and observing, whatever the sequence`() {
        var random = SeededRandom.printed()
        for _ in 0..<200 {
            let center = TypedNotificationCenter()
            let record = Record<Int>()
            var alive: [(number: Int, token: ObservationToken)] = []
            for number in 0..<Int.random(in: 1...60, using: &random) {
                if Int.random(in: 0..<3, using: &random) == 0, !alive.isEmpty {
                    alive.remove(at: Int.random(in: 0..<alive.count, using: &random)).token.cancel()
                } else {
                    alive.append((number, center.observe(StockChanged.self) { _ in record.note(number) }))
                }
            }
            center.post(StockChanged())
            #expect(record.entries == alive.map(\.number))
        }
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
}

/// Unchecked because a class with subclasses cannot be checked; these have no state.
private class Delivery: TypedNotification, @unchecked Sendable {}
private final class LateDelivery: Delivery, @unchecked Sendable {}
