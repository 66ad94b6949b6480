import Platform

extension TypedNotificationCenter {
    /// Calls `body` with every notification of a type posted from now on, until the token is cancelled or released.
    ///
    /// - Parameters:
    ///   - type: The notification to observe.
    ///   - priority: Higher goes first; among equals, who began to observe first.
    ///   - sender: With an object here, only what is posted in its name is delivered. It is not kept alive.
    ///   - replayingLatest: With `true`, and a type that keeps its latest value, the observer first gets that value, and
    ///     then in order whatever is posted in the meantime, all on this thread and before this method returns; then it
    ///     observes like the others. Nothing is missed, doubled or out of order, and no poster waits for it.
    ///   - fileID: What the diagnostics name as the place of the observation.
    ///   - line: The line of that place.
    ///   - body: Called on the thread of each poster, so by several at a time when several post.
    /// - Returns: The observation, which ends with it.
    /// - Complexity: O(1) amortized; O(*n*) where an observer of lower priority is there already.
    public func observe<N: TypedNotification>(
        _ type: N.Type, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        begin(type, priority, sender, replayingLatest, fileID, line, body).token
    }

    /// Calls a `body` that may throw with every notification of a type; an error becomes a notification.
    ///
    /// What it throws is posted as ``ObserverFailed`` right away. The other observers are called all the same, and the poster
    /// learns nothing of it. The parameters are those of the form that does not throw.
    ///
    /// - Complexity: O(1) amortized; O(*n*) where an observer of lower priority is there already.
    public func observe<N: TypedNotification>(
        _ type: N.Type, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (N) throws -> Void
    ) -> ObservationToken {
        begin(type, priority, sender, replayingLatest, fileID, line) { [weak self] notification in
            do {
                try body(notification)
            } catch {
                guard N.self != ObserverFailed.self else { return }
                let place = ObservationPlace(fileID, UInt32(clamping: line))
                self?.post(ObserverFailed(notification: N.self, place: place, error: error))
            }
        }.token
    }

    /// Calls `body` with an object and every notification of a type, until the object is gone or the token is.
    ///
    /// The object is held weakly, and kept alive during each call. The other parameters are those of the form without it.
    ///
    /// - Complexity: O(1) amortized; O(*n*) where an observer of lower priority is there already. Each delivery loads a weak
    ///   reference.
    public func observe<N: TypedNotification, Object: AnyObject & Sendable>(
        _ type: N.Type, with object: Object, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (Object, N) -> Void
    ) -> ObservationToken {
        let ending = Ending()
        let (token, key) = begin(type, priority, sender, replayingLatest, fileID, line) { [weak object] notification in
            if let object { body(object, notification) } else { ending.end() }
        }
        ending.arm(channel(for: type), key)
        return token
    }

    /// Begins an observation of any kind.
    func begin<N: TypedNotification>(
        _ type: N.Type, _ priority: ObserverPriority, _ sender: AnyObject?, _ replayingLatest: Bool,
        _ fileID: StaticString, _ line: UInt, relay: (any Relay)? = nil, _ body: @escaping @Sendable (N) -> Void
    ) -> (token: ObservationToken, key: UInt64) {
        let channel = channel(for: type)
        // A closure that went through an optional or a tuple would come out wrapped, and every call would pay for it.
        let observer: Body<N>
        if let sender {
            observer = Body(fileID, line, narrowed(body, to: sender))
        } else {
            observer = Body(fileID, line, body)
        }
        let (key, count) =
            replayingLatest && N.keepsLatest
            ? catchUp(channel, priority, sender, body, observer) : channel.insert(observer, priority)
        let token = ObservationToken(channel, key, relay: relay)
        watch.counted(count, of: type, fileID, line, by: self)
        return (token, key)
    }

    private func narrowed<N>(
        _ body: @escaping @Sendable (N) -> Void, to sender: AnyObject
    ) -> @Sendable (N) -> Void {
        let identity = SenderIdentity(sender)
        return { notification in
            if PostingThread.currentSender == identity.address { body(notification) }
        }
    }
}
