public import Synchronization
public import ThreadLocalFrame

// The path of a post, which is compiled into the module that posts. The steps (a) to (g) are those of
// `Channel+Reclaiming.swift`. What is not inlined is not specialized either: a specialized function would take large
// notifications from a place of its own, into which every post would copy them first.

extension TypedNotificationCenter {
    @inlinable @inline(__always) @unsafe
    func deliver<N: TypedNotification>(_ notification: N, from sender: UInt) {
        if N.keepsLatest { return unsafe deliverKeeping(notification, from: sender, isFenced: false) }
        let (frame, isReady) = unsafe PostingFrame.current
        guard isReady, let channel = unsafe channel(of: N.self, in: table.load(ordering: .acquiring)) else {
            return unsafe deliverWithFences(notification, from: sender)
        }
        unsafe deliver(notification, from: sender, over: channel, frame, isFenced: false)
        withExtendedLifetime(self) {}
    }

    /// The path of every post if the system has no barrier on all threads: its posts have two barriers of their own.
    @usableFromInline @inline(never) @unsafe
    func deliverWithFences<N: TypedNotification>(_ notification: N, from sender: UInt) {
        if N.keepsLatest { return unsafe deliverKeeping(notification, from: sender, isFenced: true) }
        let (frame, isReady) = unsafe PostingFrame.current
        guard isReady, let channel = unsafe channel(of: N.self, in: fencedTable.load(ordering: .acquiring)) else {
            return unsafe deliverCarefully(notification, from: sender)
        }
        unsafe deliver(notification, from: sender, over: channel, frame, isFenced: true)
        withExtendedLifetime(self) {}
    }

    /// Delivers once channel and frame are known.
    @inlinable @inline(__always) @unsafe
    func deliver<N: TypedNotification>(
        _ notification: N, from sender: UInt, over channel: Unmanaged<Channel>, _ frame: PostingFrame, isFenced: Bool
    ) {
        if sender != 0, let branch = unsafe channel._withUnsafeGuaranteedRef({ unsafe $0.branch(of: sender) }) {
            guard unsafe frame.next.isReady else { return unsafe deliverCarefully(notification, from: sender) }
            return unsafe deliverByKey(notification, from: sender, over: channel, branch, frame, isFenced: isFenced)
        }
        let rack = unsafe channel._withUnsafeGuaranteedRef { unsafe $0.enterRack(frame, isFenced: isFenced) }
        unsafe call(rack, upTo: rack.end, notification, channel, frame, isFenced: isFenced)
    }

    /// Calls the observers of all senders and those of one, in the order of their keys.
    @usableFromInline @inline(never) @unsafe
    func deliverByKey<N: TypedNotification>(
        _ notification: N, from sender: UInt, over channel: Unmanaged<Channel>, _ branch: Unmanaged<Channel>,
        _ frame: PostingFrame, isFenced: Bool
    ) {
        unsafe channel._withUnsafeGuaranteedRef { channel in
            unsafe channel.visit(branch, upTo: .max, frame, isFenced: isFenced) { observer, _ in
                let body = unsafe UnsafeRawPointer(bitPattern: observer).unsafelyUnwrapped
                unsafe Unmanaged<Body<N>>.fromOpaque(body)._withUnsafeGuaranteedRef {
                    if $0.hears(sender) { $0.call(notification) }
                }
            }
        }
    }

