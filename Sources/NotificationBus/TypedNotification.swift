/// A fact that can be posted to whoever observes its type.
///
/// A notification is best a small struct named in the past tense. Conforming takes no member:
///
/// ```swift
/// struct StockChanged: TypedNotification {
///     var fruit: String
///     var level: Int
/// }
/// ```
public protocol TypedNotification: Sendable {
    /// For the center alone: conform to ``KeptNotification`` instead of implementing this. Unlike a cast to that
    /// protocol it costs a post nothing.
    static var _keepsLatest: Bool { get }
}

extension TypedNotification {
    /// `false`: nothing is kept.
    @inlinable public static var _keepsLatest: Bool { false }
}

/// A notification whose latest value a center keeps, for observers that come late.
///
/// ```swift
/// struct StockLevels: KeptNotification {
///     var levels: [String: Int]
/// }
/// ```
///
/// ``TypedNotificationCenter/latest(_:)`` reads the value, and an observer can start with it (`replayingLatest:`). Each
/// post takes the lock that makes the two agree.
public protocol KeptNotification: TypedNotification {}

extension KeptNotification {
    /// `true`: the latest value is kept.
    @inlinable public static var _keepsLatest: Bool { true }
}
