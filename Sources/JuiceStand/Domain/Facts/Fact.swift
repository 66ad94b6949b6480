import NotificationBus

/// When a fact happened, and its position among all facts.
///
/// ```swift
/// let token = center.observe(Opened.self) { print("fact \($0.stamp.sequence) after \($0.stamp.time.seconds) s") }
/// ```
public struct Stamp: Codable, Equatable, Sendable {
    /// From 1, without a gap.
    public var sequence: UInt64
    /// Stand time since opening.
    public var time: SimulationTime

    /// Creates a stamp, for tests of observers.
    public init(sequence: UInt64, time: SimulationTime) {
        self.sequence = sequence
        self.time = time
    }
}

/// Something that happened at the stand: a struct in the past tense, stamped by the engine before it is announced.
///
/// `TypedNotification` has no requirements, so facts suit delegates and closures as well as the center.
package protocol Fact: TypedNotification {
    /// Its entry in ``FactKind``.
    static var kind: FactKind { get }

    /// When it happened.
    var stamp: Stamp { get }

    /// Calls the observer's method for this fact.
    func hand(to observer: any FactObserver)
}

/// The subject of facts.
package enum FactGroup: String, Sendable {
    /// Opening and closing.
    case stand
    /// Commands of users, and reloads.
    case commands
    /// Customers and their orders.
    case orders
    /// The level of a fruit.
    case stock
    /// Levels that cross their threshold.
    case alerts
    /// Orders at the supplier, and deliveries.
    case restock
}

/// How people take a fact. Displays show it by the style of the line.
package enum FactTone: Sendable {
    case plain
    /// One step of many.
    case detail
    case good
    case bad
    /// Somebody may have to act.
    case warning
    /// It happens seldom, and people may want to know.
    case news
}

/// A set of kinds of facts.
package struct FactSet: OptionSet, Sendable {
    /// One bit for each kind.
    package let rawValue: UInt32

    /// Creates a set from its bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates a set of these kinds.
    package init(_ kinds: FactKind...) { rawValue = kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

    /// Whether the set includes `kind`.
    @inline(__always)
    package func contains(_ kind: FactKind) -> Bool { rawValue >> UInt32(kind.rawValue) & 1 == 1 }

    /// Every kind.
    package static let all = FactKind.allCases.reduce(into: FactSet()) { $0.insert(FactSet($1)) }
}
