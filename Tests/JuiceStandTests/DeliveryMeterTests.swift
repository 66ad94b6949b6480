import JuiceStand
import NotificationBus
import Platform
import TestSupport
import Testing

/// What is noted and measured about the wiring of a stand.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct DeliveryMeterTests {
    private final class Nowhere: LineSink {
        func write(_ lines: RawSpan) {}
    }

    /// A whole eventful day under a metered wiring.
    private func measure(
        _ choice: WiringChoice, _ observers: [AnyObject], meter: DeliveryMeter = DeliveryMeter()
    ) throws -> (map: WiringMap, stand: Stand) {
        let wiring = MeteredWiring(choice.makeWiring(), meter)
        for observer in observers { wiring.connect(observer) }
        var day = try EventfulDay(wiring)
        meter.begin(announced: 0)
        try day.run { _ in }
        defer { withExtendedLifetime(observers) {} }
        return (meter.end(announced: day.stand.factsAnnounced), day.stand)
    }

    @Test(arguments: WiringContractTests.runnable)
    func `every fact is counted, and its observers are listed in order`(choice: WiringChoice) throws {
        let menu = try EventfulDay.settings(.substitute).menu
        let observers: [AnyObject] = [
            StockDisplay(), LowStockAlerter(), StandLogger(.ledger, menu: menu, sink: Nowhere()),
        ]
        let (map, stand) = try measure(choice, observers)
        #expect(map.entries.map(\.kind) == FactKind.allCases)
        #expect(map.entries.reduce(0) { $0 + $1.posts } == Int(stand.factsAnnounced) && map.unheard == 0)
        #expect(map.entries.allSatisfy { $0.posts > 0 && $0.delivery > .zero })
        let served = map.entries[FactKind.orderServed.rawValue]
        #expect(served.posts == stand.tally.served)
        #expect(served.listeners.map(\.name) == ["StockDisplay", "ledger"])
        #expect(
            map.entries[FactKind.lowStock.rawValue].listeners.map(\.name) == [
                "StockDisplay", "LowStockAlerter", "ledger",
            ])
        for entry in map.entries {
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

    @Test func `calls are timed only while somebody measures`() throws {
        let wiring = NotificationWiring()
        let meter = DeliveryMeter()
        let metered = MeteredWiring(wiring, meter)
        let counter = OrderCounter()
        metered.connect(counter)
        func serve() {
            let stamp = Stamp(sequence: 1, time: .zero)
            metered.announce(
                OrderServed(stamp: stamp, order: 1, juice: Juice(index: 0), cups: 1, wait: .zero, stay: .zero))
        }
        func isTiming() -> Bool { wiring.center.onDelivery != nil }
        serve()
        #expect(!isTiming())
        meter.begin(announced: 1)
        #expect(isTiming())
        serve()
        serve()
        let map = meter.end(announced: 3)
        #expect(map.entries[FactKind.orderServed.rawValue].posts == 2 && map.unheard == 0)
        #expect(map.entries[FactKind.orderServed.rawValue].listeners[0].calls?.count == 2 && !isTiming())
        serve()
        #expect(counter.served == 4)
        // A second measurement starts at 0.
        meter.begin(announced: 4)
        serve()
        #expect(meter.end(announced: 5).entries[FactKind.orderServed.rawValue].listeners[0].calls?.count == 1)
    }

    @Test func `a disconnected observer leaves the list`() {
        let meter = DeliveryMeter()
        let wiring = MeteredWiring(WiringChoice.closure.makeWiring(), meter)
        let (first, second) = (OrderCounter(), OrderCounter())
        wiring.connect(first)
        wiring.connect(second)
        wiring.disconnect(first)
        meter.begin(announced: 0)
        let map = meter.end(announced: 0)
        #expect(map.entries.reduce(0) { $0 + $1.listeners.count } == 1 && map.unheard == 0)
    }
}
