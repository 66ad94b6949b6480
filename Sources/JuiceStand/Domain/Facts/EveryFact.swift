// Every fact, named in one place. To add one, write its struct beside the others and add it to each of the four lists
// below. The compiler reports every list that lacks it.

/// The kinds of facts, each named for its struct.
package enum FactKind: Int, CaseIterable, Sendable {
    /// The stand opened: the first fact of every run.
    case opened
    /// A customer asked for a juice, whatever comes of it.
    case orderPlaced
    /// A maker began the first cup of an order.
    case orderStarted
    /// The last cup of an order was done.
    case orderServed
    /// The wish was sold out and the customer took a similar juice.
    case orderSubstituted
    /// A customer left without juice; the fact says why.
    case orderLost
    /// A customer waits for fruit that is short.
    case orderBackordered
    /// The level of one fruit changed; the fact says why.
    case stockChanged
    /// A level fell to the fruit's threshold or below.
    case lowStock
    /// A level rose above the threshold again.
    case stockRecovered
    /// Fruit was ordered from the supplier.
    case restockOrdered
    /// Fruit arrived from the supplier.
    case restockDelivered
    /// A reload took effect.
    case configurationChanged
    /// A command multiplied the arrival rate.
    case rateChanged
    /// A command stopped arrivals.
    case paused
    /// Arrivals go on after a pause.
    case resumed
    /// The stand closed: the last fact of every run.
    case closed

    /// The event name in the ledger.
    package var name: String { "\(self)" }

    /// The kind with that event name in the ledger; nil if there is none.
    package init?(name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// Where the stand announces its facts. One requirement for each fact, so that a call is a table look-up and never runs
/// generic code.
///
/// One generic method, `func announce<F: Fact>(_ fact: F)`, satisfies them all. The compiler specializes it for each
/// fact.
package protocol FactSink: AnyObject {
    /// Hands one fact to the wiring. A synchronous wiring has called every observer when this returns.
    func announce(_ fact: Opened)
    func announce(_ fact: OrderPlaced)
    func announce(_ fact: OrderStarted)
    func announce(_ fact: OrderServed)
    func announce(_ fact: OrderSubstituted)
    func announce(_ fact: OrderLost)
    func announce(_ fact: OrderBackordered)
    func announce(_ fact: StockChanged)
    func announce(_ fact: LowStock)
    func announce(_ fact: StockRecovered)
    func announce(_ fact: RestockOrdered)
    func announce(_ fact: RestockDelivered)
    func announce(_ fact: ConfigurationChanged)
    func announce(_ fact: RateChanged)
    func announce(_ fact: Paused)
    func announce(_ fact: Resumed)
    func announce(_ fact: Closed)
}

/// An observer of every fact. One generic method, `func receive<F: Fact>(_ fact: F)`, satisfies it.
package typealias EveryFactObserver =
    OpenedObserver & OrderPlacedObserver & OrderStartedObserver & OrderServedObserver & OrderSubstitutedObserver
    & OrderLostObserver & OrderBackorderedObserver & StockChangedObserver & LowStockObserver
    & StockRecoveredObserver & RestockOrderedObserver & RestockDeliveredObserver & ConfigurationChangedObserver
    & RateChangedObserver & PausedObserver & ResumedObserver & ClosedObserver

extension FactKind {
    /// Hands the struct of the kind to `visitor`.
    @inline(__always)
    fileprivate func visit<Visitor: FactVisitor>(_ visitor: Visitor) -> Visitor.Answer {
        switch self {
        case .opened: visitor.visit(Opened.self) { $0 }
        case .orderPlaced: visitor.visit(OrderPlaced.self) { $0 }
        case .orderStarted: visitor.visit(OrderStarted.self) { $0 }
        case .orderServed: visitor.visit(OrderServed.self) { $0 }
        case .orderSubstituted: visitor.visit(OrderSubstituted.self) { $0 }
        case .orderLost: visitor.visit(OrderLost.self) { $0 }
        case .orderBackordered: visitor.visit(OrderBackordered.self) { $0 }
        case .stockChanged: visitor.visit(StockChanged.self) { $0 }
        case .lowStock: visitor.visit(LowStock.self) { $0 }
        case .stockRecovered: visitor.visit(StockRecovered.self) { $0 }
        case .restockOrdered: visitor.visit(RestockOrdered.self) { $0 }
        case .restockDelivered: visitor.visit(RestockDelivered.self) { $0 }
        case .configurationChanged: visitor.visit(ConfigurationChanged.self) { $0 }
        case .rateChanged: visitor.visit(RateChanged.self) { $0 }
        case .paused: visitor.visit(Paused.self) { $0 }
        case .resumed: visitor.visit(Resumed.self) { $0 }
        case .closed: visitor.visit(Closed.self) { $0 }
        }
    }
}

// MARK: - What the lists are for

/// Code for any kind of fact that needs its struct.
private protocol FactVisitor {
    associatedtype Answer

    /// - Parameter narrowed: An observer of every fact as one of this fact. So the compiler rejects an
    ///   ``EveryFactObserver`` that lacks it.
    func visit<F: Fact>(_ type: F.Type, _ narrowed: (any EveryFactObserver) -> F.Observer) -> Answer
}

extension Wiring {
    package func connect(_ observer: AnyObject) {
        let connection = Connection(
            wiring: self, observer: observer, everyFactObserver: observer as? any EveryFactObserver)
        for kind in FactKind.allCases { kind.visit(connection) }
    }
}

/// Connects an observer to the kinds that it conforms to an observer protocol of.
private struct Connection<W: Wiring>: FactVisitor {
    typealias Answer = Void

    let wiring: W
    let observer: AnyObject
    /// The same if it hears every fact.
    let everyFactObserver: (any EveryFactObserver)?

    @inline(__always)
    func visit<F: Fact>(_ type: F.Type, _ narrowed: (any EveryFactObserver) -> F.Observer) {
        if let observer = everyFactObserver.map(narrowed) ?? observer as? F.Observer {
            wiring.connect(observer, to: type)
        }
    }
}

extension FactKind {
    /// What facts of the kind are about.
    package var group: FactGroup { Self.groups[rawValue] }

    private static let groups = allCases.map { $0.visit(GroupOfKind()) }
}

private struct GroupOfKind: FactVisitor {
    typealias Answer = FactGroup

    func visit<F: Fact>(_ type: F.Type, _ narrowed: (any EveryFactObserver) -> F.Observer) -> FactGroup { F.group }
}
