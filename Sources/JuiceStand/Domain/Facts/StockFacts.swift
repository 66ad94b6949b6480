/// The level of a fruit changed.
public struct StockChanged: Equatable, Sendable {
    public var stamp: Stamp
    public var fruit: Fruit
    /// Whole pieces; never negative.
    public var from: Int
    public var to: Int
    public var cause: StockCause
    /// The order for which, where there is one.
    public var order: UInt64?

    public init(stamp: Stamp, fruit: Fruit, from: Int, to: Int, cause: StockCause, order: UInt64? = nil) {
        self.stamp = stamp
        self.fruit = fruit
        self.from = from
        self.to = to
        self.cause = cause
        self.order = order
    }
}

/// Hears every ``StockChanged``.
public protocol StockChangedObserver: AnyObject, Sendable {
    func receive(_ fact: StockChanged)
}

extension StockChanged: Fact {
    public static var kind: FactKind { .stockChanged }
    public func hand(to observer: any StockChangedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// A level fell to its threshold or below.
///
/// News once a fall: again only after ``StockRecovered``.
public struct LowStock: Equatable, Sendable {
    public var stamp: Stamp
    public var fruit: Fruit
    public var level: Int
    public var threshold: Int

    public init(stamp: Stamp, fruit: Fruit, level: Int, threshold: Int) {
        self.stamp = stamp
        self.fruit = fruit
        self.level = level
        self.threshold = threshold
    }
}

/// Hears every ``LowStock``.
public protocol LowStockObserver: AnyObject, Sendable {
    func receive(_ fact: LowStock)
}

extension LowStock: Fact {
    public static var kind: FactKind { .lowStock }
    public func hand(to observer: any LowStockObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// A level rose above its threshold again.
public struct StockRecovered: Equatable, Sendable {
    public var stamp: Stamp
    public var fruit: Fruit
    public var level: Int
    public var threshold: Int

    public init(stamp: Stamp, fruit: Fruit, level: Int, threshold: Int) {
        self.stamp = stamp
        self.fruit = fruit
        self.level = level
        self.threshold = threshold
    }
}

/// Hears every ``StockRecovered``.
public protocol StockRecoveredObserver: AnyObject, Sendable {
    func receive(_ fact: StockRecovered)
}

extension StockRecovered: Fact {
    public static var kind: FactKind { .stockRecovered }
    public func hand(to observer: any StockRecoveredObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Fruit was ordered from the supplier.
public struct RestockOrdered: Equatable, Sendable {
    public var stamp: Stamp
    public var fruit: Fruit
    public var pieces: Int

    public init(stamp: Stamp, fruit: Fruit, pieces: Int) {
        self.stamp = stamp
        self.fruit = fruit
        self.pieces = pieces
    }
}

/// Hears every ``RestockOrdered``.
public protocol RestockOrderedObserver: AnyObject, Sendable {
    func receive(_ fact: RestockOrdered)
}

extension RestockOrdered: Fact {
    public static var kind: FactKind { .restockOrdered }
    public func hand(to observer: any RestockOrderedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Ordered fruit arrived.
public struct RestockDelivered: Equatable, Sendable {
    public var stamp: Stamp
    public var fruit: Fruit
    /// What went onto the shelf; with ``refused`` it is what was ordered.
    public var pieces: Int
    /// Pieces that did not fit the shelf.
    public var refused: Int

    public init(stamp: Stamp, fruit: Fruit, pieces: Int, refused: Int = 0) {
        self.stamp = stamp
        self.fruit = fruit
        self.pieces = pieces
        self.refused = refused
    }
}

/// Hears every ``RestockDelivered``.
public protocol RestockDeliveredObserver: AnyObject, Sendable {
    func receive(_ fact: RestockDelivered)
}

extension RestockDelivered: Fact {
    public static var kind: FactKind { .restockDelivered }
    public func hand(to observer: any RestockDeliveredObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Why a level changed.
public enum StockCause: String, CaseIterable, Sendable {
    case order
    case `return`
    case delivery
    case edit
    case spoilage
}
