/// How many notifications wait for a slow consumer, and which are dropped when there are more.
public enum NotificationBuffering: Sendable, Hashable {
    /// Keeps the newest `limit` notifications; drops the oldest.
    case newest(Int)
    /// Keeps the oldest `limit` notifications; drops new ones while `limit` wait.
    case oldest(Int)
    /// Keeps all. ``TypedNotificationCenter/send(_:from:)`` suspends when `limit` wait, until at most half of `limit`
    /// wait; other posts do not wait.
    case suspending(Int)

    /// Keeps everything, however slow the consumer is.
    public static var unbounded: NotificationBuffering { .oldest(.max) }

    var limit: Int {
        switch self {
        case .newest(let limit), .oldest(let limit), .suspending(let limit): limit
        }
    }

    /// How many may wait before others are dropped.
    var capacity: Int {
        if case .suspending = self { return .max }
        return limit
    }

    func check() {
        precondition(limit > 0, "a buffer must hold at least 1 notification, not \(limit)")
    }
}

/// A notification in an object of its own, for what keeps notifications without knowing their type.
///
/// Unchecked because a channel changes the notification under its lock, while nobody else has the object.
@usableFromInline
final class Posted<N: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var notification: N
    let sender: SenderIdentity?

    @usableFromInline
    init(_ notification: N, from sender: SenderIdentity? = nil) {
        unsafe self.notification = notification
        self.sender = sender
    }

    /// `object` as a `Posted`, without a check.
    @inlinable
    static func cast(_ object: AnyObject) -> Posted { unsafe unsafeDowncast(object, to: Posted.self) }
}

/// ``Posted`` notifications that wait for one consumer, and how many were dropped.
struct NotificationBuffer: ~Copyable {
    typealias Element = any AnyObject & Sendable

    let buffering: NotificationBuffering
    private var waiting = Ring<Element>()
    private(set) var missed = 0

    init(_ buffering: NotificationBuffering) {
        buffering.check()
        self.buffering = buffering
    }

    var count: Int { waiting.count }

    /// Takes a notification in, or drops it; returns another that is dropped, to be released when no lock is held.
    mutating func append(_ posted: Element) -> Element? {
        var dropped: Element?
        if count == buffering.capacity {
            missed += 1
            if case .oldest = buffering { return nil }
            dropped = waiting.popFirst()
        }
        waiting.append(posted)
        return dropped
    }

    /// Takes out the oldest notification; `nil` if none waits.
    mutating func popFirst() -> Element? { waiting.popFirst() }

    /// Takes out all notifications, to be released when no lock is held.
    mutating func removeAll() -> [Element] {
        var removed: [Element] = []
        while let next = popFirst() { removed.append(next) }
        return removed
    }
}
