public import Dispatch

extension TypedNotificationCenter {
    /// Calls `body` on a queue with every notification of a type, in the order of the posts of each thread.
    ///
    /// The post returns without waiting for the call. ``ObservationToken/cancel()`` drops what is still in the queue; what the
    /// queue has already taken out counts as running. The other parameters are those of the form without a queue.
    ///
    /// The queue grows without bound if observers are slower than posters; a ``NotificationSequence`` is bounded.
    ///
    /// - Complexity: O(1) amortized; O(*n*) where an observer of lower priority is there already. Each delivery allocates.
    public func observe<N: TypedNotification>(
        _ type: N.Type, on queue: DispatchQueue, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        let calls = LaterCalls(body)
        let feed = RelayFeed(calls)
        return begin(type, priority, sender, replayingLatest, fileID, line, relay: calls) { notification in
            let calls = feed.calls
            queue.async { calls.call(notification) }
        }.token
    }

    /// Calls `body` on the main actor with every notification of a type, in the order of the posts of each thread.
    ///
    /// The call is always made later, from the main queue, also for posts from the main actor itself, so that there is one
    /// order. Otherwise it is as with a queue.
    ///
    /// - Complexity: O(1) amortized; O(*n*) where an observer of lower priority is there already. Each delivery allocates.
    public func observeOnMainActor<N: TypedNotification>(
        _ type: N.Type, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @MainActor @Sendable (N) -> Void
    ) -> ObservationToken {
        observe(
            type, on: .main, priority: priority, from: sender, replayingLatest: replayingLatest, fileID: fileID,
            line: line
        ) { notification in
            MainActor.assumeIsolated { body(notification) }
        }
    }
}
