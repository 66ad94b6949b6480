public import Dispatch

// Observers that are called elsewhere than on the poster's thread.

extension TypedNotificationCenter {
    /// Calls `body` on a queue with every notification of a type, in the order of the posts of each thread.
    ///
    /// The post does not wait for the call. On a concurrent queue calls may overlap. ``ObservationToken/cancel()``
    /// drops what is still waiting; what the queue has already taken out counts as running. The other parameters are
    /// those of the form without a queue.
    ///
    /// `buffering` says how many notifications may wait, at least 1, and which are dropped beyond that.
    ///
    /// - Complexity: O(1) amortized; O(*n*) if there is an observer of lower priority. Each delivery takes a lock and
    ///   allocates.
    public func observe<N: TypedNotification>(
        _ type: N.Type, on queue: DispatchQueue, buffering: NotificationBuffering = .unbounded,
        priority: ObserverPriority = .normal, from sender: AnyObject? = nil, replayingLatest: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line, using body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        buffering.check()
        let calls = LaterCalls(on: queue, buffering, body)
        let feed = RelayFeed(calls)
        return begin(type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line, relay: calls) {
            feed.calls.call($0)
        }.token
    }

    /// Calls `body` on the main actor with every notification of a type, in the order of the posts of each thread.
    ///
    /// The call comes later, from the main queue, for posts from the main actor too, so that there is one order. The
    /// other parameters are those of the form with a queue.
    ///
    /// - Complexity: O(1) amortized; O(*n*) if there is an observer of lower priority. Each delivery takes a lock and
    ///   allocates.
    public func observeOnMainActor<N: TypedNotification>(
        _ type: N.Type, buffering: NotificationBuffering = .unbounded, priority: ObserverPriority = .normal,
        from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: @escaping @MainActor @Sendable (N) -> Void
    ) -> ObservationToken {
        observe(
            type, on: .main, buffering: buffering, priority: priority, from: sender, replayingLatest: replayingLatest,
            fileID: fileID, line: line
        ) { notification in
            MainActor.assumeIsolated { body(notification) }
        }
    }

    /// Calls `body` on the main actor with every notification of a type, before the post returns.
    ///
    /// The type must be posted from the main actor alone: a post on another thread ends the program. The other
    /// parameters are those of ``observeOnMainActor(_:buffering:priority:from:replayingLatest:fileID:line:using:)``.
    ///
    /// - Complexity: O(1) amortized; O(*n*) if there is an observer of lower priority.
    @MainActor
    public func observeSynchronouslyOnMainActor<N: TypedNotification>(
        _ type: N.Type, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @MainActor @Sendable (N) -> Void
    ) -> ObservationToken {
        begin(type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line) { notification in
            MainActor.assumeIsolated { body(notification) }
        }.token
    }

    /// Calls `body` in the isolation of its caller with every notification of a type, one after the other.
    ///
    /// Inside an actor, `body` may use the actor's state:
    ///
    /// ```swift
    /// token = center.observe(StockChanged.self, isolation: self) { change in level = change.level }
    /// ```
    ///
    /// The post does not wait. The next call begins when `body` has returned, awaited calls included. What is posted
    /// meanwhile waits in a buffer. After ``ObservationToken/cancel()`` inside that isolation no call begins.
    /// ``ObservationToken/cancelAndWait()`` does not wait for calls of this form: it may be made in that isolation.
    ///
    /// The observation keeps the actor alive until the token is cancelled or released. An actor that keeps the token
    /// must cancel it. The other parameters are those of the form with a queue.
    ///
    /// `isolation` is the caller's own: `self` in an actor, else `#isolation`. `buffering` says how many notifications
    /// may wait, at least 1, and which are dropped beyond that.
    ///
    /// - Complexity: O(1) amortized; O(*n*) if there is an observer of lower priority. Each delivery takes a lock and
    ///   resumes a task.
    public func observe<N: TypedNotification>(
        _ type: N.Type, isolation: isolated (any Actor)?, buffering: NotificationBuffering = .unbounded,
        priority: ObserverPriority = .normal, from sender: AnyObject? = nil, replayingLatest: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line, using body: @escaping (N) async -> Void
    ) -> ObservationToken {
        buffering.check()
        let mailbox = Mailbox<N>(buffering)
        let feed = MailboxFeed(mailbox)
        let task = Task {
            _ = isolation
            while let letter = await mailbox.next(isolation: isolation), !Task.isCancelled {
                await body(letter.notification)
            }
        }
        return begin(
            type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line, relay: TaskRelay(task)
        ) {
            feed.mailbox.put($0)
        }.token
    }
}
