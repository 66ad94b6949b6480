import Synchronization

/// The observers of one type at one center.
///
/// Posting threads read atomics. Two locks guard the rest, and neither is held while foreign code is called or
/// released.
@usableFromInline
final class Channel: Sendable {
    /// The address of the current ``ObserverArray``.
    @usableFromInline let observers: Word
    /// The address of the table of branches; 0 if there are none.
    @usableFromInline let branches = Word(0)

    /// What the channel carries: a notification, or a question.
    let type: any Any.Type
    /// The address of the observer that replaces a cancelled one; it does nothing.
    let tombstone: UInt
    /// The address of the ``LatestValue`` of a type that keeps its latest value; 0 for the others. `state` guards it.
    @usableFromInline let latest: UInt

    /// Held only for steps that are short whatever other threads do.
    let state = Locked(State())
    /// The retired list: observers and arrays out of use that a post may still use.
    ///
    /// Its lock lets one thread at a time reclaim. It is taken before that of `state`.
    let retired = Locked<[Retired]>([])

    struct State {
        /// The observers in the current array, and the tombstones.
        var live = 0
        var cancelled = 0
        /// The addresses of arrays out of use that were not reclaimed yet.
        var oldArrays: [UInt] = []
        var branches: [Channel] = []
        /// The readers for which ``TypedNotificationCenter/send(_:from:)`` waits.
        var suspendingReaders: [SuspendingReader] = []
    }

    init(_ type: any Any.Type, tombstone: Observer, latest: AnyObject?) {
        self.type = type
        self.tombstone = UInt(bitPattern: unsafe Unmanaged.passRetained(tombstone).toOpaque())
        observers = Word(unsafe ObserverArray(capacity: Channel.smallest).address)
        self.latest = latest.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    }

    /// By now ``close()`` has been called, or nobody has observed; and what waits for a post keeps the channel.
    deinit {
        assert(state.withLock { $0.oldArrays.isEmpty }, "an array out of use was not freed")
        unsafe ObserverArray(address: observers.acquiringLoad()).deallocate()
        unsafe UnsafeMutablePointer<Word>(bitPattern: branches.acquiringLoad())?.deallocate()
        for address in [tombstone, latest] {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { continue }
            unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
        }
    }

    private static let smallest = 4

    /// The room in a new array for observers to come. As many tombstones make an array worth replacing.
    ///
    /// With one number for both, observers that come and go never fill the array: it is replaced by a cancellation,
    /// which has its barrier anyway.
    private static func room(beside live: Int) -> Int { max(smallest, live / 4) }

    /// The number of the latest observation of the process: keys ascend in the order of observation, at every center.
    static let lastKey = Atomic<UInt64>(0)
}

// MARK: - Observing

extension Channel {
    /// What stands for one observation.
    struct Registration {
        var channel: Channel
        var key: UInt64
    }

    /// Adds an observer after the others.
    ///
    /// - Complexity: O(1) amortized.
    func insert(
        _ observer: Observer, from sender: SenderIdentity? = nil, buffer: (any SuspendingBuffer)? = nil
    ) -> Registration {
        let (added, hasOldArray) = state.withLock { add(observer, from: sender, buffer: buffer, to: &$0) }
        if hasOldArray { added.channel.reclaim() }
        return added
    }

    /// Adds an observer if `isDue`, which is called under the lock of `state`, returns `true`.
    func insert(
        _ observer: Observer, from sender: SenderIdentity?, buffer: (any SuspendingBuffer)?, if isDue: () -> Bool
    ) -> Registration? {
        let result = state.withLock { state in
            isDue() ? add(observer, from: sender, buffer: buffer, to: &state) : nil
        }
        guard let (added, hasOldArray) = result else { return nil }
        if hasOldArray { added.channel.reclaim() }
        return added
    }

    /// Adds an observer under the lock; `hasOldArray` if there is an array to reclaim.
    private func add(
        _ observer: Observer, from sender: SenderIdentity?, buffer: (any SuspendingBuffer)?, to state: inout State
    ) -> (added: Registration, hasOldArray: Bool) {
        if let sender {
            // The lock of a branch is taken after that of its channel.
            let branch = branch(for: sender.address, &state)
            return branch.state.withLock { branch.append(observer, from: sender, buffer: buffer, to: &$0) }
        }
        return append(observer, from: nil, buffer: buffer, to: &state)
    }

