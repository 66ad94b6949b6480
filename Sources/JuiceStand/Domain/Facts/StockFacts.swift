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

/// Why a level changed.
public enum StockCause: String, CaseIterable, Sendable {
    case order
    case `return`
    case delivery
    case edit
    case spoilage
}
