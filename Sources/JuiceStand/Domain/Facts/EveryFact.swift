// Every fact, named in one place. To add one, write its struct beside the others and add it to each of the five lists
// below. The compiler reports every list that lacks it.

/// The kinds of facts, each named for its struct.
public enum FactKind: Int, CaseIterable, Sendable {
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
    public var name: String { "\(self)" }

    /// The kind with that event name in the ledger; nil if there is none.
    public init?(name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

extension FactKind {
    /// What a fact is about.
    package enum Group: String {
        case stand, commands, orders, stock, alerts, restock
    }

    package var group: Group {
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

/// Where the stand announces its facts. One requirement for each fact, so that a call is a table look-up and never runs
/// generic code.
///
/// One generic method, `func announce<F: Fact>(_ fact: F)`, satisfies them all. The compiler specializes it for each
/// fact.
public protocol FactSink: AnyObject {
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
public typealias EveryFactObserver =
    OpenedObserver & OrderPlacedObserver & OrderStartedObserver & OrderServedObserver & OrderSubstitutedObserver
    & OrderLostObserver & OrderBackorderedObserver & StockChangedObserver & LowStockObserver
    & StockRecoveredObserver & RestockOrderedObserver & RestockDeliveredObserver & ConfigurationChangedObserver
    & RateChangedObserver & PausedObserver & ResumedObserver & ClosedObserver

extension Wiring {
    public func connect(_ observer: AnyObject) {
        // Converting it below makes the compiler reject an `EveryFactObserver` that lacks a fact.
        let all = observer as? any EveryFactObserver
        for kind in FactKind.allCases {
            switch kind {
            case .opened: link(all ?? observer as? any OpenedObserver, to: Opened.self)
            case .orderPlaced: link(all ?? observer as? any OrderPlacedObserver, to: OrderPlaced.self)
            case .orderStarted: link(all ?? observer as? any OrderStartedObserver, to: OrderStarted.self)
            case .orderServed: link(all ?? observer as? any OrderServedObserver, to: OrderServed.self)
            case .orderSubstituted: link(all ?? observer as? any OrderSubstitutedObserver, to: OrderSubstituted.self)
            case .orderLost: link(all ?? observer as? any OrderLostObserver, to: OrderLost.self)
            case .orderBackordered: link(all ?? observer as? any OrderBackorderedObserver, to: OrderBackordered.self)
            case .stockChanged: link(all ?? observer as? any StockChangedObserver, to: StockChanged.self)
            case .lowStock: link(all ?? observer as? any LowStockObserver, to: LowStock.self)
            case .stockRecovered: link(all ?? observer as? any StockRecoveredObserver, to: StockRecovered.self)
            case .restockOrdered: link(all ?? observer as? any RestockOrderedObserver, to: RestockOrdered.self)
            case .restockDelivered: link(all ?? observer as? any RestockDeliveredObserver, to: RestockDelivered.self)
            case .configurationChanged:
                link(all ?? observer as? any ConfigurationChangedObserver, to: ConfigurationChanged.self)
            case .rateChanged: link(all ?? observer as? any RateChangedObserver, to: RateChanged.self)
            case .paused: link(all ?? observer as? any PausedObserver, to: Paused.self)
            case .resumed: link(all ?? observer as? any ResumedObserver, to: Resumed.self)
            case .closed: link(all ?? observer as? any ClosedObserver, to: Closed.self)
            }
        }
    }

    @inline(__always)
    private func link<F: Fact>(_ observer: F.Observer?, to type: F.Type) {
        if let observer { connect(observer, to: type) }
    }
}
