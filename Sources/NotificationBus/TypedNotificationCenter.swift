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
    /// The address of the one in which posts with fences look: an empty one if all posts take the careful path.
    @usableFromInline let fencedTable: Atomic<UInt>
    /// Whether no post takes the quick path.
    @usableFromInline let isCareful: Atomic<Bool>
    /// The address of the current ``ChannelTable``.
    private let channels: Atomic<UInt>

    let state: Guarded<State>
    let watch = Watch()

    struct State {
        var channels: [Channel] = []
        /// Tables that were outgrown.
        var outgrown: [UInt] = []
        var isWatched = false
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
        isCareful = Atomic(true)
        state = Guarded(State())
        setWatched(false)
    }

    /// Lets go of all observers and what they captured, on the thread that released the center last.
    deinit {
        let channels = state.withLock { state in
            for table in state.outgrown { unsafe ChannelTable(address: table).deallocate() }
            return state.channels
        }
        unsafe ChannelTable(address: self.channels.load(ordering: .acquiring)).deallocate()
        for channel in channels { channel.close() }
        watch.close()
    }

    // MARK: - Posting

    /// Delivers a notification to every observer of its type, on this thread, and returns when all have returned.
    ///
    /// Higher priority goes first, and among equals who began to observe first. An observer that begins in the meantime
    /// gets the next post; one that is cancelled in the meantime is not called any more, unless another thread
    /// cancelled it after the post had decided on the call (see ``ObservationToken/cancel()``). An observer may post:
    /// its post is delivered completely before the one under way goes on. Posts nested deeper than 256 are taken for
    /// endless recursion and end the program with a message that names the types.
    ///
    /// - Complexity: O(*n*) in the number of observers of the type. It takes no lock and allocates nothing, except for
    ///   the first post of a thread, for types that keep their latest value and while diagnostics are on.
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

    /// The channel that carries `Value`, if there is one yet.
    func channel<Value>(carrying type: Value.Type) -> Channel? {
        unsafe ChannelTable(address: channels.load(ordering: .acquiring))
            .channel(UInt(bitPattern: ObjectIdentifier(Value.self)))?.takeUnretainedValue()
    }

    /// The channel that carries `Value`, made where there is none yet.
    func channel<Value>(
        for type: Value.Type, named name: @autoclosure () -> String, notification: (any TypedNotification.Type)? = nil,
        latest: () -> AnyObject? = { nil }
    ) -> Channel {
        if let channel = channel(carrying: type) { return channel }
        let made = Channel(
            name: name(), notification: notification, tombstone: Body<Value>("", 0, { _ in }), latest: latest())
        return state.withLock { state in
            if let channel = channel(carrying: type) { return channel }
            var table = unsafe ChannelTable(address: channels.load(ordering: .acquiring))
            if unsafe 2 * state.channels.count >= table.capacity {
                unsafe state.outgrown.append(table.address)
                unsafe table = unsafe table.doubled()
                unsafe channels.store(table.address, ordering: .releasing)
                lead(isWatched: state.isWatched)
            }
            state.channels.append(made)
            unsafe table.add(
                UInt(bitPattern: ObjectIdentifier(Value.self)),
                UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()))
            return made
        }
    }

    /// Sends all posts along the careful path while somebody watches.
    func setWatched(_ isWatched: Bool) {
        state.withLock { state in
            state.isWatched = isWatched
            lead(isWatched: isWatched)
        }
    }

    /// Leads posts along their path; the lock must be held.
    private func lead(isWatched: Bool) {
        let current = channels.load(ordering: .relaxed)
        let isQuick = System.hasBarrierOnAllThreads && !isWatched
        isCareful.store(!isQuick, ordering: .releasing)
        table.store(isQuick ? current : unsafe ChannelTable.empty, ordering: .releasing)
        fencedTable.store(isQuick || isWatched ? unsafe ChannelTable.empty : current, ordering: .releasing)
    }
}
