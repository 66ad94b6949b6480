import Synchronization

/// An observation, for whoever began it. It lasts as long as the token, unless it is cancelled before.
///
/// Keep the token for as long as notifications are wanted: releasing the last reference cancels. A property keeps it,
/// and so does an ``ObservationBag``. A local variable keeps it only up to its last use; end with
/// ``cancel()`` or `withExtendedLifetime(_:_:)` there.
///
/// A token does not keep its center alive. The two may go away in any order.
public final class ObservationToken: Sendable {
    let channel: Channel
    private let relay: (any Relay)?
    /// The observation's key, with `cancelled` set once it is cancelled.
    private let key: Atomic<UInt64>

    private static let cancelled: UInt64 = 1 << 47

    /// What stands for the observer in its channel.
    var observer: UInt64 { key.load(ordering: .acquiring) & ~Self.cancelled }

    private var isCancelled: Bool { key.load(ordering: .acquiring) & Self.cancelled != 0 }

    init(_ added: (channel: Channel, key: UInt64), relay: (any Relay)? = nil) {
        channel = added.channel
        self.relay = relay
        key = Atomic(added.key)
    }

    deinit {
        if !isCancelled { cancel() }
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
        channel.waitForCalls(of: observer)
        relay?.waitForCalls()
    }
}

// MARK: - Pausing

extension ObservationToken {
    /// Stops the calls until ``resume()``. The observer keeps its place in the order of delivery.
    ///
    /// The newest `count` notifications that come meanwhile are kept. Older ones are dropped and counted. A call that a
    /// post has decided on before may still run, as with ``cancel()``. Pausing a paused observation changes nothing.
    ///
    /// - Complexity: that of ``cancel()``.
    public func pause(keepingNewest count: Int = 0) {
        precondition(count >= 0, "a pause cannot keep \(count) notifications")
        channel.exchange(observer) { $0.paused(keepingNewest: count) }
    }

    /// Continues after a pause, and returns how many notifications were dropped.
    ///
    /// Calls the observer with what was kept, on this thread and in order, before it is called with anything newer.
    ///
    /// - Complexity: that of ``cancel()``, and the time of the calls.
    @discardableResult
    public func resume() -> Int {
        guard let pause = channel.pause(of: observer) else { return 0 }
        let dropped = pause.end { isCancelled }
        channel.exchange(observer) { $0.pause === pause ? pause.body : nil }
        return dropped
    }
}
