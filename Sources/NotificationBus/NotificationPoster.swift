public import Synchronization

/// Posts notifications of one type to one center, without looking the type up each time.
///
/// ```swift
/// let changes = center.poster(of: StockChanged.self)
/// changes.post(StockChanged(fruit: "banana", level: 8))
/// ```
///
/// Its posts are those of the center in every respect. It may be copied and used on any thread, and keeps the center
/// alive.
public struct NotificationPoster<N: TypedNotification>: Sendable {
    @usableFromInline let center: TypedNotificationCenter
    @usableFromInline let channel: Channel

    init(_ center: TypedNotificationCenter, _ channel: Channel) {
        self.center = center
        self.channel = channel
    }

    /// Delivers a notification to every observer of its type, as ``TypedNotificationCenter/post(_:)`` does.
    ///
    /// - Complexity: O(*n*) in the number of observers of the type.
    @inlinable @inline(__always)
    public func post(_ notification: N) {
        unsafe deliver(notification, from: 0)
    }

    /// Delivers a notification in the name of `sender`, as ``TypedNotificationCenter/post(_:from:)`` does.
    ///
    /// - Complexity: O(*n*) in the number of observers of the type.
    @inlinable @inline(__always)
    public func post(_ notification: N, from sender: AnyObject) {
        unsafe deliver(notification, from: UInt(bitPattern: ObjectIdentifier(sender)))
    }

    @inlinable @inline(__always) @unsafe
    func deliver(_ notification: N, from sender: UInt) {
        if N.keepsLatest { return unsafe center.deliver(notification, from: sender) }
        let (frame, isReady) = unsafe PostingFrame.current
        guard isReady, !center.isCareful.load(ordering: .acquiring) else {
            return unsafe center.deliverWithFences(notification, from: sender)
        }
        unsafe center.deliver(notification, from: sender, over: .passUnretained(channel), frame, isFenced: false)
        withExtendedLifetime(self) {}
    }
}

extension TypedNotificationCenter {
    /// A handle for posting notifications of one type, for code that posts many of them.
    ///
    /// - Complexity: O(1) amortized.
    public func poster<N: TypedNotification>(of type: N.Type) -> NotificationPoster<N> {
        NotificationPoster(self, channel(for: type))
    }
}
