// One protocol for each fact: an observer names the facts it wants by conforming, and gets no other.

/// Hears of every ``Opened``.
public protocol OpenedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: Opened)
}

/// Hears of every ``OrderPlaced``.
public protocol OrderPlacedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: OrderPlaced)
}

/// Hears of every ``OrderStarted``.
public protocol OrderStartedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: OrderStarted)
}

/// Hears of every ``OrderServed``.
public protocol OrderServedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: OrderServed)
}

/// Hears of every ``OrderSubstituted``.
public protocol OrderSubstitutedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: OrderSubstituted)
}

/// Hears of every ``OrderLost``.
public protocol OrderLostObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: OrderLost)
}

/// Hears of every ``OrderBackordered``.
public protocol OrderBackorderedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: OrderBackordered)
}

/// Hears of every ``StockChanged``.
public protocol StockChangedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: StockChanged)
}

/// Hears of every ``LowStock``.
public protocol LowStockObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: LowStock)
}

/// Hears of every ``StockRecovered``.
public protocol StockRecoveredObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: StockRecovered)
}

/// Hears of every ``RestockOrdered``.
public protocol RestockOrderedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: RestockOrdered)
}

/// Hears of every ``RestockDelivered``.
public protocol RestockDeliveredObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: RestockDelivered)
}

/// Hears of every ``ConfigurationChanged``.
public protocol ConfigurationChangedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: ConfigurationChanged)
}

/// Hears of every ``RateChanged``.
public protocol RateChangedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: RateChanged)
}

/// Hears of every ``Paused``.
public protocol PausedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: Paused)
}

/// Hears of every ``Resumed``.
public protocol ResumedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: Resumed)
}

/// Hears of every ``Closed``.
public protocol ClosedObserver: AnyObject, Sendable {
    /// The fact has just happened; called once for each, from within its delivery.
    func receive(_ fact: Closed)
}

extension Opened: Fact {
    public static let kind = FactKind.opened
    public static func hand(_ fact: Self, to observer: any OpenedObserver) { observer.receive(fact) }
}

extension OrderPlaced: Fact {
    public static let kind = FactKind.orderPlaced
    public static func hand(_ fact: Self, to observer: any OrderPlacedObserver) { observer.receive(fact) }
}

extension OrderStarted: Fact {
    public static let kind = FactKind.orderStarted
    public static func hand(_ fact: Self, to observer: any OrderStartedObserver) { observer.receive(fact) }
}

extension OrderServed: Fact {
    public static let kind = FactKind.orderServed
    public static func hand(_ fact: Self, to observer: any OrderServedObserver) { observer.receive(fact) }
}

extension OrderSubstituted: Fact {
    public static let kind = FactKind.orderSubstituted
    public static func hand(_ fact: Self, to observer: any OrderSubstitutedObserver) { observer.receive(fact) }
}

extension OrderLost: Fact {
    public static let kind = FactKind.orderLost
    public static func hand(_ fact: Self, to observer: any OrderLostObserver) { observer.receive(fact) }
}

extension OrderBackordered: Fact {
    public static let kind = FactKind.orderBackordered
    public static func hand(_ fact: Self, to observer: any OrderBackorderedObserver) { observer.receive(fact) }
}

extension StockChanged: Fact {
    public static let kind = FactKind.stockChanged
    public static func hand(_ fact: Self, to observer: any StockChangedObserver) { observer.receive(fact) }
}

extension LowStock: Fact {
    public static let kind = FactKind.lowStock
    public static func hand(_ fact: Self, to observer: any LowStockObserver) { observer.receive(fact) }
}

extension StockRecovered: Fact {
    public static let kind = FactKind.stockRecovered
    public static func hand(_ fact: Self, to observer: any StockRecoveredObserver) { observer.receive(fact) }
}

extension RestockOrdered: Fact {
    public static let kind = FactKind.restockOrdered
    public static func hand(_ fact: Self, to observer: any RestockOrderedObserver) { observer.receive(fact) }
}

extension RestockDelivered: Fact {
    public static let kind = FactKind.restockDelivered
    public static func hand(_ fact: Self, to observer: any RestockDeliveredObserver) { observer.receive(fact) }
}

extension ConfigurationChanged: Fact {
    public static let kind = FactKind.configurationChanged
    public static func hand(_ fact: Self, to observer: any ConfigurationChangedObserver) { observer.receive(fact) }
}

extension RateChanged: Fact {
    public static let kind = FactKind.rateChanged
    public static func hand(_ fact: Self, to observer: any RateChangedObserver) { observer.receive(fact) }
}

extension Paused: Fact {
    public static let kind = FactKind.paused
    public static func hand(_ fact: Self, to observer: any PausedObserver) { observer.receive(fact) }
}

extension Resumed: Fact {
    public static let kind = FactKind.resumed
    public static func hand(_ fact: Self, to observer: any ResumedObserver) { observer.receive(fact) }
}

extension Closed: Fact {
    public static let kind = FactKind.closed
    public static func hand(_ fact: Self, to observer: any ClosedObserver) { observer.receive(fact) }
}
