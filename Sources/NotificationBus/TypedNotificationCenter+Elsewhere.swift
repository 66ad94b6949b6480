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
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*). Each delivery takes a lock and
    ///   allocates.
    public func observe<N: TypedNotification>(
        _ type: N.Type, on queue: DispatchQueue, buffering: NotificationBuffering = .unbounded,
        priority: ObserverPriority = .normal, from sender: AnyObject? = nil, replayingLatest: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line, using body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        buffering.check()
        if case .suspending = buffering { preconditionFailure("a queue cannot suspend a poster; a sequence can") }
        let calls = LaterCalls(on: queue, buffering, body)
        let feed = RelayFeed(calls)
        return begin(type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line, relay: calls) {
            feed.calls.call($0)
        }
    }

    /// Calls `body` on the main actor with every notification of a type, in the order of the posts of each thread.
    ///
    /// The call comes later, from the main queue, for posts from the main actor too, so that there is one order. The
    /// other parameters are those of the form with a queue.
    ///
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*). Each delivery takes a lock and
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
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*).
    @MainActor
    public func observeSynchronouslyOnMainActor<N: TypedNotification>(
        _ type: N.Type, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @MainActor @Sendable (N) -> Void
    ) -> ObservationToken {
        begin(type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line) { notification in
            MainActor.assumeIsolated { body(notification) }
        }
    }

    /// Calls `body` in the isolation of its caller with every notification of a type, one call after the other.
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
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*). Each delivery takes a lock and
    ///   resumes a task.
    public func observe<N: TypedNotification>(
        _ type: N.Type, isolation: isolated any Actor, buffering: NotificationBuffering = .unbounded,
        priority: ObserverPriority = .normal, from sender: AnyObject? = nil, replayingLatest: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line,
        using body: nonisolated(nonsending) @escaping (N) async -> Void
    ) -> ObservationToken {
        buffering.check()
        let mailbox = Mailbox<N>(buffering)
        let task = Task { await mailbox.forward(isolation: isolation, to: body) }
        return begin(type, priority, sender, replayingLatest, fileID, line, mailbox, buffering, task)
    }

    /// Calls `body` with every notification of a type, one call after the other, where the caller has no isolation.
    ///
    /// The calls come in `isolation` if it is an actor after all, else on the shared pool of threads. `body` is
    /// `@Sendable`, because nothing keeps it apart from the caller. All else is as in an actor.
    ///
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*). Each delivery takes a lock and
    ///   resumes a task.
    public func observe<N: TypedNotification>(
        _ type: N.Type, isolation: (any Actor)?, buffering: NotificationBuffering = .unbounded,
        priority: ObserverPriority = .normal, from sender: AnyObject? = nil, replayingLatest: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line,
        using body: nonisolated(nonsending) @escaping @Sendable (N) async -> Void
    ) -> ObservationToken {
        buffering.check()
        let mailbox = Mailbox<N>(buffering)
        let task = Task { await mailbox.forward(isolation: isolation, to: body) }
        return begin(type, priority, sender, replayingLatest, fileID, line, mailbox, buffering, task)
    }

    private func begin<N: TypedNotification>(
        _ type: N.Type, _ priority: ObserverPriority, _ sender: AnyObject?, _ replayingLatest: Bool,
        _ fileID: StaticString, _ line: UInt, _ mailbox: Mailbox<N>,
        _ buffering: NotificationBuffering, _ task: Task<Void, Never>
    ) -> ObservationToken {
        let feed = MailboxFeed(mailbox)
        admit(mailbox, buffering)
        return begin(
            type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line, relay: TaskRelay(task)
        ) {
            feed.mailbox.put($0)
        }
    }
}

extension Mailbox {
    /// Calls `body` in an isolation with each letter, until the task is cancelled or the mailbox finished.
    fileprivate func forward(
        isolation: isolated (any Actor)?, to body: nonisolated(nonsending) (N) async -> Void
    ) async {
        while let letter = await next(isolation: isolation), !Task.isCancelled { await body(letter.notification) }
    }
}
