/// An order was accepted.
///
/// ```swift
/// let token = center.observe(OrderPlaced.self) { print("order \($0.order): \($0.cups) cups") }
/// ```
public struct OrderPlaced: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The order number, from 1.
    public var order: UInt64
    /// The juice that will be made; after a substitution, not the juice the customer asked for.
    public var juice: Juice
    /// At least 1.
    public var cups: Int
    /// Who placed it.
    public var by: Origin

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, order: UInt64, juice: Juice, cups: Int, by: Origin) {
        self.stamp = stamp
        self.order = order
        self.juice = juice
        self.cups = cups
        self.by = by
    }

    package static var kind: FactKind { .orderPlaced }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// A maker started the first cup of an order.
///
/// ```swift
/// let token = center.observe(OrderStarted.self) { print("order \($0.order) is being made") }
/// ```
public struct OrderStarted: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The order number, from 1.
    public var order: UInt64

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, order: UInt64) {
        self.stamp = stamp
        self.order = order
    }

    package static var kind: FactKind { .orderStarted }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// The last cup of an order was finished.
///
/// ```swift
/// let token = center.observe(OrderServed.self) { print("order \($0.order) waited for \($0.wait.seconds) s") }
/// ```
public struct OrderServed: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The order number, from 1.
    public var order: UInt64
    /// The juice that was made.
    public var juice: Juice
    /// At least 1.
    public var cups: Int
    /// From placing to the start of the first cup.
    public var wait: SimulationTime
    /// From placing to the end of the last cup.
    public var stay: SimulationTime

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, order: UInt64, juice: Juice, cups: Int, wait: SimulationTime, stay: SimulationTime) {
        self.stamp = stamp
        self.order = order
        self.juice = juice
        self.cups = cups
        self.wait = wait
        self.stay = stay
    }

    package static var kind: FactKind { .orderServed }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// The juice a customer asked for was sold out, and the most similar one is made instead.
///
/// ```swift
/// let token = center.observe(OrderSubstituted.self) { print(menu.name(of: $0.wished), "→", menu.name(of: $0.juice)) }
/// ```
public struct OrderSubstituted: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The order number, from 1.
    public var order: UInt64
    /// The juice that the customer asked for.
    public var wished: Juice
    /// The juice that is made instead.
    public var juice: Juice

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, order: UInt64, wished: Juice, juice: Juice) {
        self.stamp = stamp
        self.order = order
        self.wished = wished
        self.juice = juice
    }

    package static var kind: FactKind { .orderSubstituted }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// A customer left without juice.
///
/// ```swift
/// let token = center.observe(OrderLost.self) { print("order \($0.order):", $0.reason.name) }
/// ```
public struct OrderLost: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The order number, from 1.
    public var order: UInt64
    /// The juice that the customer asked for; nil if it is not on the menu.
    public var juice: Juice?
    /// At least 1.
    public var cups: Int
    /// Why the customer left.
    public var reason: LossReason
    /// The ingredient that lacked the most pieces; nil unless the juice was sold out.
    public var fruit: Fruit?
    /// The name that was asked for; nil unless it is not on the menu.
    public var unknownName: String?

    /// Creates a fact, for tests of observers.
    public init(
        stamp: Stamp, order: UInt64, juice: Juice?, cups: Int, reason: LossReason, fruit: Fruit? = nil,
        unknownName: String? = nil
    ) {
        self.stamp = stamp
        self.order = order
        self.juice = juice
        self.cups = cups
        self.reason = reason
        self.fruit = fruit
        self.unknownName = unknownName
    }

    package static var kind: FactKind { .orderLost }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// Some cups of an order wait for fruit.
///
/// ```swift
/// let token = center.observe(OrderBackordered.self) { print("\($0.cups) cups wait for", menu.name(of: $0.fruit)) }
/// ```
public struct OrderBackordered: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The order number, from 1.
    public var order: UInt64
    /// The ingredient that lacks the most pieces.
    public var fruit: Fruit
    /// How many cups wait, at least 1.
    public var cups: Int

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, order: UInt64, fruit: Fruit, cups: Int) {
        self.stamp = stamp
        self.order = order
        self.fruit = fruit
        self.cups = cups
    }

    package static var kind: FactKind { .orderBackordered }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// Who placed an order.
///
/// ```swift
/// let token = center.observe(OrderPlaced.self) { if $0.by == .command { print("ordered by hand") } }
/// ```
public enum Origin: String, Codable, Sendable {
    /// A customer who arrived by chance or from a trace.
    case customer
    /// Somebody at the controls of a running stand.
    case command
}
