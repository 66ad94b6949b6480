/// How many notifications wait for a slow consumer, and which are dropped when there are more.
public enum NotificationBuffering: Sendable, Hashable {
    /// Keeps the newest `limit` notifications; drops the oldest.
    case newest(Int)
    /// Keeps the oldest `limit` notifications; drops those that come when these wait.
    case oldest(Int)
    /// Keeps all. ``TypedNotificationCenter/send(_:from:)`` suspends when `limit` wait, until no more than half as many
    /// do; other posts do not wait.
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
@usableFromInline
final class Posted<N: Sendable>: Sendable {
    let notification: N
    let sender: SenderIdentity?

    @usableFromInline
    init(_ notification: N, from sender: SenderIdentity? = nil) {
        self.notification = notification
        self.sender = sender
    }

    /// An object that is known to be one of these.
    static func cast(_ object: AnyObject) -> Posted { unsafe unsafeDowncast(object, to: Posted.self) }
}

/// Notifications that wait for one consumer, and how many were dropped.
struct NotificationBuffer: ~Copyable {
    /// A ``Posted`` notification, and how many were dropped right before it.
    typealias Element = (missed: Int, posted: any AnyObject & Sendable)

    let buffering: NotificationBuffering
    /// What waits, with its number: the dropped are counted, too.
    private var waiting = Ring<(number: Int, posted: any AnyObject & Sendable)>()
    private var lastNumber = 0
    private var lastTaken = 0
    private(set) var missed = 0

    init(_ buffering: NotificationBuffering) {
        buffering.check()
        self.buffering = buffering
    }

    var count: Int { waiting.count }

    /// Takes a notification in, or drops it; returns another that is dropped, to be released when no lock is held.
    mutating func append(_ posted: any AnyObject & Sendable) -> AnyObject? {
        lastNumber += 1
        var dropped: AnyObject?
        if count == buffering.capacity {
            missed += 1
            if case .oldest = buffering { return nil }
            dropped = waiting.popFirst()?.posted
        }
        waiting.append((lastNumber, posted))
        return dropped
    }

    /// Takes out what waits longest; `nil` if nothing waits.
    mutating func popFirst() -> Element? {
        guard let (number, posted) = waiting.popFirst() else { return nil }
        defer { lastTaken = number }
        return (number - lastTaken - 1, posted)
    }

    /// Takes out all that waits, to be released when no lock is held.
    mutating func removeAll() -> [Element] {
        var removed: [Element] = []
        while let next = popFirst() { removed.append(next) }
        return removed
    }
}
