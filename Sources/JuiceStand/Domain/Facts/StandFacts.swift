/// The stand opened; everything before this is undefined.
public struct Opened: Equatable, Sendable {
    public var stamp: Stamp
    /// Its name.
    public var stand: String
    /// The calendar date of stand time 0.
    public var opens: String
    public var seed: UInt64
    /// The fingerprint of the resolved configuration.
    public var configuration: String
    /// Levels in menu order; nil without limit.
    public var stock: [Int?]

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
    func receive(_ fact: Opened)
}

extension Opened: Fact {
    public static var kind: FactKind { .opened }
    public func hand(to observer: any OpenedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// A setting was changed while the stand was open.
public struct ConfigurationChanged: Equatable, Sendable {
    public var stamp: Stamp
    /// The key path.
    public var key: String
    public var from: String
    public var to: String

    public init(stamp: Stamp, key: String, from: String, to: String) {
        self.stamp = stamp
        self.key = key
        self.from = from
        self.to = to
    }
}

/// Hears every ``ConfigurationChanged``.
public protocol ConfigurationChangedObserver: AnyObject, Sendable {
    func receive(_ fact: ConfigurationChanged)
}

extension ConfigurationChanged: Fact {
    public static var kind: FactKind { .configurationChanged }
    public func hand(to observer: any ConfigurationChangedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Customers come more or less often from now on.
public struct RateChanged: Equatable, Sendable {
    public var stamp: Stamp
    /// Of the configured rate; not negative.
    public var factor: Double

    public init(stamp: Stamp, factor: Double) {
        self.stamp = stamp
        self.factor = factor
    }
}

/// Hears every ``RateChanged``.
public protocol RateChangedObserver: AnyObject, Sendable {
    func receive(_ fact: RateChanged)
}

extension RateChanged: Fact {
    public static var kind: FactKind { .rateChanged }
    public func hand(to observer: any RateChangedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Stand time stopped.
public struct Paused: Equatable, Sendable {
    public var stamp: Stamp

    public init(stamp: Stamp) {
        self.stamp = stamp
    }
}

/// Hears every ``Paused``.
public protocol PausedObserver: AnyObject, Sendable {
    func receive(_ fact: Paused)
}

extension Paused: Fact {
    public static var kind: FactKind { .paused }
    public func hand(to observer: any PausedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// Stand time goes on.
public struct Resumed: Equatable, Sendable {
    public var stamp: Stamp

    public init(stamp: Stamp) {
        self.stamp = stamp
    }
}

/// Hears every ``Resumed``.
public protocol ResumedObserver: AnyObject, Sendable {
    func receive(_ fact: Resumed)
}

extension Resumed: Fact {
    public static var kind: FactKind { .resumed }
    public func hand(to observer: any ResumedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}

/// The stand closed; nothing follows.
public struct Closed: Equatable, Sendable {
    public var stamp: Stamp
    /// Orders still in the stand.
    public var open: Int
    /// Levels in menu order; nil without limit.
    public var stock: [Int?]

    public init(stamp: Stamp, open: Int, stock: [Int?]) {
        self.stamp = stamp
        self.open = open
        self.stock = stock
    }
}

/// Hears every ``Closed``.
public protocol ClosedObserver: AnyObject, Sendable {
    func receive(_ fact: Closed)
}

extension Closed: Fact {
    public static var kind: FactKind { .closed }
    public func hand(to observer: any ClosedObserver) { observer.receive(self) }
    public func announce(to sink: any FactSink) { sink.announce(self) }
}
