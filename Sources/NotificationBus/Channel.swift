public import Synchronization

/// The observers of one type at one center.
///
/// Posting threads read atomics. Two locks guard the rest, and neither is held while foreign code is called or
/// released. `Channel+Reclaiming.swift` explains why a post needs no lock.
@usableFromInline
final class Channel: Sendable {
    /// The address of the current ``Rack``.
    @usableFromInline let rack: Atomic<UInt>

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
        /// What was measured, by observation.
        var tallies: [UInt64: Tally] = [:]
    }

    init(name: String, notification: (any TypedNotification.Type)?, tombstone: Observer, latest: AnyObject?) {
        self.name = name
        self.notification = notification
        self.tombstone = UInt(bitPattern: unsafe Unmanaged.passRetained(tombstone).toOpaque())
        rack = Atomic(unsafe UInt(bitPattern: Rack(capacity: Channel.smallest).words))
        self.latest = latest.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
        state = Guarded(State())
    }

    /// By now ``close()`` has been called, or nobody has observed; and what waits for a post keeps the channel.
    deinit {
        assert(state.withLock { $0.retired.isEmpty }, "a rack out of use was not freed")
        unsafe Rack(address: rack.load(ordering: .acquiring)).deallocate()
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
    @inlinable
    @inline(__always)
    @unsafe
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

    @usableFromInline
    func lock() {
        state.lock()
    }

    @usableFromInline
    func unlock() {
        state.unlock()
    }
}

// MARK: - Observing and cancelling

extension Channel {
    /// Adds an observer; the key that is returned stands for it from then on.
    ///
    /// `isDue` is called under the lock of `state`; if it returns `false`, nothing is added and `nil` returned.
    ///
    /// - Complexity: O(1) amortized; O(*n*) if there is an observer of lower priority.
    func insert(
        _ observer: Observer, _ priority: ObserverPriority, if isDue: (inout State) -> Bool
    ) -> (key: UInt64, count: Int)? {
        var hasReplaced = false
        let result: (key: UInt64, count: Int)? = state.withLock { state in
            guard isDue(&state) else { return nil }
            let address = unsafe UInt(bitPattern: Unmanaged.passRetained(observer).toOpaque())
            state.sequence += 1
            let key = Channel.key(priority, state.sequence)
            let rack = unsafe Rack(address: self.rack.load(ordering: .relaxed))
            let count = unsafe rack.count
            if unsafe count < rack.capacity && (count == 0 || rack.key(count - 1) < key) {
                unsafe rack.append(address, key)
            } else {
                replace(in: &state, adding: (address, key))
                hasReplaced = true
            }
            state.live += 1
            return (key, state.live)
        }
        if hasReplaced { reclaim() }
        return result
    }

    /// Adds an observer; the key that is returned stands for it from then on.
    func insert(_ observer: Observer, _ priority: ObserverPriority) -> (key: UInt64, count: Int) {
        guard let result = insert(observer, priority, if: { _ in true }) else { preconditionFailure("always due") }
        return result
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
                if state.dead >= Channel.room(beside: state.live) { replace(in: &state, adding: nil) }
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
        var debris: [Retired] = []
        limbo.withLock { limbo in
            let retired = state.withLock { state in
                let rack = unsafe Rack(address: self.rack.load(ordering: .relaxed))
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
        let rack = unsafe Rack(address: self.rack.load(ordering: .relaxed))
        guard let (places, address) = unsafe bury(key, in: rack) else { return nil }
        state.live -= 1
        state.dead += 1
        if !state.tallies.isEmpty { state.tallies[key] = nil }
        let observer = unsafe Unmanaged<Observer>.fromOpaque(
            UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
        ).takeRetainedValue()
        let older = state.retired.compactMap { unsafe bury(key, in: Rack(address: $0))?.places }
        return Retired(key: key, observer: observer, places: [places] + older)
    }

    /// Puts the tombstone where the observer with `key` is; `nil` if it is not there.
    private func bury(_ key: UInt64, in rack: Rack) -> (places: Range<UInt>, observer: UInt)? {
        let index = unsafe rack.index(of: key)
        guard unsafe index < rack.count, unsafe rack.key(index) == key else { return nil }
        let observer = unsafe rack.slot(index).pointee.exchange(tombstone, ordering: .acquiringAndReleasing)
        return observer == tombstone ? nil : unsafe (rack.places(before: index), observer)
    }

    /// Replaces the current rack by one that has room and no tombstones.
    private func replace(in state: inout State, adding new: (observer: UInt, key: UInt64)?) {
        let old = unsafe Rack(address: self.rack.load(ordering: .relaxed))
        let live = state.live + (new == nil ? 0 : 1)
        let rack = unsafe Rack(capacity: live + Channel.room(beside: live))
        var new = new
        for index in unsafe 0..<old.count {
            let observer = unsafe old.slot(index).pointee.load(ordering: .relaxed)
            if observer == tombstone { continue }
            if let added = new, unsafe added.key < old.key(index) {
                unsafe rack.append(added.observer, added.key)
                new = nil
            }
            unsafe rack.append(observer, old.key(index))
        }
        if let added = new { unsafe rack.append(added.observer, added.key) }
        state.dead = 0
        state.retired.append(unsafe old.address)
        self.rack.store(unsafe rack.address, ordering: .releasing)
    }
}
