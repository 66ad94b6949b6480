/// An order was accepted.
public struct OrderPlaced: Equatable, Sendable {
    public var stamp: Stamp
    /// From 1.
    public var order: UInt64
    /// What will be made, which after a substitution is not what was wished for.
    public var juice: Juice
    /// At least 1.
    public var cups: Int
    public var by: Origin

    public init(stamp: Stamp, order: UInt64, juice: Juice, cups: Int, by: Origin) {
        self.stamp = stamp
        self.order = order
        self.juice = juice
        self.cups = cups
        self.by = by
    }
}

/// A maker began the first cup of an order.
public struct OrderStarted: Equatable, Sendable {
    public var stamp: Stamp
    public var order: UInt64

    public init(stamp: Stamp, order: UInt64) {
        self.stamp = stamp
        self.order = order
    }
}

/// The last cup of an order was done.
public struct OrderServed: Equatable, Sendable {
    public var stamp: Stamp
    public var order: UInt64
    public var juice: Juice
    public var cups: Int
    /// From placing to the start of the first cup.
    public var wait: SimulationTime
    /// From placing to the end of the last cup.
    public var stay: SimulationTime

    public init(stamp: Stamp, order: UInt64, juice: Juice, cups: Int, wait: SimulationTime, stay: SimulationTime) {
        self.stamp = stamp
        self.order = order
        self.juice = juice
        self.cups = cups
        self.wait = wait
        self.stay = stay
    }
}

/// The juice wished for was sold out and a similar one is made instead.
public struct OrderSubstituted: Equatable, Sendable {
    public var stamp: Stamp
    public var order: UInt64
    public var wished: Juice
    public var juice: Juice

    public init(stamp: Stamp, order: UInt64, wished: Juice, juice: Juice) {
        self.stamp = stamp
        self.order = order
        self.wished = wished
        self.juice = juice
    }
}

/// A customer left without juice.
public struct OrderLost: Equatable, Sendable {
    public var stamp: Stamp
    public var order: UInt64
    /// nil for what is not on the menu.
    public var juice: Juice?
    public var cups: Int
    public var reason: LossReason
    /// The ingredient that lacked the most; only where the juice was sold out.
    public var fruit: Fruit?
    /// What was asked for; only where it is not on the menu.
    public var unknownName: String?

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
}

/// Some cups of an order wait for fruit.
public struct OrderBackordered: Equatable, Sendable {
    public var stamp: Stamp
    public var order: UInt64
    /// The ingredient that lacks the most.
    public var fruit: Fruit
    /// Cups that wait.
    public var cups: Int

    public init(stamp: Stamp, order: UInt64, fruit: Fruit, cups: Int) {
        self.stamp = stamp
        self.order = order
        self.fruit = fruit
        self.cups = cups
    }
}

/// Who placed an order.
public enum Origin: String, Codable, Sendable {
    case customer
    case command
}

/// Why a customer left without juice.
public enum LossReason: String, CaseIterable, Sendable {
    /// Balked: no maker was free and no waiting place.
    case queueFull
    case soldOut
    /// Reneged: the first cup had not been started in time.
    case ranOutOfPatience
    case notOnMenu
}
