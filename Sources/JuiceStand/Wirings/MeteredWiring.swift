import Dispatch

/// Keeps the observers of each fact, and measures how long a wiring takes to deliver a fact: from the post until
/// every observer has returned.
///
/// If the wiring delivers on other threads, the time includes the wait for them.
package final class MeteredWiring: Wiring {
    private let base: any Wiring
    private let meter: DeliveryMeter

    package init(_ base: any Wiring, _ meter: DeliveryMeter) {
        self.base = base
        self.meter = meter
        if let notification = base as? NotificationWiring { meter.watch(notification.center) }
    }

    package var wanted: FactSet { base.wanted }

    package func connect(_ observer: AnyObject) {
        base.connect(observer)
        Register(meter).connect(observer)
    }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        base.connect(observer, to: type)
        meter.add(observer as AnyObject, to: type)
    }

    package func disconnect(_ observer: AnyObject) {
        base.disconnect(observer)
        meter.remove(observer)
    }

    package func announce<F: Fact>(_ fact: F) {
        let posted = DispatchTime.now().uptimeNanoseconds
        fact.announce(to: base)
        meter.record(F.kind, DispatchTime.now().uptimeNanoseconds - posted)
    }

    package func settle() { base.settle() }
}

/// Finds the facts of an observer and enters them in a meter.
private final class Register: Wiring {
    private let meter: DeliveryMeter
    private(set) var wanted: FactSet = []

    init(_ meter: DeliveryMeter) {
        self.meter = meter
    }

    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        meter.add(observer as AnyObject, to: type)
        wanted.insert(FactSet(F.kind))
    }

    func disconnect(_ observer: AnyObject) { meter.remove(observer) }

    func announce<F: Fact>(_ fact: F) {}
}
