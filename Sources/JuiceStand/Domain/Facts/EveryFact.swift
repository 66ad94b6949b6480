// Every fact, named in one place. To add one, write its struct beside the others and add it to each of the four lists
// below. The compiler reports every list that lacks it.

/// The kinds of facts, each named for its struct.
package enum FactKind: Int, CaseIterable, Codable, Sendable {
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
    package var name: String { "\(word)" }

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

extension Wiring {
    package func connect(_ observer: AnyObject) {
        let everyFactObserver = observer as? any EveryFactObserver
        /// Connects an observer that conforms to the observer protocol of this fact.
        ///
        /// - Parameter narrowed: An observer of every fact as one of this fact. So the compiler rejects an
        ///   ``EveryFactObserver`` that lacks it.
        @inline(__always)
        func connect<F: Fact>(_ type: F.Type, _ narrowed: (any EveryFactObserver) -> F.Observer) {
            if let observer = everyFactObserver.map(narrowed) ?? observer as? F.Observer {
                self.connect(observer, to: type)
            }
        }
        for kind in FactKind.allCases {
            switch kind {
            case .opened: connect(Opened.self) { $0 }
            case .orderPlaced: connect(OrderPlaced.self) { $0 }
            case .orderStarted: connect(OrderStarted.self) { $0 }
            case .orderServed: connect(OrderServed.self) { $0 }
            case .orderSubstituted: connect(OrderSubstituted.self) { $0 }
            case .orderLost: connect(OrderLost.self) { $0 }
            case .orderBackordered: connect(OrderBackordered.self) { $0 }
            case .stockChanged: connect(StockChanged.self) { $0 }
            case .lowStock: connect(LowStock.self) { $0 }
            case .stockRecovered: connect(StockRecovered.self) { $0 }
            case .restockOrdered: connect(RestockOrdered.self) { $0 }
            case .restockDelivered: connect(RestockDelivered.self) { $0 }
            case .configurationChanged: connect(ConfigurationChanged.self) { $0 }
            case .rateChanged: connect(RateChanged.self) { $0 }
            case .paused: connect(Paused.self) { $0 }
            case .resumed: connect(Resumed.self) { $0 }
            case .closed: connect(Closed.self) { $0 }
            }
        }
    }
}

extension FactKind {
    /// What facts of the kind are about.
    package var group: FactGroup {
        switch self {
        case .opened, .closed: .stand
        case .configurationChanged, .rateChanged, .paused, .resumed: .commands
        case .orderPlaced, .orderStarted, .orderServed, .orderSubstituted, .orderLost, .orderBackordered: .orders
        case .stockChanged: .stock
        case .lowStock, .stockRecovered: .alerts
        case .restockOrdered, .restockDelivered: .restock
        }
    }
}
