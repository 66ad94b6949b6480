/// Direct calls: the stand knows the observers by their classes and calls each in turn.
///
/// Couples the stand to every class of observers: each needs a list here. Observers are called class by class.
/// Observers of other classes come last and are called through their protocol.
package final class DirectWiring: TableWiring, Wiring {
    private let displays = Known<StockDisplay>()
    private let alerters = Known<LowStockAlerter>()
    private let loggers = Known<StandLogger>()

    package override var wanted: FactSet {
        displays.kinds.union(alerters.kinds).union(loggers.kinds).union(super.wanted)
    }

    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        switch observer {
        case let display as StockDisplay: displays.add(display, F.kind)
        case let alerter as LowStockAlerter: alerters.add(alerter, F.kind)
        case let logger as StandLogger: loggers.add(logger, F.kind)
        default: table.append(observer as any FactObserver & Sendable, to: F.kind, of: observer)
        }
    }

    package override func disconnect(_ observer: AnyObject) {
        displays.remove(observer)
        alerters.remove(observer)
        loggers.remove(observer)
        super.disconnect(observer)
    }

    package func hear<F: Fact>(_ fact: F) {
        each(displays[F.kind]) { fact.hand(to: $0) }
        each(alerters[F.kind]) { fact.hand(to: $0) }
        each(loggers[F.kind]) { fact.hand(to: $0) }
        guard let list = table.list(of: F.kind, (any FactObserver & Sendable).self) else { return }
        for (_, observer) in list.elements { fact.hand(to: observer) }
    }
}

/// Calls `body` with each observer. The list keeps them alive, so no call retains its observer.
@inline(__always)
private func each<Observer: AnyObject>(_ observers: [Observer], _ body: (Observer) -> Void) {
    for index in observers.indices {
        unsafe Unmanaged.passUnretained(observers[index])._withUnsafeGuaranteedRef { body($0) }
    }
}

/// The observers of one class, by the kind of fact they are connected to.
private final class Known<Observer: AnyObject> {
    // A list is copied before an observer is called, so accesses never overlap.
    @exclusivity(unchecked) private var lists: [[Observer]] = Array(repeating: [], count: FactKind.allCases.count)

    @inline(__always)
    subscript(kind: FactKind) -> [Observer] { unsafe lists[kind.rawValue] }

    var kinds: FactSet {
        var kinds: FactSet = []
        for kind in FactKind.allCases where !self[kind].isEmpty { kinds.insert(FactSet(kind)) }
        return kinds
    }

    func add(_ observer: Observer, _ kind: FactKind) { unsafe lists[kind.rawValue].append(observer) }

    func remove(_ observer: AnyObject) {
        for kind in unsafe lists.indices { unsafe lists[kind].removeAll { $0 === observer } }
    }
}

extension WiringChoice {
    package static let direct = WiringChoice("direct", "a call for each observer, by its class") { DirectWiring() }
}
