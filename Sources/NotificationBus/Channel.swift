import Synchronization

/// The observers of one type at one center.
///
/// Posting threads read atomics. Two locks guard the rest, and neither is held while foreign code is called or
/// released.
@usableFromInline
final class Channel: Sendable {
    /// The address of the current ``ObserverArray``.
    @usableFromInline let observers: Word

    /// What the channel carries: a notification, or a question.
    let type: any Any.Type
    /// Held only for steps that are short whatever other threads do.
    let state: Locked<State>
    /// The retired list: observers and arrays out of use that a post may still use.
    ///
    /// Its lock lets one thread at a time reclaim. It is taken before that of `state`.
    let retired = Locked<[Retired]>([])

    struct State {
        /// The address of the observer that replaces a cancelled one; it hears nothing.
        let tombstone: UInt
        /// The latest ``Posted`` notification, if the type keeps it.
        var latest: AnyObject?
        /// Whether others hold the object of `latest`, or it names a sender. No later post may reuse such an object.
        var isLatestShared = false
        /// Observers that are catching up.
        var replays: [Replay] = []
        /// The observers in the current array, and the tombstones.
        var live = 0
        var cancelled = 0
        /// The addresses of arrays out of use that were not reclaimed yet.
        var oldArrays: [UInt] = []
    }

    /// A channel whose observers are called with a `Value`.
    init<Value>(_ type: any Any.Type, _ value: Value.Type) {
        self.type = type
        let tombstone = TypedObserver<Value>("", 0, from: .nobody) { _ in }
        state = Locked(State(tombstone: unsafe UInt(bitPattern: Unmanaged.passRetained(tombstone).toOpaque())))
        observers = Word(unsafe ObserverArray(capacity: Channel.smallest).address)
    }

    /// Runs after ``close()``, or if nobody has observed. An entry that waits for a post keeps the channel alive.
    deinit {
        state.withLock { state in
            assert(state.oldArrays.isEmpty, "an array out of use was not freed")
            unsafe Channel.observer(state.tombstone).release()
        }
        unsafe ObserverArray(address: observers.acquiringLoad()).deallocate()
    }

    private static let smallest = 4

    /// The free slots of a new array. An array with as many tombstones is replaced.
    ///
    /// With one number for both, observers that come and go never fill the array: it is replaced by a cancellation,
    /// which has its barrier anyway.
    private static func room(beside live: Int) -> Int { max(smallest, live / 4) }

    /// The number of the latest observation of the process: keys ascend in the order of observation, at every center.
    static let lastKey = Atomic<UInt>(0)
}

// MARK: - Observing

extension Channel {
    /// Adds an observer to this channel or to a branch, after the others; returns its key.
    ///
    /// With a `replay`, `body` is first called with the latest notification and with what is posted meanwhile, in the
    /// order of the posts. The observer joins the others in an instant without anything waiting: so there is no gap, no
    /// double, no call out of order, and no post waits for it.
    ///
    /// - Complexity: O(1) amortized.
    func insert(
        _ observer: Observer, into branch: Channel, after replay: Replay? = nil, _ body: (AnyObject) -> Void = { _ in }
    ) -> UInt {
        if let replay { state.withLock { $0.begin(replay) } }
        while true {
            var waiting: [AnyObject] = []
            let added = state.withLock { state -> (key: UInt, hasOldArray: Bool)? in
                if let replay {
                    swap(&waiting, &replay.waiting)
                    if !waiting.isEmpty { return nil }
                    state.replays.removeAll { $0 === replay }
                }
                // The lock of a branch is taken after that of its channel.
                return branch === self
                    ? append(observer, to: &state) : branch.state.withLock { branch.append(observer, to: &$0) }
            }
            if let added {
                if added.hasOldArray { branch.reclaim() }
                return added.key
            }
            for posted in waiting { body(posted) }
        }
    }

