extension TypedNotificationCenter {
    /// The latest notification of a type that was posted; `nil` before the first.
    ///
    /// A post stores the value before it calls any observer, and also if there is none.
    ///
    /// - Complexity: O(1). Takes a lock for an instant.
    public func latest<N: KeptNotification>(_ type: N.Type) -> N? {
        channel(carrying: Channel.key(of: type))?.withLatest(of: type) { unsafe $0.entry?.value } ?? nil
    }

    /// Gives `body` the latest value and what is posted meanwhile, then adds `observer` to the others.
    func catchUp<N: TypedNotification>(
        _ channel: Channel, _ sender: SenderIdentity?, _ buffer: (any SuspendingBuffer)?,
        _ body: @Sendable (N) -> Void, _ observer: TypedObserver<N>
    ) -> Channel.Registration {
        let replay = Replay<N>()
        channel.withLatest(of: N.self) { $0.add(replay) }
        while true {
            // `insert` calls this under the lock, which makes joining and having caught up one instant.
            let isDue = {
                unsafe channel.latest(of: N.self)?._withUnsafeGuaranteedRef { $0.remove(replay) } ?? true
            }
            if let added = channel.insert(observer, from: sender, buffer: buffer, if: isDue) { return added }
            if replay.ownPosts >= PostingThread.deepest { diagnoseRecursion(of: channel) }
            let waiting = channel.state.withLock { _ in
                let waiting = replay.waiting
                replay.waiting = []
                return waiting
            }
            for entry in waiting where sender == nil || entry.sender?.address == sender?.address { body(entry.value) }
        }
    }
}

/// The latest value of a notification that keeps it, and who posted it; its channel's lock guards it.
@usableFromInline
final class LatestValue<N: TypedNotification> {
    @frozen @usableFromInline
    struct Entry {
        @usableFromInline var value: N
        @usableFromInline var sender: SenderIdentity?

        @inlinable
        init(_ value: N, _ sender: SenderIdentity?) {
            self.value = value
            self.sender = sender
        }
    }

    @exclusivity(unchecked)
    @usableFromInline
    var entry: Entry?
    /// Observers that are catching up.
    private var replays: [Replay<N>] = []
    @exclusivity(unchecked)
    @usableFromInline
    var hasReplays = false

    /// Puts a value in the place of the latest, which is returned, and tells those that are catching up.
    @inlinable
    func exchange(_ new: Entry) -> Entry? {
        let before = unsafe entry
        unsafe entry = new
        if unsafe hasReplays { tell(new) }
        return before
    }

    @usableFromInline
    func tell(_ entry: Entry) {
        for replay in replays { replay.hear(entry) }
    }

    /// From now on `replay` is told of every post, beginning with the latest value.
    func add(_ replay: Replay<N>) {
        if let entry = unsafe entry { replay.waiting.append(entry) }
        replays.append(replay)
        unsafe hasReplays = true
    }

    /// Whether `replay` has caught up; if it has, it is told nothing more.
    func remove(_ replay: Replay<N>) -> Bool {
        guard replay.waiting.isEmpty else { return false }
        replays.removeAll { $0 === replay }
        unsafe hasReplays = !replays.isEmpty
        return true
    }
}

/// What an observer that starts with the latest value has yet to be told before it observes like the others.
///
/// It catches up on its own thread, in the order of the posts, and joins the others in an instant without anything
/// waiting: so there is no gap, no double, no call out of order, and no post waits for it.
final class Replay<N: TypedNotification> {
    var waiting: [LatestValue<N>.Entry] = []
    /// How often it has posted itself what it observes while it was catching up.
    private(set) var ownPosts = 0
    private let thread = System.thread

    func hear(_ entry: LatestValue<N>.Entry) {
        waiting.append(entry)
        if System.thread == thread { ownPosts += 1 }
    }
}
