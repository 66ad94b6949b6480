/// The level of a fruit changed.
///
/// ```swift
/// let token = center.observe(StockChanged.self) { print("\(menu.name(of: $0.fruit)): \($0.from) → \($0.to)") }
/// ```
public struct StockChanged: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// Whose level it is.
    public var fruit: Fruit
    /// Pieces before; never negative.
    public var from: Int
    /// Pieces after; never negative.
    public var to: Int
    /// Why it changed.
    public var cause: StockCause
    /// The order that took or returned the fruit; nil for other causes.
    public var order: UInt64?

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, fruit: Fruit, from: Int, to: Int, cause: StockCause, order: UInt64? = nil) {
        self.stamp = stamp
        self.fruit = fruit
        self.from = from
        self.to = to
        self.cause = cause
        self.order = order
    }

    package static var kind: FactKind { .stockChanged }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// The level of a fruit fell to its threshold or below.
///
/// Announced once; the next time only after ``StockRecovered``.
///
/// ```swift
/// let token = center.observe(LowStock.self) { print("only \($0.level) \(menu.name(of: $0.fruit)) left") }
/// ```
public struct LowStock: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// Whose level it is.
    public var fruit: Fruit
    /// Pieces on hand.
    public var level: Int
    /// The fruit's `lowStock` setting, in pieces.
    public var threshold: Int

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, fruit: Fruit, level: Int, threshold: Int) {
        self.stamp = stamp
        self.fruit = fruit
        self.level = level
        self.threshold = threshold
    }

    package static var kind: FactKind { .lowStock }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// The level of a fruit rose above its threshold after ``LowStock``.
///
/// ```swift
/// let token = center.observe(StockRecovered.self) { print("\($0.level) \(menu.name(of: $0.fruit)) again") }
/// ```
public struct StockRecovered: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// Whose level it is.
    public var fruit: Fruit
    /// Pieces on hand.
    public var level: Int
    /// The fruit's `lowStock` setting, in pieces.
    public var threshold: Int

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, fruit: Fruit, level: Int, threshold: Int) {
        self.stamp = stamp
        self.fruit = fruit
        self.level = level
        self.threshold = threshold
    }

    package static var kind: FactKind { .stockRecovered }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// Fruit was ordered from the supplier.
///
/// ```swift
/// let token = center.observe(RestockOrdered.self) { print("ordered \($0.pieces) \(menu.name(of: $0.fruit))") }
/// ```
public struct RestockOrdered: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The fruit that was ordered.
    public var fruit: Fruit
    /// At least 1.
    public var pieces: Int

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, fruit: Fruit, pieces: Int) {
        self.stamp = stamp
        self.fruit = fruit
        self.pieces = pieces
    }

    package static var kind: FactKind { .restockOrdered }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// Fruit from the supplier arrived.
///
/// ```swift
/// let token = center.observe(RestockDelivered.self) { if $0.refused > 0 { print("\($0.refused) pieces do not fit") } }
/// ```
public struct RestockDelivered: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The fruit that was delivered.
    public var fruit: Fruit
    /// Pieces that went onto the shelf. With ``refused`` they make up the order.
    public var pieces: Int
    /// Pieces that did not fit the shelf.
    public var refused: Int

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, fruit: Fruit, pieces: Int, refused: Int = 0) {
        self.stamp = stamp
        self.fruit = fruit
        self.pieces = pieces
        self.refused = refused
    }

    package static var kind: FactKind { .restockDelivered }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// Why a level changed.
///
/// ```swift
/// let token = center.observe(StockChanged.self) { if $0.cause == .spoilage { print("\($0.from - $0.to) spoiled") } }
/// ```
public enum StockCause: String, CaseIterable, Sendable {
    /// An order took fruit.
    case order
    /// A customer reneged, and the fruit went back.
    case `return`
    /// The supplier came.
    case delivery
    /// Somebody changed the stock by hand.
    case edit
    /// Pieces reached their shelf life.
    case spoilage
}
