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
    /// The address of the ``ChannelTable`` that posts look in first: an empty one if they take another path.
    @usableFromInline let table: Atomic<UInt>
    /// The address of the one in which posts with fences look: an empty one if no post takes that path.
    @usableFromInline let fencedTable: Atomic<UInt>
    /// The address of the current ``ChannelTable``.
    private let channels: Atomic<UInt>

    let state: Locked<State>

    struct State {
        var channels: [Channel] = []
        /// Tables that were outgrown.
        var outgrown: [UInt] = []
        var onDelivery: DeliveryHandler?
    }

    /// Creates a center that nobody observes.
    ///
    /// A center is an object to pass to whoever posts and whoever observes; there is no shared one.
    ///
    /// - Complexity: O(1).
    public init() {
        channels = Atomic(unsafe ChannelTable(logarithm: 3).address)
        table = Atomic(unsafe ChannelTable.empty)
        fencedTable = Atomic(unsafe ChannelTable.empty)
        state = Locked(State())
        state.withLock { choosePath(&$0) }
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
    func channel(carrying key: UInt) -> Channel? {
        unsafe ChannelTable(address: channels.load(ordering: .acquiring)).channel(key)?.takeUnretainedValue()
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
                choosePath(&state)
            }
            state.channels.append(made)
            unsafe table.add(key, UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()))
            return made
        }
    }

    /// The channel of a notification, made if there is none yet.
    func channel<N: TypedNotification>(for type: N.Type) -> Channel {
        channel(carrying: Channel.key(of: type)) {
            Channel(N.self, tombstone: TypedObserver<N>.tombstone, latest: N._keepsLatest ? LatestValue<N>() : nil)
        }
    }

    /// Leads posts along their path; the lock must be held.
    private func choosePath(_ state: inout State) {
        let current = channels.load(ordering: .relaxed)
        let isQuick = System.hasBarrierOnAllThreads && state.onDelivery == nil
        let isFenced = !System.hasBarrierOnAllThreads && state.onDelivery == nil
        table.store(isQuick ? current : unsafe ChannelTable.empty, ordering: .releasing)
        fencedTable.store(isFenced ? current : unsafe ChannelTable.empty, ordering: .releasing)
    }

    /// Whether posts take a path without locks.
    package var hasQuickPosts: Bool {
        unsafe ChannelTable(address: table.load(ordering: .acquiring)).isInUse
            || ChannelTable(address: fencedTable.load(ordering: .acquiring)).isInUse
    }
}

extension Channel {
    /// The key of a notification in a ``ChannelTable``.
    static func key<N: TypedNotification>(of type: N.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(N.self)) }

    /// The key of a question, which may be a notification too: type descriptors lie at even addresses.
    static func key(ofQuestion type: any TypedQuestion.Type) -> UInt {
        UInt(bitPattern: ObjectIdentifier(type)) | 1
    }
}

// MARK: - Watching deliveries

extension TypedNotificationCenter {
    /// What is called with an observation, the type that was posted, and how long the call of the observer took.
    public typealias DeliveryHandler =
        @Sendable (_ observation: ObservationIdentity?, _ type: any TypedNotification.Type, _ duration: Duration) ->
        Void

    /// Called after each call of an observer, with how long that took, nested posts included; and once, without an
    /// observation, for a post that no observer heard.
    ///
    /// It is called on the poster's thread. It must not post to this center, or it would be called without end. `nil`
    /// unless it is set, and then posts do nothing for it. While it is set every post takes a lock and reads the clock.
    /// A post that is under way when it is set or taken away may go on as it began.
    ///
    /// - Complexity: O(1).
    public var onDelivery: DeliveryHandler? {
        get { state.withLock { $0.onDelivery } }
        set {
            // The handler before is released after the lock.
            var handler = newValue
            state.withLock { state in
                swap(&state.onDelivery, &handler)
                choosePath(&state)
            }
            withExtendedLifetime(handler) {}
        }
    }
}
