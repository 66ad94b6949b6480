/// The observers of one type at one center.
///
/// Posting threads read atomics. Two locks guard the rest, and neither is held while foreign code is called or
/// released. `Channel+Reclaiming.swift` explains why a post needs no lock.
@usableFromInline
final class Channel: Sendable {
    /// The address of the current ``Rack``.
    @usableFromInline let rack: Word
    /// The same address; 0 if observers are pending, so that the next post puts them into a new rack.
    @usableFromInline let checkedRack: Word

    /// The address of the table of branches; 0 if there are none.
    @usableFromInline let branches = Word(0)

    /// What the channel carries, as text.
    let name: String
    /// The notification the channel carries; `nil` if it carries something else.
    let notification: (any TypedNotification.Type)?
    /// The address of the observer that replaces a cancelled one; it does nothing.
    let tombstone: UInt
    /// The address of the ``LatestValue`` of a type that keeps its latest value; 0 for the others. `state` guards it.
    @usableFromInline let latest: UInt

    /// Held only for steps that are short whatever other threads do.
    let state: Guarded<State>
    /// What was retired and a post may still use.
    ///
    /// Its lock lets one thread at a time reclaim. It is taken before that of `state`.
    let limbo = Guarded<[Retired]>([])

    struct State {
        var live = 0
        var dead = 0
        var sequence: UInt64 = 0
        /// The addresses of racks out of use that were not reclaimed yet.
        var retired: [UInt] = []
        /// Observers that go between others, in no order.
        var pending: [(observer: UInt, key: UInt64)] = []
        var branches: [Channel] = []
        /// Buffers for which asynchronous posters wait.
        var suspending: [WeakBuffer] = []
        /// What was measured, by observation.
        var tallies: [UInt64: Tally] = [:]
    }

    struct WeakBuffer {
        weak var buffer: (any Suspending)?
    }

    init(name: String, notification: (any TypedNotification.Type)?, tombstone: Observer, latest: AnyObject?) {
        self.name = name
        self.notification = notification
        self.tombstone = UInt(bitPattern: unsafe Unmanaged.passRetained(tombstone).toOpaque())
        rack = Word(unsafe Rack(capacity: Channel.smallest).address)
        checkedRack = Word(rack.relaxedLoad())
        self.latest = latest.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
        state = Guarded(State())
    }

    /// By now ``close()`` has been called, or nobody has observed; and what waits for a post keeps the channel.
    deinit {
        assert(state.withLock { $0.retired.isEmpty }, "a rack out of use was not freed")
        unsafe Rack(address: rack.acquiringLoad()).deallocate()
        unsafe UnsafeMutablePointer<Word>(bitPattern: branches.acquiringLoad())?.deallocate()
        for address in [tombstone, latest] {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { continue }
            unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
        }
    }

    static let smallest = 4

    /// The room in a new rack for observers to come. As many tombstones make a rack worth replacing.
    ///
    /// With one number for both, observers that come and go never fill the rack: it is replaced by a cancellation,
    /// which has its barrier anyway.
    static func room(beside live: Int) -> Int { max(smallest, live / 2) }
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
        lock()
        defer { unlock() }
        return unsafe latest(of: type).map { unsafe $0._withUnsafeGuaranteedRef(body) }
    }

    /// Takes the lock when no observer is pending.
    @usableFromInline
    func lock() {
        state.lock()
        while checkedRack.relaxedLoad() == 0 {
            state.unlock()
            placePending()
            state.lock()
        }
    }

    @usableFromInline
    func unlock() {
        state.unlock()
    }
}

// MARK: - Observing and cancelling

