/// The stand opened. Always the first fact.
public struct Opened: Equatable, Sendable {
    /// When it happened.
    public var stamp: Stamp
    /// The name of the stand.
    public var stand: String
    /// The calendar date of stand time 0.
    public var opens: String
    /// The seed of all random streams.
    public var seed: UInt64
    /// A hash of the resolved configuration.
    public var configuration: String
    /// Pieces of each fruit in menu order; nil for an unlimited fruit.
    public var stock: [Int?]

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, stand: String, opens: String, seed: UInt64, configuration: String, stock: [Int?]) {
        self.stamp = stamp
        self.stand = stand
        self.opens = opens
        self.seed = seed
        self.configuration = configuration
        self.stock = stock
    }
}

/// Hears every ``Opened``.
public protocol OpenedObserver: AnyObject, Sendable {
    /// Called during delivery, once for each fact.
    func receive(_ fact: Opened)
}

extension Opened: Fact {
    public static var kind: FactKind { .opened }
    public static var group: FactGroup { .stand }
    public func hand(to observer: any OpenedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// A setting was changed while the stand was open.
public struct ConfigurationChanged: Equatable, Sendable {
    /// When it happened.
    public var stamp: Stamp
    /// The key path of the setting.
    public var key: String
    /// The old value, as a configuration writes it.
    public var from: String
    /// The new value, as a configuration writes it.
    public var to: String

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, key: String, from: String, to: String) {
        self.stamp = stamp
        self.key = key
        self.from = from
        self.to = to
    }
}

/// Hears every ``ConfigurationChanged``.
public protocol ConfigurationChangedObserver: AnyObject, Sendable {
    /// Called during delivery, once for each fact.
    func receive(_ fact: ConfigurationChanged)
}

extension ConfigurationChanged: Fact {
    public static var kind: FactKind { .configurationChanged }
    public static var group: FactGroup { .commands }
    public func hand(to observer: any ConfigurationChangedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// The arrival rate changed.
public struct RateChanged: Equatable, Sendable {
    /// When it happened.
    public var stamp: Stamp
    /// What the configured rate is multiplied by; not negative.
    public var factor: Double

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, factor: Double) {
        self.stamp = stamp
        self.factor = factor
    }
}

/// Hears every ``RateChanged``.
public protocol RateChangedObserver: AnyObject, Sendable {
    /// Called during delivery, once for each fact.
    func receive(_ fact: RateChanged)
}

extension RateChanged: Fact {
    public static var kind: FactKind { .rateChanged }
    public static var group: FactGroup { .commands }
    public func hand(to observer: any RateChangedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Stand time stopped.
public struct Paused: Equatable, Sendable {
    /// When it happened.
    public var stamp: Stamp

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp) {
        self.stamp = stamp
    }
}

/// Hears every ``Paused``.
public protocol PausedObserver: AnyObject, Sendable {
    /// Called during delivery, once for each fact.
    func receive(_ fact: Paused)
}

extension Paused: Fact {
    public static var kind: FactKind { .paused }
    public static var group: FactGroup { .commands }
    public func hand(to observer: any PausedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Stand time runs again after a pause.
public struct Resumed: Equatable, Sendable {
    /// When it happened.
    public var stamp: Stamp

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp) {
        self.stamp = stamp
    }
}

/// Hears every ``Resumed``.
public protocol ResumedObserver: AnyObject, Sendable {
    /// Called during delivery, once for each fact.
    func receive(_ fact: Resumed)
}

extension Resumed: Fact {
    public static var kind: FactKind { .resumed }
    public static var group: FactGroup { .commands }
    public func hand(to observer: any ResumedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// The stand closed. Always the last fact.
public struct Closed: Equatable, Sendable {
    /// When it happened.
    public var stamp: Stamp
    /// Unfinished orders.
    public var open: Int
    /// Pieces of each fruit in menu order; nil for an unlimited fruit.
    public var stock: [Int?]

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, open: Int, stock: [Int?]) {
        self.stamp = stamp
        self.open = open
        self.stock = stock
    }
}

/// Hears every ``Closed``.
public protocol ClosedObserver: AnyObject, Sendable {
    /// Called during delivery, once for each fact.
    func receive(_ fact: Closed)
}

extension Closed: Fact {
    public static var kind: FactKind { .closed }
    public static var group: FactGroup { .stand }
    public func hand(to observer: any ClosedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}
