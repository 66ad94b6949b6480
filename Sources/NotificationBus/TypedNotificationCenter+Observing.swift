extension TypedNotificationCenter {
    /// Calls `body` with every notification of a type posted from now on, until the token is cancelled or released.
    ///
    /// `body` runs on the thread of each poster, so several threads may call it at once. It gets the posts whose static
    /// type is `type`; posts of subclasses or superclasses do not reach it. An object that keeps the token and that
    /// `body` captures strongly is never freed: capture it weakly or unowned, or use the form with an object.
    ///
    /// - Parameters:
    ///   - type: The notification to observe.
    ///   - sender: If given, only posts in the name of this object are delivered. The center does not keep it alive.
    ///   - replayingLatest: Whether the observer first gets the latest value, if the type is a ``KeptNotification``. It
    ///     also gets, in order, what others post meanwhile. All that happens on this thread, before this method
    ///     returns. Then it observes like the others, without a gap or a duplicate. No poster waits for it.
    ///   - fileID: The file that ``observations()`` names as the place of the observation.
    ///   - line: The line of that place.
    ///   - body: The closure to call.
    /// - Complexity: O(1) amortized.
    public func observe<N: TypedNotification>(
        _ type: N.Type, from sender: AnyObject? = nil, replayingLatest: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line, using body: @escaping @Sendable (N) -> Void
    ) -> ObservationToken {
        begin(TypedObserver(fileID, line, from: sender.map { SenderIdentity($0) }, body), replayingLatest)
    }

    /// Calls `body` with an object and every notification of a type, until the object or the token is gone.
    ///
    /// The object is held weakly and kept alive during each call. The first post after its end removes the observation.
    ///
    /// - Complexity: O(1) amortized. Each delivery loads a weak reference.
    @_disfavoredOverload
    public func observe<N: TypedNotification, Object: AnyObject & Sendable>(
        _ type: N.Type, with object: Object, from sender: AnyObject? = nil, replayingLatest: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line, using body: @escaping @Sendable (Object, N) -> Void
    ) -> ObservationToken {
        cancellable { cancel in
            observe(
                type, from: sender, replayingLatest: replayingLatest, fileID: fileID, line: line
            ) { [weak object] notification in
                if let object { body(object, notification) } else { cancel() }
            }
        }
    }

    /// Begins an observation that can cancel itself.
    func cancellable(_ begin: (_ cancel: @escaping @Sendable () -> Void) -> ObservationToken) -> ObservationToken {
        struct WeakToken {
            weak var token: ObservationToken?
        }
        let own = Locked(WeakToken())
        let token = begin {
            // The reference is released after the lock.
            let token = own.withLock { $0.token }
            token?.cancel()
        }
        own.withLock { $0.token = token }
        return token
    }
}
