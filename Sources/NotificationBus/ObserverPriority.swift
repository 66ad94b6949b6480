/// Where an observer stands in the order of delivery; higher goes first.
///
/// Observers of the same priority are called in the order in which they began to observe.
///
/// ```swift
/// let first = center.observe(StockChanged.self, priority: .high) { change in print(change.level) }
/// let second = center.observe(StockChanged.self, priority: 7) { change in print(change.fruit) }
/// ```
public struct ObserverPriority: RawRepresentable, Hashable, Sendable {
    /// The priority as a number; 0 is normal.
    public var rawValue: Int16

    /// Creates a priority from a number.
    public init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    /// Before the others: 100.
    public static let high = ObserverPriority(rawValue: 100)
    /// Where nothing else is said: 0.
    public static let normal = ObserverPriority(rawValue: 0)
    /// After the others: -100.
    public static let low = ObserverPriority(rawValue: -100)
}

extension ObserverPriority: Comparable {
    /// Whether `left` is called after `right`.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ObserverPriority: ExpressibleByIntegerLiteral {
    /// Creates a priority from a literal.
    public init(integerLiteral value: Int16) {
        self.init(rawValue: value)
    }
}
