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
    /// Whether a center keeps the latest value posted, for observers that come late.
    ///
    /// `false` unless a type says otherwise, in which case it costs its posts nothing. Where it is `true`,
    /// ``TypedNotificationCenter/latest(_:)`` reads the value, an observer can start with it, and each post
    /// takes the lock that makes the two agree.
    ///
    /// The answer must always be the same for a type.
    static var keepsLatest: Bool { get }
}

extension TypedNotification {
    /// `false`: nothing is kept.
    @inlinable
    public static var keepsLatest: Bool { false }
}
