public import Dispatch

// Observers that are called elsewhere than on the poster's thread. A post does not wait for their calls. Parameters
// that the plain form has are described there.

extension TypedNotificationCenter {
    /// Calls `body` on a queue with every notification of a type, in the order of the posts of each thread.
    ///
    /// A block of the queue makes up to 64 calls, one after the other; whoever waits for a serial queue after a post
    /// has waited for the call. On a concurrent queue calls may overlap. ``ObservationToken/cancel()`` drops what is
    /// still waiting; what the queue has already taken out counts as running.
    ///
    /// `buffering` says how many notifications may wait, at least 1, and which are dropped beyond that.
    ///
    /// - Complexity: O(1) amortized. Each delivery takes a lock.
    public func observe<N: TypedNotification>(
        _ type: N.Type, on queue: DispatchQueue, buffering: NotificationBuffering = .unbounded,
        from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        let delivery = QueueDelivery(on: queue, buffering) { unsafe body(Posted<N>.cast($0).notification) }
        return begin(type, sender, replayingLatest, fileID, line, filling: delivery)
    }

    /// Calls `body` on the main actor with every notification of a type, in the order of the posts of each thread.
    ///
    /// As the form with a queue. The call comes later for posts from the main actor, too, so that there is one order.
    public func observeOnMainActor<N: TypedNotification>(
        _ type: N.Type, buffering: NotificationBuffering = .unbounded, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @MainActor @Sendable (N) -> Void
    ) -> ObservationToken {
        observe(
            type, on: .main, buffering: buffering, from: sender, replayingLatest: replayingLatest, fileID: fileID,
            line: line
        ) { notification in
            MainActor.assumeIsolated { body(notification) }
        }
    }

    /// Calls `body` on the main actor with an object and every notification of a type, until the object or the token is
    /// gone.
    ///
    /// The object is held weakly and kept alive during each call, so an object of the main actor may keep the token.
    /// The first call after its end removes the observation.
    public func observeOnMainActor<N: TypedNotification, Object: AnyObject & Sendable>(
        _ type: N.Type, with object: Object, buffering: NotificationBuffering = .unbounded,
        from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: @escaping @MainActor @Sendable (Object, N) -> Void
    ) -> ObservationToken {
        cancellable { cancel in
            observeOnMainActor(
                type, buffering: buffering, from: sender, replayingLatest: replayingLatest, fileID: fileID, line: line
            ) { [weak object] notification in
                if let object { body(object, notification) } else { cancel() }
            }
        }
    }
}

// MARK: - In the isolation of an actor

extension TypedNotificationCenter {
    /// Calls `body` in the isolation of an actor with every notification of a type, until the actor or the token is
    /// gone.
    ///
    /// `body` may use the actor's state:
    ///
    /// ```swift
    /// token = center.observe(StockChanged.self, with: self) { display, change in display.level = change.level }
    /// ```
    ///
    /// The next call begins when `body` has returned, awaited calls included; what is posted meanwhile waits. After
    /// ``ObservationToken/cancel()`` inside that isolation no call begins. ``ObservationToken/cancelAndWait()`` does
    /// not wait for calls of this form: it may be made in that isolation.
    ///
    /// The actor is held weakly and kept alive during each call, so it may keep the token. The first call after its end
    /// removes the observation.
    ///
    /// - Complexity: O(1) amortized. Each delivery takes a lock and resumes a task.
    public func observe<N: TypedNotification, Owner: Actor>(
        _ type: N.Type, with actor: Owner, buffering: NotificationBuffering = .unbounded,
        from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: @escaping @Sendable (isolated Owner, N) async -> Void
    ) -> ObservationToken {
        cancellable { cancel in
            let calls = IsolatedCalls(body, buffering)
            calls.start { [weak actor] in
                while let next = await calls.next(isolation: nil) {
                    guard let actor else { return cancel() }
                    await calls.call(in: actor, unsafe Posted<N>.cast(next).notification)
                }
            }
            return begin(type, sender, replayingLatest, fileID, line, filling: calls)
        }
    }

