extension TypedNotificationCenter {
    /// The latest notification of a type that was posted; `nil` before the first.
    ///
    /// A post stores the value before it calls any observer. Reading it takes a lock for an instant.
    public func latest<N: KeptNotification>(_ type: N.Type) -> N? {
        let latest = channel(carrying: Channel.key(of: type))?.state.withLock { $0.latest }
        return latest.map { Posted<N>.cast($0).notification }
    }

    /// Begins an observation that fills a mailbox, and ends with its token.
    func begin<N: TypedNotification>(
        _ type: N.Type, _ sender: AnyObject?, _ replayingLatest: Bool, _ fileID: StaticString, _ line: UInt,
        filling mailbox: any Mailbox
    ) -> ObservationToken {
        let sender = sender.map { SenderIdentity($0) }
        return begin(ForwardingObserver<N>(fileID, line, from: sender, to: mailbox), replayingLatest, mailbox)
    }

    /// Begins an observation, of which the notifications that wait in `mailbox` are a part.
    func begin<N: TypedNotification>(
        _ observer: TypedObserver<N>, _ replayingLatest: Bool, _ mailbox: (any Mailbox)? = nil
    ) -> ObservationToken {
        let channel = channel(for: N.self)
        let branch = observer.sender == nil ? channel : self.channel(for: N.self, from: observer.sender)
        let replay = replayingLatest && N._keepsLatest ? Replay() : nil
        let key = channel.insert(observer, into: branch, after: replay) { posted in
            if let replay, replay.ownPosts >= PostingThread.deepest { diagnoseRecursion(of: channel) }
            let posted = Posted<N>.cast(posted)
            if observer.hears(posted.sender?.address ?? 0) { observer.call(posted.notification) }
        }
        return ObservationToken(branch, key, mailbox)
    }
}

extension Channel {
    /// Swaps the latest notification for a new one; returns the highest key of an observer that gets that.
    ///
    /// One lock makes an instant in which the value becomes the latest and the observers that get it are settled.
    func keep(_ posted: inout AnyObject?) -> UInt {
        state.withLock { state in
            state.keep(&posted)
            return Channel.lastKey.load(ordering: .relaxed)
        }
    }

    /// The same, and announces the array of those that get it; returns the end of these observers.
    @usableFromInline @unsafe
    func enter(_ frame: PostingFrame, keeping posted: inout AnyObject?) -> (array: ObserverArray, end: UInt) {
        unsafe state.withLock { state in
            // Under the lock no array is replaced, so the one that is announced is the current one.
            let array = unsafe ObserverArray(address: observers.relaxedLoad())
            unsafe frame.announce(array.slot(0))
            state.keep(&posted)
            return unsafe (array, array.end)
        }
    }
}

extension Channel.State {
    /// From now on `replay` is told of every post, beginning with the latest.
    mutating func begin(_ replay: Replay) {
        if let latest { replay.waiting.append(latest) }
        replays.append(replay)
    }

    fileprivate mutating func keep(_ posted: inout AnyObject?) {
        if let posted {
            for replay in replays { replay.hear(posted) }
        }
        swap(&latest, &posted)
    }
}

/// What an observer that starts with the latest value has yet to be told before it observes like the others.
final class Replay {
    var waiting: [AnyObject] = []
    /// How often it has posted itself what it observes while it was catching up.
    private(set) var ownPosts = 0
    private let thread = System.thread

    func hear(_ entry: AnyObject) {
        waiting.append(entry)
        if System.thread == thread { ownPosts += 1 }
    }
}
