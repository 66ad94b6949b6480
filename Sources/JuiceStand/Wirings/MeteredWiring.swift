import Dispatch
import Platform

/// Measures how long a wiring takes to deliver each fact, from the post until every observer has returned.
///
/// If the wiring delivers on other threads, the time includes the wait for them.
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

    package func announce<F: Fact>(_ fact: F) {
        let posted = DispatchTime.now().uptimeNanoseconds
        fact.announce(to: base)
        meter.record(DispatchTime.now().uptimeNanoseconds - posted)
    }

    package func settle() {
        base.settle()
    }
}

/// The delivery times, readable from any thread.
package final class DeliveryMeter: Sendable {
    private let spans = Guarded(Histogram())

    package init() {}

    /// Wall time of each delivery so far.
    package var deliveries: Histogram { spans.withLock { $0 } }

    func record(_ nanoseconds: UInt64) {
        spans.withLock { $0.record(SimulationTime(nanoseconds: Int64(nanoseconds))) }
    }
}
