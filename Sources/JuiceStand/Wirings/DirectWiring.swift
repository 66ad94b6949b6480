/// Direct calls: the stand knows every observer by its class and calls each in turn.
///
/// Couples the stand to every observer there is: one more class is one more list here and one more line for each fact it
/// hears. Observers are called class by class. Those of a class that this file was not written for come last, by
/// their protocol, so that a program may have others without touching it.
package final class DirectWiring: Wiring {
    private var displays = Known<StockDisplay>()
    private var alerters = Known<LowStockAlerter>()
    private var loggers = Known<StandLogger>()
    private var sums = Known<FactSum>()
    private var listeners = Known<FactListener>()
    private var others = FactTable()

    package init() {}

    package var wanted: FactSet {
        displays.kinds.union(alerters.kinds).union(loggers.kinds).union(sums.kinds).union(listeners.kinds)
            .union(others.wanted)
    }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        switch observer as AnyObject {
        case let display as StockDisplay: displays.add(display, F.kind)
        case let alerter as LowStockAlerter: alerters.add(alerter, F.kind)
        case let logger as StandLogger: loggers.add(logger, F.kind)
        case let sum as FactSum: sums.add(sum, F.kind)
        case let listener as FactListener: listeners.add(listener, F.kind)
        case let other: others.append(observer, of: type, owner: other)
        }
    }

    package func disconnect(_ observer: AnyObject) {
        displays.remove(observer)
        alerters.remove(observer)
        loggers.remove(observer)
        sums.remove(observer)
        listeners.remove(observer)
        others.removeAll(of: observer)
    }

    /// To the observers of unknown classes.
    package func deliver<F: Fact>(_ fact: F) {
        guard let list = others.list(of: F.self, F.Observer.self) else { return }
        for (_, observer) in list.elements { F.hand(fact, to: observer) }
    }
}

// MARK: - Who hears what

extension DirectWiring {
    package func announce(_ fact: Opened) {
        for display in displays[.opened] { display.receive(fact) }
        for logger in loggers[.opened] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: OrderPlaced) {
        for display in displays[.orderPlaced] { display.receive(fact) }
        for logger in loggers[.orderPlaced] { logger.receive(fact) }
        for sum in sums[.orderPlaced] { sum.receive(fact) }
        for listener in listeners[.orderPlaced] { listener.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: OrderStarted) {
        for display in displays[.orderStarted] { display.receive(fact) }
        for logger in loggers[.orderStarted] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: OrderServed) {
        for display in displays[.orderServed] { display.receive(fact) }
        for logger in loggers[.orderServed] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: OrderSubstituted) {
        for logger in loggers[.orderSubstituted] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: OrderLost) {
        for display in displays[.orderLost] { display.receive(fact) }
        for logger in loggers[.orderLost] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: OrderBackordered) {
        for logger in loggers[.orderBackordered] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: StockChanged) {
        for display in displays[.stockChanged] { display.receive(fact) }
        for logger in loggers[.stockChanged] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: LowStock) {
        for display in displays[.lowStock] { display.receive(fact) }
        for alerter in alerters[.lowStock] { alerter.receive(fact) }
        for logger in loggers[.lowStock] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: StockRecovered) {
        for display in displays[.stockRecovered] { display.receive(fact) }
        for alerter in alerters[.stockRecovered] { alerter.receive(fact) }
        for logger in loggers[.stockRecovered] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: RestockOrdered) {
        for display in displays[.restockOrdered] { display.receive(fact) }
        for logger in loggers[.restockOrdered] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: RestockDelivered) {
        for display in displays[.restockDelivered] { display.receive(fact) }
        for logger in loggers[.restockDelivered] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: ConfigurationChanged) {
        for logger in loggers[.configurationChanged] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: RateChanged) {
        for logger in loggers[.rateChanged] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: Paused) {
        for logger in loggers[.paused] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: Resumed) {
        for logger in loggers[.resumed] { logger.receive(fact) }
        deliver(fact)
    }

    package func announce(_ fact: Closed) {
        for display in displays[.closed] { display.receive(fact) }
        for logger in loggers[.closed] { logger.receive(fact) }
        deliver(fact)
    }
}

/// The observers of one class, by the kind of fact they are connected to.
private struct Known<Observer: AnyObject> {
    private var lists: [[Observer]] = Array(repeating: [], count: FactKind.allCases.count)

    subscript(kind: FactKind) -> [Observer] { lists[kind.rawValue] }

    var kinds: FactSet {
        FactKind.allCases.reduce(into: []) { if !self[$1].isEmpty { $0.insert(FactSet($1)) } }
    }

    mutating func add(_ observer: Observer, _ kind: FactKind) {
        lists[kind.rawValue].append(observer)
    }

    mutating func remove(_ observer: AnyObject) {
        for kind in lists.indices { lists[kind].removeAll { $0 === observer } }
    }
}
