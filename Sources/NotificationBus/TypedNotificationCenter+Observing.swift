extension TypedNotificationCenter {
    /// Calls `body` with every notification of a type posted from now on, until the token is cancelled or released.
    ///
    /// `body` runs on the thread of each poster, so several threads may call it at once. It gets the posts whose static
    /// type is `type`; posts of subclasses or superclasses do not reach it. An object that keeps the token and that
    /// `body` captures strongly is never freed: capture it weakly or unowned, or use
    /// ``observe(_:with:priority:from:replayingLatest:fileID:line:using:)``.
    ///
    /// - Parameters:
    ///   - type: The notification to observe.
    ///   - priority: Observers of higher priority are called first, equal ones in the order in which they began to
    ///     observe.
    ///   - sender: If given, only posts in the name of this object are delivered. The center does not keep it alive.
    ///   - replayingLatest: Whether the observer first gets the latest value, if the type keeps it. It also gets, in
    ///     order, what others post meanwhile. All that happens on this thread, before this method returns. Then it
    ///     observes like the others, without a gap or a duplicate. No poster waits for it.
    ///   - fileID: The file that diagnostics name as the place of the observation.
    ///   - line: The line of that place.
    ///   - body: What to call.
    /// - Returns: The observation. It ends with the token.
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*).
    public func observe<N: TypedNotification>(
        _ type: N.Type, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        begin(type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line, body)
    }

    /// Calls a `body` that may throw with every notification of a type; an error becomes a notification.
    ///
    /// The center posts the error as ``ObserverFailed`` before it calls the next observer. The other observers are
    /// called all the same, and the poster learns nothing of it. The parameters are those of the form that does not
    /// throw.
    ///
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*).
    public func observe<N: TypedNotification>(
        _ type: N.Type, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (N) throws -> Void
    ) -> ObservationToken {
        begin(type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line) { [weak self] notification in
            do {
                try body(notification)
            } catch {
                guard N.self != ObserverFailed.self else { return }
                let place = ObservationPlace(fileID, UInt32(clamping: line))
                self?.post(ObserverFailed(notification: N.self, place: place, error: error))
            }
        }
    }

    /// Calls `body` with an object and every notification of a type, until the object or the token is gone.
    ///
    /// The object is held weakly and kept alive during each call. The first post after its end removes the observation.
    /// The other parameters are those of the form without an object.
    ///
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*). Each delivery loads a weak
    ///   reference.
    public func observe<N: TypedNotification, Object: AnyObject & Sendable>(
        _ type: N.Type, with object: Object, priority: ObserverPriority = .normal, from sender: AnyObject? = nil,
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (Object, N) -> Void
    ) -> ObservationToken {
        let ending = Ending()
        let token = begin(
            type, priority, SenderIdentity(of: sender), replayingLatest, fileID, line
        ) { [weak object] notification in
            if let object { body(object, notification) } else { ending.end() }
        }
        ending.arm(token)
        return token
    }

    /// Begins an observation of any kind.
    func begin<N: TypedNotification>(
        _ type: N.Type, _ priority: ObserverPriority, _ sender: SenderIdentity?, _ replayingLatest: Bool,
        _ fileID: StaticString, _ line: UInt, relay: (any Relay)? = nil, _ body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        let channel = channel(for: type)
        let observer = Body(fileID, line, from: sender, body)
        let added =
            replayingLatest && N.keepsLatest
            ? catchUp(channel, priority, sender, body, observer) : channel.insert(observer, priority, from: sender)
        return ObservationToken(added, relay: relay)
    }
}
