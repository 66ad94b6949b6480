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

/// Hears every ``OrderPlaced``.
public protocol OrderPlacedObserver: AnyObject, Sendable {
    func receive(_ fact: OrderPlaced)
}

extension OrderPlaced: Fact {
    public static var kind: FactKind { .orderPlaced }
    public func hand(to observer: any OrderPlacedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
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

/// Hears every ``OrderStarted``.
public protocol OrderStartedObserver: AnyObject, Sendable {
    func receive(_ fact: OrderStarted)
}

extension OrderStarted: Fact {
    public static var kind: FactKind { .orderStarted }
    public func hand(to observer: any OrderStartedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
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

/// Hears every ``OrderServed``.
public protocol OrderServedObserver: AnyObject, Sendable {
    func receive(_ fact: OrderServed)
}

extension OrderServed: Fact {
    public static var kind: FactKind { .orderServed }
    public func hand(to observer: any OrderServedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
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

/// Hears every ``OrderSubstituted``.
public protocol OrderSubstitutedObserver: AnyObject, Sendable {
    func receive(_ fact: OrderSubstituted)
}

extension OrderSubstituted: Fact {
    public static var kind: FactKind { .orderSubstituted }
    public func hand(to observer: any OrderSubstitutedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
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

/// Hears every ``OrderLost``.
public protocol OrderLostObserver: AnyObject, Sendable {
    func receive(_ fact: OrderLost)
}

extension OrderLost: Fact {
    public static var kind: FactKind { .orderLost }
    public func hand(to observer: any OrderLostObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
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

/// Hears every ``OrderBackordered``.
public protocol OrderBackorderedObserver: AnyObject, Sendable {
    func receive(_ fact: OrderBackordered)
}

extension OrderBackordered: Fact {
    public static var kind: FactKind { .orderBackordered }
    public func hand(to observer: any OrderBackorderedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
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