    /// As the form whose `body` may suspend.
    public func observe<N: TypedNotification, Owner: Actor>(
        _ type: N.Type, with actor: Owner, buffering: NotificationBuffering = .unbounded,
        from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: @escaping @Sendable (isolated Owner, N) -> Void
    ) -> ObservationToken {
        let suspending: @Sendable (isolated Owner, N) async -> Void = { body($0, $1) }
        return observe(
            type, with: actor, buffering: buffering, from: sender, replayingLatest: replayingLatest, fileID: fileID,
            line: line, using: suspending)
    }

    /// Calls `body` in the isolation of its caller with every notification of a type, one call after the other.
    ///
    /// ```swift
    /// token = center.observe(StockChanged.self, isolation: self) { change in level = change.level }
    /// ```
    ///
    /// The observation keeps the actor alive until the token is cancelled or released. An actor that keeps the token
    /// must cancel it, or observe with `observe(_:with:)`, whose calls are made as those of this form. What `body`
    /// captured is released by the thread that cancels.
    ///
    /// `isolation` is the caller's own: `self` in an actor, else `#isolation`.
    public func observe<N: TypedNotification>(
        _ type: N.Type, isolation: isolated any Actor, buffering: NotificationBuffering = .unbounded,
        from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: nonisolated(nonsending) @escaping (N) async -> Void
    ) -> ObservationToken {
        let calls = IsolatedCalls<nonisolated(nonsending) (N) async -> Void>(body, buffering)
        calls.start { await calls.makeAll(in: isolation) }
        return begin(type, sender, replayingLatest, fileID, line, filling: calls)
    }

    /// Calls `body` with every notification of a type, one call after the other, where the caller has no isolation.
    ///
    /// The calls come in `isolation` if it is an actor after all, else on the shared pool of threads. `body` is
    /// `@Sendable`, because nothing keeps it apart from the caller.
    public func observe<N: TypedNotification>(
        _ type: N.Type, isolation: (any Actor)?, buffering: NotificationBuffering = .unbounded,
        from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: nonisolated(nonsending) @escaping @Sendable (N) async -> Void
    ) -> ObservationToken {
        let calls = IsolatedCalls<nonisolated(nonsending) (N) async -> Void>(body, buffering)
        calls.start { await calls.makeAll(in: isolation) }
        return begin(type, sender, replayingLatest, fileID, line, filling: calls)
    }
}

/// A closure that a task calls in an isolation with what a buffer gets, until the observation ends.
///
/// Unchecked because `Body` need not be Sendable. It is called in the isolation alone in which it was made; only its
/// release may happen elsewhere.
private final class IsolatedCalls<Body>: SequenceBuffer, @unchecked Sendable {
    private let own = Locked<(body: Body?, task: Task<Void, Never>?)>((nil, nil))

    init(_ body: Body, _ buffering: NotificationBuffering) {
        super.init(buffering)
        own.withLock { $0.body = body }
    }

    private var body: Body? { own.withLock { $0.body } }

    /// Starts the task, before anybody can cancel.
    func start(_ makeCalls: @escaping @Sendable () async -> Void) {
        let task = Task {
            await makeCalls()
            cancel()
        }
        own.withLock { $0.task = task }
    }

    override func cancel() {
        super.cancel()
        let ended = own.withLock { own in
            defer { own.body = nil }
            return own
        }
        ended.task?.cancel()
        withExtendedLifetime(ended) {}
    }
}

extension IsolatedCalls {
    /// In the actor's isolation, so that no call begins after a cancellation there.
    func call<N: Sendable, Owner: Actor>(in actor: isolated Owner, _ notification: N) async
    where Body == @Sendable (isolated Owner, N) async -> Void {
        if let body { await body(actor, notification) }
    }

    func makeAll<N: TypedNotification>(in isolation: isolated (any Actor)?) async
    where Body == nonisolated(nonsending) (N) async -> Void {
        while let next = await next(isolation: isolation), let body {
            await body(unsafe Posted<N>.cast(next).notification)
        }
    }
}
