import Dispatch
import Platform

/// Counts what a wiring delivers and how long that takes: from the post until every observer has dealt with it.
///
/// For stands that are watched; one that is not pays nothing for it. Under a wiring that delivers later, settled after every fact, the
/// wait for the other threads is part of it.
package final class MeteredWiring: Wiring {
    private let base: any Wiring
    private let meter: DeliveryMeter

    package init(_ base: any Wiring, _ meter: DeliveryMeter) {
        self.base = base
        self.meter = meter
    }

    package var wanted: FactSet { base.wanted }

    package func connect(_ observer: AnyObject) {
        base.connect(observer)
    }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        base.connect(observer, to: type)
    }

    package func disconnect(_ observer: AnyObject) {
        base.disconnect(observer)
    }

    package func deliver<F: Fact>(_ fact: F) {
        measure { base.deliver(fact) }
    }

    private func measure(_ deliver: () -> Void) {
        let posted = DispatchTime.now().uptimeNanoseconds
        deliver()
        meter.record(DispatchTime.now().uptimeNanoseconds - posted)
    }

    package func settle() {
        base.settle()
    }
}

// By the wiring's own entry for each fact, which may know observers that its ``Wiring/deliver(_:)`` does not.
extension MeteredWiring {
    package func announce(_ fact: Opened) { measure { base.announce(fact) } }
    package func announce(_ fact: OrderPlaced) { measure { base.announce(fact) } }
    package func announce(_ fact: OrderStarted) { measure { base.announce(fact) } }
    package func announce(_ fact: OrderServed) { measure { base.announce(fact) } }
    package func announce(_ fact: OrderSubstituted) { measure { base.announce(fact) } }
    package func announce(_ fact: OrderLost) { measure { base.announce(fact) } }
    package func announce(_ fact: OrderBackordered) { measure { base.announce(fact) } }
    package func announce(_ fact: StockChanged) { measure { base.announce(fact) } }
    package func announce(_ fact: LowStock) { measure { base.announce(fact) } }
    package func announce(_ fact: StockRecovered) { measure { base.announce(fact) } }
    package func announce(_ fact: RestockOrdered) { measure { base.announce(fact) } }
    package func announce(_ fact: RestockDelivered) { measure { base.announce(fact) } }
    package func announce(_ fact: ConfigurationChanged) { measure { base.announce(fact) } }
    package func announce(_ fact: RateChanged) { measure { base.announce(fact) } }
    package func announce(_ fact: Paused) { measure { base.announce(fact) } }
    package func announce(_ fact: Resumed) { measure { base.announce(fact) } }
    package func announce(_ fact: Closed) { measure { base.announce(fact) } }
}

/// How long deliveries took, readable from any thread.
package final class DeliveryMeter: Sendable {
    private let spans = Guarded(Histogram())

    package init() {}

    /// Wall time of each delivery so far.
    package var deliveries: Histogram { spans.withLock { $0 } }

    func record(_ nanoseconds: UInt64) {
        spans.withLock { $0.record(SimulationTime(nanoseconds: Int64(nanoseconds))) }
    }
}