    private func append(
        _ observer: Observer, from sender: SenderIdentity?, buffer: (any SuspendingBuffer)?, to state: inout State
    ) -> (added: Registration, hasOldArray: Bool) {
        let key = Channel.lastKey.wrappingAdd(1, ordering: .relaxed).newValue
        if let buffer {
            state.suspendingReaders.append(SuspendingReader(key: key, sender: sender, buffer: buffer))
        }
        let array = unsafe ObserverArray(address: observers.relaxedLoad())
        let isFull = unsafe array.count == array.capacity
        if isFull { replaceArray(&state) }
        state.live += 1
        unsafe ObserverArray(address: observers.relaxedLoad())
            .append(UInt(bitPattern: Unmanaged.passRetained(observer).toOpaque()), key)
        return (Registration(channel: self, key: key), isFull)
    }

    /// Replaces the current array by one that has room and no tombstones.
    private func replaceArray(_ state: inout State) {
        let old = unsafe ObserverArray(address: observers.relaxedLoad())
        let new = unsafe ObserverArray(capacity: state.live + Channel.room(beside: state.live))
        for index in unsafe 0..<old.count {
            let observer = unsafe old.slot(index).pointee.relaxedLoad()
            if observer != tombstone { unsafe new.append(observer, old.key(index)) }
        }
        state.cancelled = 0
        unsafe state.oldArrays.append(old.address)
        _ = unsafe observers.exchange(new.address)
    }

    /// The observers, in the order in which they began; the lock must be held.
    var current: [(observer: Observer, key: UInt64)] {
        let array = unsafe ObserverArray(address: observers.relaxedLoad())
        return unsafe (0..<array.count).compactMap { index in
            let address = unsafe array.slot(index).pointee.relaxedLoad()
            guard address != tombstone else { return nil }
            return (unsafe Channel.observer(address).takeUnretainedValue(), unsafe array.key(index))
        }
    }

    private static func observer(_ address: UInt) -> Unmanaged<Observer> {
        unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}

// MARK: - Cancelling

extension Channel {
    /// Removes an observer; `false` if it was gone already.
    ///
    /// When this returns no post decides to call it any more; one that has decided may still begin its call. What it
    /// captured is released before this returns, or, if a post is calling it, when the post ends: by that post's
    /// thread, or by one that reclaims at that moment and finds the post gone.
    ///
    /// - Complexity: O(log *n*) amortized, and O(*t*) in the number of live threads that have posted.
    @discardableResult
    func remove(_ key: UInt64) -> Bool {
        retire { state in
            guard let observer = take(key, from: &state) else { return [] }
            if state.cancelled >= Channel.room(beside: state.live) { replaceArray(&state) }
            return [observer]
        }
    }

    /// Removes all observers when the center goes away.
    func close() {
        for branch in state.withLock({ $0.branches }) { branch.close() }
        retire { state in current.compactMap { take($0.key, from: &state) } }
    }

    /// Replaces the observer with `key` by the tombstone wherever posts may meet it; `nil` if it is gone already.
    private func take(_ key: UInt64, from state: inout State) -> Retired? {
        let array = unsafe ObserverArray(address: observers.relaxedLoad())
        // Nobody else changes a slot, so there is no instant in which a cancelled observer is back.
        guard let index = unsafe array.index(of: key), unsafe array.slot(index).pointee.relaxedLoad() != tombstone
        else { return nil }
        let observer = unsafe Channel.observer(array.slot(index).pointee.exchange(tombstone)).takeRetainedValue()
        var retired = unsafe Retired(key: key, observer: observer, hazards: array.hazards(at: index))
        for address in state.oldArrays {
            let array = unsafe ObserverArray(address: address)
            guard let index = unsafe array.index(of: key) else { continue }
            _ = unsafe array.slot(index).pointee.exchange(tombstone)
            unsafe retired.olderHazards.append(array.hazards(at: index))
        }
        state.live -= 1
        state.cancelled += 1
        // The observer, which keeps its buffer, is released later.
        if !state.suspendingReaders.isEmpty { state.suspendingReaders.removeAll { $0.key == key } }
        return retired
    }
}

// MARK: - The latest value

extension Channel {
    /// What keeps the latest `N`; the channel must be that of `N`.
    @inlinable @inline(__always) @unsafe
    func latest<N>(of type: N.Type) -> Unmanaged<LatestValue<N>>? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: latest) else { return nil }
        return unsafe Unmanaged.fromOpaque(pointer)
    }

    /// Calls `body` under the lock with what keeps the latest `N`; the channel must be that of `N`.
    func withLatest<N, Result>(of type: N.Type, _ body: (LatestValue<N>) -> Result) -> Result? {
        state.withLock { _ in unsafe latest(of: type).map { unsafe $0._withUnsafeGuaranteedRef(body) } }
    }

    @usableFromInline
    func lock() {
        state.lock()
    }

    @usableFromInline
    func unlock() {
        state.unlock()
    }
}
