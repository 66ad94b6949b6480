public import Synchronization

/// Passes a typed notification to the observers of its type.
///
/// ```swift
/// let center = TypedNotificationCenter()
/// let token = center.observe(StockChanged.self) { change in print(change.fruit, change.level) }
/// center.post(StockChanged(fruit: "banana", level: 8))
/// token.cancel()
/// ```
///
/// Any thread may observe, cancel and post at any time, inside observers too. What can be relied on is told, promise by
/// promise, in <doc:Promises>.
public final class TypedNotificationCenter: Sendable {
    /// The address of the ``ChannelTable`` of quick posts: of an empty one if there must be none.
    @usableFromInline let table: Atomic<UInt>
    /// The address of the current ``ChannelTable``.
    private let channels: Atomic<UInt>
    /// Whether ``onDelivery`` is set.
    let isWatched = Atomic(false)
    let state: Locked<State>

    struct State {
        var channels: [Channel] = []
        /// Tables that were outgrown.
        var outgrown: [UInt] = []
        var onDelivery: DeliveryHandler?
    }

    /// Creates a center that nobody observes; there is no shared one.
    public init() {
        channels = Atomic(unsafe ChannelTable(logarithm: 3).address)
        table = Atomic(unsafe ChannelTable.empty)
        state = Locked(State())
        state.withLock { choosePath($0) }
    }

    /// Releases all observers and what they captured, on the thread that released the center last.
    deinit {
        let channels = state.withLock { state in
            for table in state.outgrown { unsafe ChannelTable(address: table).deallocate() }
            return state.channels
        }
        unsafe ChannelTable(address: self.channels.load(ordering: .acquiring)).deallocate()
        for channel in channels { channel.close() }
    }

    // MARK: - Posting

    /// Delivers a notification to every observer of its type, on this thread, and returns when all have returned.
    ///
    /// Observers are called in the order in which they began. One that begins in the meantime gets the next post; one
    /// that is cancelled in the meantime is not called any more, unless another thread cancelled it after the post had
    /// decided on the call (see ``ObservationToken/cancel()``). An observer may post: its post is delivered completely
    /// before the one under way goes on. Posts nested deeper than 256 are taken for endless recursion and end the
    /// program with a message that names the types.
    ///
    /// - Complexity: O(*n*) in the number of observers of the type. It takes no lock and allocates nothing, except for
    ///   the first post of a thread, for types that keep their latest value and while ``onDelivery`` is set.
    @inlinable @inline(__always)
    public func post<N: TypedNotification>(_ notification: N) {
        unsafe deliver(notification, from: 0)
    }

    /// Delivers a notification in the name of `sender`.
    ///
    /// Observers that asked for a certain sender get it if it is this one, and observers that did not get it as always.
    ///
    /// - Complexity: as ``post(_:)``. Of the observers of other senders, one in 1,024 takes part in *n*.
    @inlinable @inline(__always)
    public func post<N: TypedNotification>(_ notification: N, from sender: AnyObject) {
        unsafe deliver(notification, from: UInt(bitPattern: ObjectIdentifier(sender)))
    }

    // MARK: - Channels

    /// The channel with a key, if there is one yet.
    func channel(carrying key: UInt) -> Channel? { unsafe unretainedChannel(carrying: key)?.takeUnretainedValue() }

    @inline(__always) @unsafe
    func unretainedChannel(carrying key: UInt) -> Unmanaged<Channel>? {
        unsafe ChannelTable(address: channels.load(ordering: .acquiring)).channel(key)
    }

    /// The channel with a key, made if there is none yet.
    func channel(carrying key: UInt, make: () -> Channel) -> Channel {
        if let channel = channel(carrying: key) { return channel }
        let made = make()
        return state.withLock { state in
            if let channel = channel(carrying: key) { return channel }
            var table = unsafe ChannelTable(address: channels.load(ordering: .acquiring))
            if unsafe 2 * state.channels.count >= table.capacity {
                unsafe state.outgrown.append(table.address)
                unsafe table = unsafe table.doubled()
                unsafe channels.store(table.address, ordering: .releasing)
                choosePath(state)
            }
            state.channels.append(made)
            unsafe table.add(key, UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()))
            return made
        }
    }

    /// The channel of a notification, made if there is none yet; that of the observers of a sender if it is given.
    func channel<N: TypedNotification>(for type: N.Type, from sender: SenderIdentity? = nil) -> Channel {
        channel(carrying: Channel.key(of: type, from: sender?.address ?? 0)) { Channel(type, type) }
    }

    /// Sets whether posts take the quick path; the lock must be held.
    private func choosePath(_ state: State) {
        let isQuick = System.hasBarrierOnAllThreads && state.onDelivery == nil
        table.store(isQuick ? channels.load(ordering: .relaxed) : unsafe ChannelTable.empty, ordering: .releasing)
        isWatched.store(state.onDelivery != nil, ordering: .releasing)
    }

    /// Whether posts take no lock.
    package var hasQuickPosts: Bool {
        let isQuick = unsafe ChannelTable(address: table.load(ordering: .acquiring)).isInUse
        return isQuick == System.hasBarrierOnAllThreads && !isWatched.load(ordering: .acquiring)
    }
}

// MARK: - Watching deliveries

extension TypedNotificationCenter {
    /// A closure that gets an observation, the type that was posted, and how long the call of the observer took.
    public typealias DeliveryHandler =
        @Sendable (_ observation: ObservationIdentity?, _ type: any TypedNotification.Type, _ duration: Duration) ->
        Void

    /// Called after each call of an observer, with how long that took, nested posts included; and once, without an
    /// observation, for a post that no observer heard.
    ///
    /// It is called on the poster's thread. It must not post to this center, or it would be called without end. While
    /// it is set every post takes a lock and reads the clock; while it is `nil` posts do nothing for it. A post that is
    /// under way when it is set or taken away may go on as it began.
    public var onDelivery: DeliveryHandler? {
        get { state.withLock { $0.onDelivery } }
        set {
            // The handler before is released after the lock.
            var handler = newValue
            state.withLock { state in
                swap(&state.onDelivery, &handler)
                choosePath(state)
            }
        }
    }
}
