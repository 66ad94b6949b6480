/// The stand opened. Always the first fact.
///
/// ```swift
/// let token = center.observe(Opened.self) { print($0.stand, "opens with the seed", $0.seed) }
/// ```
public struct Opened: Fact, Equatable {
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

    package static var kind: FactKind { .opened }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// A setting was changed while the stand was open.
///
/// ```swift
/// let token = center.observe(ConfigurationChanged.self) { print("\($0.key): \($0.from) → \($0.to)") }
/// ```
public struct ConfigurationChanged: Fact, Equatable {
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

    package static var kind: FactKind { .configurationChanged }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// The arrival rate changed.
///
/// ```swift
/// let token = center.observe(RateChanged.self) { print("customers come at \($0.factor) times the configured rate") }
/// ```
public struct RateChanged: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp
    /// The factor on the configured rate; not negative.
    public var factor: Double

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp, factor: Double) {
        self.stamp = stamp
        self.factor = factor
    }

    package static var kind: FactKind { .rateChanged }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// Stand time stopped.
///
/// ```swift
/// let token = center.observe(Paused.self) { print("paused after \($0.stamp.time.seconds) s") }
/// ```
public struct Paused: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp) {
        self.stamp = stamp
    }

    package static var kind: FactKind { .paused }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// Stand time runs again after a pause.
///
/// ```swift
/// let token = center.observe(Resumed.self) { print("resumed after \($0.stamp.time.seconds) s") }
/// ```
public struct Resumed: Fact, Equatable {
    /// When it happened.
    public var stamp: Stamp

    /// Creates a fact, for tests of observers.
    public init(stamp: Stamp) {
        self.stamp = stamp
    }

    package static var kind: FactKind { .resumed }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}

/// The stand closed. Always the last fact.
///
/// ```swift
/// let token = center.observe(Closed.self) { print("closed with \($0.open) open orders") }
/// ```
public struct Closed: Fact, Equatable {
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

    package static var kind: FactKind { .closed }
    package func hand(to observer: any FactObserver) { observer.hear(self) }
}
