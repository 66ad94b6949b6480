import Platform
public import Synchronization

/// The observers of one type at one center.
///
/// What posting threads read stands in atomics; everything else is behind one lock, which is never held while anything
/// unknown is called or released. See `Channel+Reclaiming.swift` for why a post needs no lock.
@usableFromInline
final class Channel: Sendable {
    /// The address of the current ``Rack``.
    @usableFromInline let rack: Atomic<UInt>
    /// Whether posts have to take the long way: somebody is watching, or the system has no barrier on all threads.
    @usableFromInline let isCareful: Atomic<Bool>

    /// What the channel carries, as text.
    let name: String
    /// The notification the channel carries; `nil` where it carries something else.
    let notification: (any TypedNotification.Type)?
    /// The address of the observer that stands where one was cancelled; it does nothing.
    let tombstone: UInt
    /// The address of the ``LatestValue`` of a type that keeps its latest value; 0 for the others. The lock guards it.
    @usableFromInline let latest: UInt
    let state: Guarded<State>

    struct State {
        var live = 0
        var dead = 0
        var sequence: UInt64 = 0
        var isClosed = false
        /// Racks out of use that a post may still be walking.
        var retired: [UInt] = []
        /// Cancelled observers that may still be running.
        var leaving: [Leaving] = []
        /// What was measured, by observation.
        var tallies: [UInt64: Tally] = [:]
    }

    struct Leaving {
        var key: UInt64
        var observer: Observer
        /// Where posts may be that call it.
        var slots: [UInt]
    }

    /// What was taken out of use under the lock, to be released after it.
    struct Debris {
        var observers: [Observer] = []
        var racks: [UInt] = []
        var first: Observer?
    }

    init(name: String, notification: (any TypedNotification.Type)?, tombstone: Observer, latest: AnyObject?) {
        self.name = name
        self.notification = notification
        self.tombstone = UInt(bitPattern: unsafe Unmanaged.passRetained(tombstone).toOpaque())
        self.isCareful = Atomic(System.barrierOnAllThreads == nil)
        rack = Atomic(unsafe UInt(bitPattern: Rack(capacity: Channel.smallest).words))
        self.latest = latest.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
        state = Guarded(State())
    }

    deinit {
        close()
        unsafe Rack(address: rack.load(ordering: .acquiring)).deallocate()
        state.withLock { for rack in $0.retired { unsafe Rack(address: rack).deallocate() } }
        for address in [tombstone, latest] {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { continue }
            unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
        }
    }

    static let smallest = 4

    /// Sends posts the long way as long as somebody is watching.
    func isWatched(_ isWatched: Bool) {
        isCareful.store(isWatched || System.barrierOnAllThreads == nil, ordering: .releasing)
    }
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
    /// `isDue` is called under the lock; where it says no, nothing is added and `nil` returned.
    ///
    /// - Complexity: O(1) amortized; O(*n*) where an observer of lower priority is there already.
    func insert(
        _ observer: Observer, _ priority: ObserverPriority, if isDue: (inout State) -> Bool
    ) -> (key: UInt64, count: Int)? {
        var debris = Debris()
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
                unsafe replace(rack, in: &state, adding: (address, key))
                sweep(&state, &debris)
            }
            state.live += 1
            return (key, state.live)
        }
        debris.release()
        return result
    }

    /// Adds an observer; the key that is returned stands for it from then on.
    func insert(_ observer: Observer, _ priority: ObserverPriority) -> (key: UInt64, count: Int) {
        guard let result = insert(observer, priority, if: { _ in true }) else { preconditionFailure("always due") }
        return result
    }

    /// Takes an observer away; `false` if it was gone already.
    ///
    /// When this returns no post decides to call it any more; one that has decided may still begin its call. What it
    /// captured is released before this returns, or, if a post is calling it, by that post's thread when the post ends.
    ///
    /// - Complexity: O(log *n*) amortized.
    @discardableResult
    func remove(_ key: UInt64) -> Bool {
        var debris = Debris()
        let isFound = state.withLock { state in
            let rack = unsafe Rack(address: self.rack.load(ordering: .relaxed))
            guard let (slot, address) = unsafe bury(key, in: rack) else { return false }
            state.live -= 1
            state.dead += 1
            if !state.tallies.isEmpty { state.tallies[key] = nil }
            let observer = unsafe Unmanaged<Observer>.fromOpaque(
                UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
            ).takeRetainedValue()
            var slots: [UInt] = []
            for old in state.retired {
                if let (slot, _) = unsafe bury(key, in: Rack(address: old)) { slots.append(slot) }
            }
            if state.dead > state.live && state.dead >= Channel.smallest {
                unsafe replace(rack, in: &state, adding: nil)
            }
            PostingThread.barrier()
            // Almost always nobody is calling it, and nothing needs to be put aside.
            if slots.isEmpty && !PostingThread.uses(slot..<(slot + 1)) {
                debris.first = observer
            } else {
                state.leaving.append(Leaving(key: key, observer: observer, slots: slots + [slot]))
            }
            if !state.retired.isEmpty || !state.leaving.isEmpty { collect(&state, &debris) }
            return true
        }
        debris.release()
        return isFound
    }

    /// Takes all observers away, for good.
    func close() {
        var debris = Debris()
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            let rack = unsafe Rack(address: self.rack.load(ordering: .relaxed))
            for index in unsafe 0..<rack.count {
                guard let (slot, address) = unsafe bury(rack.key(index), in: rack) else { continue }
                let observer = unsafe Unmanaged<Observer>.fromOpaque(
                    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
                ).takeRetainedValue()
                state.leaving.append(unsafe Leaving(key: rack.key(index), observer: observer, slots: [slot]))
            }
            state.live = 0
            sweep(&state, &debris)
        }
        debris.release()
    }

    /// A key that ascends in the order of delivery: priority in the upper 16 bits, then order of observation.
    private static func key(_ priority: ObserverPriority, _ sequence: UInt64) -> UInt64 {
        UInt64(Int(Int16.max) - Int(priority.rawValue)) << 48 | sequence
    }

    /// Puts the tombstone where the observer with `key` is; `nil` where there is none.
    private func bury(_ key: UInt64, in rack: Rack) -> (slot: UInt, observer: UInt)? {
        let index = unsafe rack.index(of: key)
        guard unsafe index < rack.count, unsafe rack.key(index) == key else { return nil }
        let slot = unsafe rack.slot(index)
        let observer = unsafe slot.pointee.exchange(tombstone, ordering: .acquiringAndReleasing)
        return observer == tombstone ? nil : (UInt(bitPattern: slot), observer)
    }

    /// Puts a rack in the place of `old` that has room and no tombstones.
    private func replace(_ old: Rack, in state: inout State, adding new: (observer: UInt, key: UInt64)?) {
        let live = state.live + (new == nil ? 0 : 1)
        let rack = unsafe Rack(capacity: max(Channel.smallest, live + live / 2))
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
        state.retired.append(unsafe UInt(bitPattern: old.words))
        self.rack.store(unsafe UInt(bitPattern: rack.words), ordering: .releasing)
    }
}
