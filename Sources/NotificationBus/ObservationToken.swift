import Synchronization

/// An observation, for whoever began it. It lasts as long as the token, unless it is cancelled before.
///
/// Keep the token for as long as notifications are wanted: releasing the last reference cancels. A property keeps it,
/// and so does a set (`store(in:)`). A local variable keeps it only up to its last use; end with
/// ``cancel()`` or `withExtendedLifetime(_:_:)` there.
///
/// A token does not keep its center alive. The two may go away in any order.
public final class ObservationToken: Sendable {
    private let channel: Channel
    private let relay: (any Relay)?
    /// The observation's key, with `cancelled` set once it is cancelled.
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

    /// Ends the observation; calling it again does nothing.
    ///
    /// After it has returned:
    /// - No post decides to call the observer any more. That holds on every thread, for posts under way too.
    /// - On another thread a post may have decided on its call before. That call counts as running: it may begin and
    ///   end after `cancel()` has returned. ``cancelAndWait()`` waits for it.
    /// - A post of this thread does not call the observer again.
    ///
    /// What the observer captured is released before this returns. If a post is calling the observer, the captures are
    /// released when the post ends: by that post's thread, or by one that cancels an observer of the type at that
    /// moment.
    ///
    /// - Complexity: O(log *n*) amortized in the number of observers of the type, and O(*t*) in the number of live
    ///   threads that have posted. If there is such a thread besides this one, it asks the system for a memory barrier
    ///   on all threads. Cancellations of one type wait for each other.
    public func cancel() {
        let before = key.bitwiseOr(Self.cancelled, ordering: .acquiringAndReleasing).oldValue
        // Also if it was cancelled before: another thread may be in the middle of that, and no post may decide on a
        // call after this caller's return either.
        channel.remove(before & ~Self.cancelled)
        relay?.end()
    }

    /// Ends the observation and waits until no other thread is calling its observer, or about to.
    ///
    /// After it has returned no call begins on any thread, and none is running on another thread.
    ///
    /// Inside the observer it does not wait for the very call it is made from. Two observers on two threads that wait
    /// for each other wait forever, as with a lock; so does waiting with something in hand that the observer needs.
    ///
    /// - Complexity: that of ``cancel()``, and the time of the calls that are running.
    public func cancelAndWait() {
        cancel()
        channel.waitForCalls(of: key.load(ordering: .acquiring) & ~Self.cancelled)
        relay?.waitForCalls()
    }
}

// MARK: - Keeping several

extension ObservationToken: Hashable {
    /// Whether two references are to the same token.
    public static func == (left: ObservationToken, right: ObservationToken) -> Bool { left === right }

    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }

    /// Keeps the token in a set, so that one property ends several observations.
    public func store(in tokens: inout Set<ObservationToken>) {
        tokens.insert(self)
    }

    /// Keeps the token at the end of a collection, such as an array.
    public func store(in tokens: inout some RangeReplaceableCollection<ObservationToken>) {
        tokens.append(self)
    }
}
