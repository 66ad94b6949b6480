import Synchronization

/// Cancels its observation when it is released.
///
/// Keep the token for as long as notifications are wanted: in a property, or several in an array. A local variable
/// keeps it only up to its last use; end with ``cancel()`` or `withExtendedLifetime(_:_:)` there.
///
/// A token does not keep its center alive. The two may go away in any order.
public final class ObservationToken: Sendable {
    private let channel: Channel
    private let mailbox: Mailbox?
    /// The observation's key, with `cancelled` set once it is cancelled.
    private let key: Atomic<UInt>

    private static let cancelled: UInt = 1 << 63

    init(_ channel: Channel, _ key: UInt, _ mailbox: Mailbox? = nil) {
        self.channel = channel
        self.key = Atomic(key)
        self.mailbox = mailbox
    }

    deinit {
        if key.load(ordering: .acquiring) & Self.cancelled == 0 { cancel() }
    }

    /// Tells the observation from others.
    public var identity: ObservationIdentity {
        ObservationIdentity(key: key.load(ordering: .relaxed) & ~Self.cancelled)
    }

    /// Ends the observation; calling it again does nothing.
    ///
    /// After it has returned:
    /// - No post decides to call the observer any more. That holds on every thread, for posts under way too.
    /// - On another thread a post may have decided on its call before. That call counts as running: it may begin and
    ///   end after `cancel()` has returned. ``cancelAndWait()`` waits for it.
    ///
    /// What the observer captured is released before this returns; if a call is running, when its post, or the call on
    /// its queue or actor, ends.
    ///
    /// Cancellations of one type wait for each other. If another live thread has posted, the system makes a memory
    /// barrier on all threads.
    ///
    /// - Complexity: O(log *n*) amortized in the number of observers of the type, and O(*t*) in that of such threads.
    public func cancel() {
        let before = key.bitwiseOr(Self.cancelled, ordering: .acquiringAndReleasing).oldValue
        // Also if it was cancelled before: another thread may be in the middle of that, and no post may decide on a
        // call after this caller's return either.
        channel.remove(before & ~Self.cancelled)
        mailbox?.cancel()
    }

    /// Ends the observation and waits until no other thread is calling its observer, or about to.
    ///
    /// After it has returned no call begins on any thread, and none is running on another thread.
    ///
    /// Inside the observer it does not wait for the very call it is made from. Two observers on two threads that wait
    /// for each other wait forever, as with a lock; so does waiting with something in hand that the observer needs.
    public func cancelAndWait() {
        cancel()
        channel.waitForCalls(of: identity.key)
        mailbox?.waitForCalls()
    }
}
