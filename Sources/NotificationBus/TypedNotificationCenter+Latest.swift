import ThreadLocalFrame

extension TypedNotificationCenter {
    /// The latest notification of a type that was posted; `nil` before the first.
    ///
    /// A post stores the value before it calls any observer. Reading it takes a lock for an instant.
    public func latest<N: KeptNotification>(_ type: N.Type) -> N? {
        // Copied under the lock, because the next post may put its value in the place of this one.
        channel(carrying: Channel.key(of: type))?.state.withLock { state in
            state.latest.map { unsafe Posted<N>.cast($0).notification }
        }
    }

    /// Begins an observation that fills a mailbox, and ends with its token.
    func begin<N: TypedNotification>(
        _ type: N.Type, _ sender: AnyObject?, _ replayingLatest: Bool, _ fileID: StaticString, _ line: UInt,
        filling mailbox: Mailbox
    ) -> ObservationToken {
        let sender = sender.map { SenderIdentity($0) }
        return begin(ForwardingObserver<N>(fileID, line, from: sender, to: mailbox), replayingLatest, mailbox)
    }

    /// Begins an observation, of which the notifications that wait in `mailbox` are a part.
    func begin<N: TypedNotification>(
        _ observer: TypedObserver<N>, _ replayingLatest: Bool, _ mailbox: Mailbox? = nil
    ) -> ObservationToken {
        let channel = channel(for: N.self)
        let branch = observer.sender == nil ? channel : self.channel(for: N.self, from: observer.sender)
        let replay = replayingLatest && N._keepsLatest ? Replay() : nil
        let key = channel.insert(observer, into: branch, after: replay) { posted in
            if let replay, replay.ownPosts >= PostingThread.deepest { channel.diagnoseRecursion() }
            let posted = Posted<N>.cast(posted)
            if observer.hears(posted.sender?.address ?? 0) { unsafe observer.call(posted.notification) }
        }
        return ObservationToken(branch, key, mailbox)
    }
}

extension Channel {
    /// Swaps the latest notification for a new one; returns the highest key of an observer that gets that.
    ///
    /// One lock makes an instant in which the value becomes the latest and the observers that get it are settled.
    func keep(_ posted: inout AnyObject?, isOfSender: Bool) -> UInt {
        state.withLock { state in
            if let posted {
                for replay in state.replays { replay.hear(posted) }
            }
            state.isLatestShared = isOfSender || !state.replays.isEmpty
            swap(&state.latest, &posted)
            return Channel.lastKey.load(ordering: .relaxed)
        }
    }

    /// Like `keep`, but makes no object: `exchange` puts the notification into the object of the latest. Announces the
    /// array of its observers, and returns their end; `nil` if the notification needs an object of its own.
    @usableFromInline @unsafe
    func enter(_ frame: PostingFrame, exchange: (AnyObject) -> Void) -> (array: ObserverArray, end: UInt)? {
        unsafe state.withLock { state in
            guard let latest = state.latest, !state.isLatestShared else { return nil }
            exchange(latest)
            // Under the lock no array is replaced, so the one that is announced is the current one.
            let array = unsafe ObserverArray(address: observers.relaxedLoad())
            unsafe frame.announce(array.slot(0))
            return unsafe (array, array.end)
        }
    }
}

extension Channel.State {
    /// From now on `replay` hears every notification, beginning with the latest.
    mutating func begin(_ replay: Replay) {
        if let latest {
            replay.waiting.append(latest)
            isLatestShared = true
        }
        replays.append(replay)
    }
}

/// The notifications that an observer that starts with the latest value must get before it observes like the others.
final class Replay {
    var waiting: [AnyObject] = []
    /// The number of these notifications that the observer's own thread has posted.
    private(set) var ownPosts = 0
    private let thread = notificationbus_thread()

    func hear(_ entry: AnyObject) {
        waiting.append(entry)
        if notificationbus_thread() == thread { ownPosts += 1 }
    }
}