    private func append(_ observer: Observer, to state: inout State) -> (key: UInt, hasOldArray: Bool) {
        let key = Channel.lastKey.wrappingAdd(1, ordering: .relaxed).newValue
        let array = unsafe ObserverArray(address: observers.relaxedLoad())
        let isFull = unsafe array.count == array.capacity
        if isFull { replaceArray(&state) }
        state.live += 1
        unsafe ObserverArray(address: observers.relaxedLoad())
            .append(UInt(bitPattern: Unmanaged.passRetained(observer).toOpaque()), key)
        return (key, isFull)
    }

    /// Replaces the current array by one that has room and no tombstones.
    private func replaceArray(_ state: inout State) {
        let old = unsafe ObserverArray(address: observers.relaxedLoad())
        let new = unsafe ObserverArray(capacity: state.live + Channel.room(beside: state.live))
        for index in unsafe 0..<old.count {
            let observer = unsafe old.slot(index).pointee.relaxedLoad()
            if observer != state.tombstone { unsafe new.append(observer, old.key(index)) }
        }
        state.cancelled = 0
        unsafe state.oldArrays.append(old.address)
        _ = unsafe observers.exchange(new.address)
    }

    /// Calls `body` under the lock with each observer, in the order in which they began, and returns what it returned.
    ///
    /// Observers stay under the lock, so that none is kept when its cancellation has returned.
    func mapObservers<Result>(_ body: (Observer, UInt) -> Result?) -> [Result] {
        state.withLock { state in
            let array = unsafe ObserverArray(address: observers.relaxedLoad())
            return unsafe (0..<array.count).compactMap { index in
                let address = unsafe array.slot(index).pointee.relaxedLoad()
                guard address != state.tombstone else { return nil }
                return unsafe Channel.observer(address)._withUnsafeGuaranteedRef { unsafe body($0, array.key(index)) }
            }
        }
    }

    private static func observer(_ address: UInt) -> Unmanaged<Observer> { unsafe .fromOpaque(pointer(address)) }

    @inlinable @inline(__always) @unsafe
    static func pointer(_ address: UInt) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    }
}

// MARK: - Cancelling

extension Channel {
    /// Removes an observer, unless it is gone already.
    ///
    /// When this returns no post decides to call it any more. It is released then or, if a post is calling it, when the
    /// post ends: by that post's thread, or by one that reclaims at that moment and finds the post gone.
    ///
    /// - Complexity: O(log *n*) amortized, and O(*t*) in the number of live threads that have posted.
    func remove(_ key: UInt) {
        reclaim(retiring: { state in
            guard let observer = take(key, from: &state) else { return [] }
            if state.cancelled >= Channel.room(beside: state.live) { replaceArray(&state) }
            return [observer]
        })
    }

    /// Removes all observers when the center goes away.
    func close() {
        reclaim(retiring: { state in
            let array = unsafe ObserverArray(address: observers.relaxedLoad())
            return unsafe (0..<array.count).compactMap { unsafe take(array.key($0), from: &state) }
        })
    }

    /// Replaces the observer with `key` by the tombstone wherever posts may meet it; `nil` if it is gone already.
    private func take(_ key: UInt, from state: inout State) -> Retired? {
        let array = unsafe ObserverArray(address: observers.relaxedLoad())
        // Nobody else changes a slot, so there is no instant in which a cancelled observer is back.
        guard let index = unsafe array.index(of: key),
            unsafe array.slot(index).pointee.relaxedLoad() != state.tombstone
        else { return nil }
        let observer = unsafe Channel.observer(array.slot(index).pointee.exchange(state.tombstone))
            .takeRetainedValue()
        var retired = unsafe Retired(key: key, observer: observer, hazards: array.hazards(at: index))
        for address in state.oldArrays {
            let array = unsafe ObserverArray(address: address)
            guard let index = unsafe array.index(of: key) else { continue }
            _ = unsafe array.slot(index).pointee.exchange(state.tombstone)
            unsafe retired.olderHazards.append(array.hazards(at: index))
        }
        state.live -= 1
        state.cancelled += 1
        return retired
    }
}
