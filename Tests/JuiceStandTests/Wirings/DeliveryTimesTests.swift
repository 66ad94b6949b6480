import JuiceStand
import NotificationBus
import Platform
import TestSupport
import Testing

/// What is counted and timed of the deliveries of a stand.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct DeliveryTimesTests {
    private final class Nowhere: LineSink {
        func write(_ lines: RawSpan) {}
    }

    /// A whole eventful day under a measured wiring.
    private func measure(
        _ choice: WiringChoice, _ observers: [any FactObserver & Sendable]
    ) throws -> (map: WiringMap, stand: Stand) {
        let wiring = choice.makeWiring()
        for observer in observers { wiring.connect(observer) }
        let wanted = wiring.wanted
        var day = try EventfulDay(wiring)
        let times = DeliveryTimes(wiring)
        times.begin(wiring, announced: 0)
        #expect(wiring.wanted == wanted, "no fact happens for the measurement alone")
        try day.run { _ in }
        return (times.end(wiring, observers, announced: day.stand.factsAnnounced), day.stand)
    }

    @Test(arguments: WiringContractTests.runnable)
    func `every fact is counted, and its observers are listed in order`(choice: WiringChoice) throws {
        let menu = try EventfulDay.settings(.substitute).menu
        let (map, stand) = try measure(
            choice, [StockDisplay(), LowStockAlerter(), StandLogger(.ledger, menu: menu, sink: Nowhere())])
        #expect(map.entries.map(\.kind) == FactKind.allCases)
        #expect(map.entries.reduce(0) { $0 + $1.posts } == Int(stand.factsAnnounced) && map.unheard == 0)
        #expect(map.entries.allSatisfy { $0.posts > 0 })
        let served = map.entries[FactKind.orderServed.rawValue]
        #expect(served.posts == stand.tally.served)
        #expect(served.listeners.map(\.name) == ["StockDisplay", "ledger"])
        #expect(
            map.entries[FactKind.lowStock.rawValue].listeners.map(\.name) == [
                "StockDisplay", "LowStockAlerter", "ledger",
            ])
        for entry in map.entries {
            #expect((entry.delivery ?? .zero > .zero) == (choice == .notification), "\(entry.kind)")
            for listener in entry.listeners {
                if choice == .notification {
                    #expect(listener.calls?.count == entry.posts, "\(entry.kind)")
                    #expect(try #require(listener.calls).slowest <= #require(listener.calls).total)
                } else {
                    #expect(listener.calls == nil, "\(entry.kind)")
                }
            }
        }
        #expect((map.slowest == nil) == (choice != .notification))
    }

    @Test func `facts without observers count as unheard`() throws {
        let counter = OrderCounter()
        let (map, stand) = try measure(.notification, [counter])
        #expect(map.entries.filter { !$0.listeners.isEmpty }.map(\.kind) == [.orderServed])
        #expect(map.unheard == Int(stand.factsAnnounced) - counter.served && counter.served > 0)
        #expect(map.slowest?.kind == .orderServed && map.slowest?.name == "OrderCounter")
    }

    private let served = OrderServed(
        stamp: Stamp(sequence: 1, time: .zero), order: 1, juice: Juice(index: 0), cups: 1, wait: .zero, stay: .zero)

    @Test func `calls are timed only while somebody measures`() throws {
        let wiring = NotificationWiring()
        let times = DeliveryTimes(wiring)
        let counter = OrderCounter()
        wiring.connect(counter)
        wiring.hear(served)
        #expect(wiring.center.onDelivery == nil)
        times.begin(wiring, announced: 1)
        #expect(wiring.center.onDelivery != nil)
        wiring.hear(served)
        // The end of a release ends no measurement.
        times.releaseEnded()
        wiring.hear(served)
        let map = times.end(wiring, [counter], announced: 3)
        #expect(map.entries[FactKind.orderServed.rawValue].posts == 2 && map.unheard == 0)
        #expect(map.entries[FactKind.orderServed.rawValue].listeners[0].calls?.count == 2)
        #expect(wiring.center.onDelivery == nil)
        wiring.hear(served)
        #expect(counter.served == 4)
        // A second measurement starts at 0.
        times.begin(wiring, announced: 4)
        wiring.hear(served)
        let second = times.end(wiring, [counter], announced: 5)
        #expect(second.entries[FactKind.orderServed.rawValue].listeners[0].calls?.count == 1)
    }

    @Test func `one release a second is timed, with each post once`() {
        let wiring = NotificationWiring()
        let times = DeliveryTimes(wiring)
        let counters = [OrderCounter(), OrderCounter()]
        for counter in counters { wiring.connect(counter) }
        wiring.hear(served)
        #expect(times.deliveries.count == 0)
        times.releaseEnded()
        for _ in 0..<3 { wiring.hear(served) }
        times.releaseEnded()
        // Unless the three posts took a second.
        if wiring.center.onDelivery == nil { wiring.hear(served) }
        #expect(times.deliveries.count == 3)
        #expect(times.deliveries.count == 3, "reading counts no post again")
        #expect(counters.allSatisfy { $0.served >= 4 })
    }

    @Test func `a disconnected observer is not counted for`() {
        let wiring = NotificationWiring()
        let times = DeliveryTimes(wiring)
        let counter = OrderCounter()
        wiring.connect(counter)
        wiring.disconnect(counter)
        times.begin(wiring, announced: 0)
        wiring.hear(served)
        let map = times.end(wiring, [], announced: 1)
        #expect(map.entries.allSatisfy { $0.posts == 0 && $0.listeners.isEmpty } && map.unheard == 1)
    }
}
