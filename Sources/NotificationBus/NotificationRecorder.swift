/// Keeps what is posted, for tests.
///
/// ```swift
/// let served = NotificationRecorder(of: OrderServed.self, at: center)
/// stand.serve()
/// #expect(served.notifications.map(\.cups) == [2])
/// ```
public final class NotificationRecorder<N: TypedNotification>: Sendable {
    private final class Kept: Sendable {
        let notifications = Guarded<[N]>([])
    }

    private let kept = Kept()
    private let token: ObservationToken

    /// Begins to observe; the recorder observes for as long as it exists.
    ///
    /// - Complexity: O(1) amortized.
    public init(
        of type: N.Type, at center: TypedNotificationCenter, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        token = center.observe(type, fileID: fileID, line: line) { [kept] notification in
            kept.notifications.withLock { $0.append(notification) }
        }
    }

    /// What was posted so far, in the order in which it was delivered.
    ///
    /// - Complexity: O(1).
    public var notifications: [N] { kept.notifications.withLock { $0 } }

    /// Forgets what was posted so far.
    ///
    /// - Complexity: O(*n*) in the number of notifications.
    public func removeAll() {
        let before = kept.notifications.withLock { notifications in
            defer { notifications = [] }
            return notifications
        }
        withExtendedLifetime(before) {}
    }
}