    /// The path of a type that keeps its latest value.
    ///
    /// One lock makes an instant in which the value becomes the latest and the observers that get it are settled.
    @inlinable @unsafe
    func deliverKeeping<N: TypedNotification>(_ notification: N, from sender: UInt, isFenced: Bool) {
        let (frame, isReady) = unsafe PostingFrame.current
        let table = isFenced ? fencedTable.load(ordering: .acquiring) : table.load(ordering: .acquiring)
        guard isReady, let channel = unsafe channel(of: N.self, in: table),
            let latest = unsafe channel._withUnsafeGuaranteedRef({ unsafe $0.latest(of: N.self) })
        else {
            return unsafe isFenced
                ? deliverCarefully(notification, from: sender)
                : deliverKeeping(notification, from: sender, isFenced: true)
        }
        let entry = unsafe LatestValue<N>.Entry(notification, SenderIdentity(address: sender))
        unsafe channel._withUnsafeGuaranteedRef { $0.lock() }
        // Under the lock no rack is replaced, so the one that is announced is the current one.
        let rack = unsafe channel._withUnsafeGuaranteedRef { unsafe $0.currentRack }
        if sender != 0, unsafe channel._withUnsafeGuaranteedRef({ $0.branches.relaxedLoad() }) != 0 {
            unsafe channel._withUnsafeGuaranteedRef { $0.unlock() }
            return unsafe deliverCarefully(notification, from: sender)
        }
        if isFenced { unsafe frame.announceWithFence(rack.slot(0)) } else { unsafe frame.announce(rack.slot(0)) }
        let end = unsafe rack.end
        let before = unsafe latest._withUnsafeGuaranteedRef { $0.exchange(entry) }
        unsafe channel._withUnsafeGuaranteedRef { $0.unlock() }
        unsafe call(rack, upTo: end, notification, channel, frame, isFenced: isFenced)
        // The value that was the latest is released here, after the lock and the post.
        withExtendedLifetime((self, before)) {}
    }

    /// Calls the observers of a rack whose first slot is announced, and leaves it.
    @inlinable @inline(__always) @unsafe
    func call<N: TypedNotification>(
        _ rack: Rack, upTo end: UInt, _ notification: N, _ channel: Unmanaged<Channel>, _ frame: PostingFrame,
        isFenced: Bool
    ) {
        var slot = unsafe rack.slot(0)
        var isDone = UInt(bitPattern: slot) == end
        while !isDone {
            let body = unsafe UnsafeRawPointer(bitPattern: slot.pointee.sequentialLoad())
                .unsafelyUnwrapped
            unsafe Unmanaged<Body<N>>.fromOpaque(body)._withUnsafeGuaranteedRef { $0.call(notification) }
            unsafe slot = unsafe slot.advanced(unchecked: 1)
            isDone = UInt(bitPattern: slot) == end
            // The first slot is announced already.
            if !isDone { unsafe frame.announce(slot) }
        }
        if unsafe frame.leave(isFenced: isFenced) {
            unsafe channel._withUnsafeGuaranteedRef { unsafe $0.settle(frame) }
        }
    }

    /// The channel of a type, if posts may take the path of `table`.
    @inlinable @inline(__always) @unsafe
    func channel<N: TypedNotification>(of type: N.Type, in table: UInt) -> Unmanaged<Channel>? {
        unsafe ChannelTable(address: table).channel(UInt(bitPattern: ObjectIdentifier(N.self)))
    }
}

extension PostingFrame {
    /// Says that the thread is about to read `slot`, or that it makes sure of the slot's rack.
    @inlinable @inline(__always)
    func announce(_ slot: UnsafeMutablePointer<Word>) {
        unsafe place.pointee.releasingStore(UInt(bitPattern: slot))
        juicestand_compiler_fence()
    }

    /// Says the same to threads that have no barrier on this one, and returns the place before.
    @inlinable @inline(__always) @discardableResult
    func announceWithFence(_ slot: UnsafeMutablePointer<Word>) -> UInt {
        unsafe place.pointee.exchange(UInt(bitPattern: slot))
    }

    /// Says that the post is over; `true` if somebody waited for that.
    @inlinable @inline(__always)
    func leave(isFenced: Bool) -> Bool {
        if isFenced {
            _ = unsafe place.pointee.exchange(0)
            return unsafe debt.pointee.sequentialLoad() != 0
        }
        unsafe place.pointee.releasingStore(0)
        juicestand_compiler_fence()
        return unsafe debt.pointee.acquiringLoad() != 0
    }
}

extension Channel {
    @inlinable @inline(__always) @unsafe
    var currentRack: Rack { unsafe Rack(address: rack.acquiringLoad()) }

    /// Announces the current rack in a frame.
    @inlinable @inline(__always) @unsafe
    func enterRack(_ frame: PostingFrame, isFenced: Bool) -> Rack {
        if isFenced { return unsafe announceCurrentRack(in: frame) }
        let rack = unsafe currentRack
        unsafe frame.announce(rack.slot(0))
        return unsafe checkedRack.acquiringLoad() == rack.address ? rack : announceCurrentRack(in: frame)
    }
}
