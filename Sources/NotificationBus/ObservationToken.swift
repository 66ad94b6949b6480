import Synchronization

/// An observation as whoever began it holds it: it lasts as long as the token, unless it is cancelled before.
///
/// Keep the token for as long as notifications are wanted; releasing the last reference cancels. A property keeps it; a local
/// variable does so only up to its last use, so end with ``cancel()`` or `withExtendedLifetime(_:_:)` there.
///
/// A token does not keep its center, and neither does it matter which of the two goes away first.
public final class ObservationToken: Sendable {
    private let channel: Channel
    private let relay: (any Relay)?
    /// The observation's key, with `cancelled` set once it is.
    private let key: Atomic<UInt64>

    private static let cancelled: UInt64 = 1 << 47

    init(_ channel: Channel, _ key: UInt64, relay: (any Relay)? = nil) {
        self.channel = channel
        self.relay = relay
        self.key = Atomic(key)
    }

    deinit {
        if key.load(ordering: .acquiring) & Self.cancelled == 0 { cancel() }
    }

    /// Ends the observation at once; calling it again does nothing.
    ///
    /// After it has returned no new call of the observer begins, on no thread, not even in a post under way. A call that is
    /// running on another thread may finish later: ``cancelAndWait()`` waits for it. What the observer captured is released
    /// before this returns, or when the post that is calling it ends, on that post's thread.
    ///
    /// - Complexity: O(log *n*) amortized in the number of observers of the type, and O(*t*) in the number of threads that
    ///   have posted. Where others have, it asks the system for a barrier on all threads, some microseconds on a busy machine.
    public func cancel() {
        let before = key.bitwiseOr(Self.cancelled, ordering: .acquiringAndReleasing).oldValue
        // Also where it was cancelled before: whoever did so may be in the middle of it on another thread, and this caller
        // too relies on no call beginning from here on.
        channel.remove(before & ~Self.cancelled)
        relay?.end()
    }

    /// Ends the observation and waits until no other thread is calling its observer.
    ///
    /// Inside the observer it does not wait for the very call it is made from. Two observers on two threads that wait for
    /// each other wait forever, as with a lock; so does waiting with something in hand that the observer needs.
    ///
    /// - Complexity: that of ``cancel()``, and the time of the calls that are running.
    public func cancelAndWait() {
        cancel()
        channel.waitForCalls(of: key.load(ordering: .acquiring) & ~Self.cancelled)
        relay?.waitForCalls()
    }
}
