/// Where the stand announces its facts: one entry for each, so that a call costs a table look-up and nothing generic.
public protocol FactSink: AnyObject {
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

/// A way for facts to reach observers.
///
/// The contract, the same for every wiring that settles after each fact: each observer hears each fact of the kinds it is
/// connected to, once, in the order of announcing; once ``disconnect(_:)`` has settled, nothing more arrives. In which
/// order observers of one fact hear it is the mechanism's own; `juicestand compare` shows which keep that of connecting.
public protocol Wiring: FactSink {
    /// The kinds of facts somebody is connected to; the stand builds no others.
    var wanted: FactSet { get }

    /// Connects `observer` to every kind of fact it conforms to an observer protocol of.
    ///
    /// A requirement though its default serves all, so that each wiring gets code for each fact instead of generic
    /// code.
    func connect(_ observer: AnyObject)

    /// Connects `observer` to one kind of fact.
    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type)

    /// Ends every connection of `observer`.
    func disconnect(_ observer: AnyObject)

    /// Hands `fact` to whoever is connected to its kind.
    func deliver<F: Fact>(_ fact: F)

    /// Returns when everything announced so far has been heard; at once for a wiring that is synchronous.
    func settle()
}

extension Wiring {
    public func settle() {}

    public func connect(_ observer: AnyObject) {
        if let observer = observer as? any OpenedObserver { connect(observer, to: Opened.self) }
        if let observer = observer as? any OrderPlacedObserver { connect(observer, to: OrderPlaced.self) }
        if let observer = observer as? any OrderStartedObserver { connect(observer, to: OrderStarted.self) }
        if let observer = observer as? any OrderServedObserver { connect(observer, to: OrderServed.self) }
        if let observer = observer as? any OrderSubstitutedObserver { connect(observer, to: OrderSubstituted.self) }
        if let observer = observer as? any OrderLostObserver { connect(observer, to: OrderLost.self) }
        if let observer = observer as? any OrderBackorderedObserver { connect(observer, to: OrderBackordered.self) }
        if let observer = observer as? any StockChangedObserver { connect(observer, to: StockChanged.self) }
        if let observer = observer as? any LowStockObserver { connect(observer, to: LowStock.self) }
        if let observer = observer as? any StockRecoveredObserver { connect(observer, to: StockRecovered.self) }
        if let observer = observer as? any RestockOrderedObserver { connect(observer, to: RestockOrdered.self) }
        if let observer = observer as? any RestockDeliveredObserver { connect(observer, to: RestockDelivered.self) }
        if let observer = observer as? any ConfigurationChangedObserver {
            connect(observer, to: ConfigurationChanged.self)
        }
        if let observer = observer as? any RateChangedObserver { connect(observer, to: RateChanged.self) }
        if let observer = observer as? any PausedObserver { connect(observer, to: Paused.self) }
        if let observer = observer as? any ResumedObserver { connect(observer, to: Resumed.self) }
        if let observer = observer as? any ClosedObserver { connect(observer, to: Closed.self) }
    }

    public func announce(_ fact: Opened) { deliver(fact) }
    public func announce(_ fact: OrderPlaced) { deliver(fact) }
    public func announce(_ fact: OrderStarted) { deliver(fact) }
    public func announce(_ fact: OrderServed) { deliver(fact) }
    public func announce(_ fact: OrderSubstituted) { deliver(fact) }
    public func announce(_ fact: OrderLost) { deliver(fact) }
    public func announce(_ fact: OrderBackordered) { deliver(fact) }
    public func announce(_ fact: StockChanged) { deliver(fact) }
    public func announce(_ fact: LowStock) { deliver(fact) }
    public func announce(_ fact: StockRecovered) { deliver(fact) }
    public func announce(_ fact: RestockOrdered) { deliver(fact) }
    public func announce(_ fact: RestockDelivered) { deliver(fact) }
    public func announce(_ fact: ConfigurationChanged) { deliver(fact) }
    public func announce(_ fact: RateChanged) { deliver(fact) }
    public func announce(_ fact: Paused) { deliver(fact) }
    public func announce(_ fact: Resumed) { deliver(fact) }
    public func announce(_ fact: Closed) { deliver(fact) }
}