extension Channel {
    /// Adds an observer; the channel and the key that are returned stand for it from then on.
    ///
    /// `isDue` is called under the lock of `state`; if it returns `false`, nothing is added and `nil` returned.
    ///
    /// - Complexity: O(1) amortized. If it goes before others, the next post takes O(*n* log *n*).
    func insert(
        _ observer: Observer, _ priority: ObserverPriority, from sender: SenderIdentity? = nil, if isDue: () -> Bool
    ) -> (channel: Channel, key: UInt64)? {
        let added: (channel: Channel, key: UInt64, mayReclaim: Bool)? = state.withLock { state in
            guard isDue() else { return nil }
            state.sequence += 1
            let key = Channel.key(priority, state.sequence)
            // The lock of a branch is taken after that of its channel.
            guard let sender else { return (self, key, add(observer, key, to: &state)) }
            let branch = branch(for: sender.address, &state)
            return (branch, key, branch.state.withLock { branch.add(observer, key, to: &$0) })
        }
        guard let (channel, key, mayReclaim) = added else { return nil }
        if mayReclaim { channel.reclaim() }
        return (channel, key)
    }

    /// Adds an observer; the channel and the key that are returned stand for it from then on.
    func insert(
        _ observer: Observer, _ priority: ObserverPriority = .normal, from sender: SenderIdentity? = nil
    ) -> (channel: Channel, key: UInt64) {
        guard let added = insert(observer, priority, from: sender, if: { true }) else {
            preconditionFailure("always due")
        }
        return added
    }

    /// Adds an observer under the lock; `true` if there may be a rack to reclaim.
    private func add(_ observer: Observer, _ key: UInt64, to state: inout State) -> Bool {
        let address = unsafe UInt(bitPattern: Unmanaged.passRetained(observer).toOpaque())
        state.live += 1
        let rack = unsafe Rack(address: self.rack.relaxedLoad())
        let count = unsafe rack.count
        if unsafe count > 0 && rack.key(count - 1) > key {
            // One new rack for each would take quadratic time in all.
            let mayReclaim = state.pending.isEmpty && !state.retired.isEmpty
            state.pending.append((address, key))
            checkedRack.sequentialStore(0)
            return mayReclaim
        }
        if unsafe count < rack.capacity {
            unsafe rack.append(address, key)
            return false
        }
        replace(in: &state, adding: (address, key))
        return true
    }

    /// Removes an observer; `false` if it was gone already.
    ///
    /// When this returns no post decides to call it any more; one that has decided may still begin its call. What it
    /// captured is released before this returns, or, if a post is calling it, when the post ends: by that post's
    /// thread, or by one that reclaims at that moment and finds the post gone.
    ///
    /// - Complexity: O(log *n*) amortized, and O(*t*) in the number of live threads that have posted.
    @discardableResult
    func remove(_ key: UInt64) -> Bool {
        var debris: [Retired] = []
        let isFound = limbo.withLock { limbo in
            let retired = state.withLock { state -> [Retired] in
                guard let observer = take(key, from: &state) else { return [] }
                if state.dead >= Channel.room(beside: state.live) { replace(in: &state) }
                return [observer] + newRacks(in: state, beside: limbo)
            }
            if retired.isEmpty { return false }
            reclaim(&limbo, adding: retired, &debris)
            return true
        }
        debris.release()
        return isFound
    }

    /// Removes all observers when the center goes away.
    func close() {
        for branch in state.withLock({ $0.branches }) { branch.close() }
        var debris: [Retired] = []
        limbo.withLock { limbo in
            let retired = state.withLock { state in
                if !state.pending.isEmpty { replace(in: &state) }
                let rack = unsafe Rack(address: self.rack.relaxedLoad())
                let observers = unsafe (0..<rack.count).compactMap { unsafe take(rack.key($0), from: &state) }
                return observers + newRacks(in: state, beside: limbo)
            }
            reclaim(&limbo, adding: retired, &debris)
        }
        debris.release()
    }

    /// A key that ascends in the order of delivery: priority in the upper 16 bits, then order of observation.
    private static func key(_ priority: ObserverPriority, _ sequence: UInt64) -> UInt64 {
        UInt64(Int(Int16.max) - Int(priority.rawValue)) << 48 | sequence
    }

