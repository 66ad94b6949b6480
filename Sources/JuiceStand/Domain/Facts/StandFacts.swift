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

/// Stand time stopped.
public struct Paused: Equatable, Sendable {
    public var stamp: Stamp

    public init(stamp: Stamp) {
        self.stamp = stamp
    }
}

/// Stand time goes on.
public struct Resumed: Equatable, Sendable {
    public var stamp: Stamp

    public init(stamp: Stamp) {
        self.stamp = stamp
    }
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