    /// Replaces the observer with `key` by the tombstone wherever posts may meet it; `nil` if it is gone already.
    private func take(_ key: UInt64, from state: inout State) -> Retired? {
        if !state.pending.isEmpty { replace(in: &state) }
        guard let retired = put(tombstone, inPlaceOf: key, in: state) else { return nil }
        state.live -= 1
        state.dead += 1
        if !state.tallies.isEmpty { state.tallies[key] = nil }
        return retired
    }

    /// Puts another observer in the place of one, which is retired.
    ///
    /// `substitute` gets the observer that is there; if it returns `nil`, nothing changes.
    func exchange(_ key: UInt64, _ substitute: (Observer) -> Observer?) {
        var debris: [Retired] = []
        limbo.withLock { limbo in
            let retired = state.withLock { state -> Retired? in
                if !state.pending.isEmpty { replace(in: &state) }
                guard let new = observer(key).flatMap(substitute) else { return nil }
                return put(unsafe UInt(bitPattern: Unmanaged.passRetained(new).toOpaque()), inPlaceOf: key, in: state)
            }
            if let retired { reclaim(&limbo, adding: [retired], &debris) }
        }
        debris.release()
    }

    /// The pause of an observation that is paused.
    func pause(of key: UInt64) -> (any Pause)? {
        placePending()
        return state.withLock { _ in observer(key)?.pause }
    }

    /// Puts an observer or the tombstone wherever posts may meet the one with `key`; `nil` if that is gone already.
    private func put(_ new: UInt, inPlaceOf key: UInt64, in state: State) -> Retired? {
        let rack = unsafe Rack(address: self.rack.relaxedLoad())
        guard let (places, address) = unsafe put(new, inPlaceOf: key, in: rack) else { return nil }
        let observer = unsafe Unmanaged<Observer>.fromOpaque(
            UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
        ).takeRetainedValue()
        let older = state.retired.compactMap { unsafe put(new, inPlaceOf: key, in: Rack(address: $0))?.places }
        return Retired(key: key, observer: observer, places: [places] + older)
    }

    private func put(_ new: UInt, inPlaceOf key: UInt64, in rack: Rack) -> (places: Range<UInt>, observer: UInt)? {
        let index = unsafe rack.index(of: key)
        guard unsafe index < rack.count, unsafe rack.key(index) == key else { return nil }
        let slot = unsafe rack.slot(index)
        // Nobody else changes a slot, so there is no instant in which a cancelled observer is back.
        if unsafe slot.pointee.relaxedLoad() == tombstone { return nil }
        let observer = unsafe slot.pointee.exchange(new)
        return unsafe (rack.places(before: index), observer)
    }

    /// Puts pending observers into a new rack, if there are any.
    ///
    /// - Complexity: O(*n* log *n*).
    func placePending() {
        state.withLock { state in
            if !state.pending.isEmpty { replace(in: &state) }
        }
    }

    /// Replaces the current rack by one that has room and no tombstones, and in which no observer is pending.
    func replace(in state: inout State, adding new: (observer: UInt, key: UInt64)? = nil) {
        let old = unsafe Rack(address: self.rack.relaxedLoad())
        var added = state.pending
        state.pending = []
        added.sort { $0.key < $1.key }
        if let new { added.append(new) }
        let live = unsafe old.count - state.dead + added.count
        let rack = unsafe Rack(capacity: live + Channel.room(beside: live))
        var rest = added[...]
        for index in unsafe 0..<old.count {
            let observer = unsafe old.slot(index).pointee.relaxedLoad()
            if observer == tombstone { continue }
            while let next = rest.first, unsafe next.key < old.key(index) {
                unsafe rack.append(next.observer, next.key)
                rest.removeFirst()
            }
            unsafe rack.append(observer, old.key(index))
        }
        for next in rest { unsafe rack.append(next.observer, next.key) }
        state.dead = 0
        state.retired.append(unsafe old.address)
        // In this order: a post that finds `checkedRack` not to be 0 finds the observers that were pending before.
        self.rack.sequentialStore(unsafe rack.address)
        checkedRack.sequentialStore(unsafe rack.address)
    }
}
