public import Platform
public import Synchronization

// The path of a post, which is compiled into the module that posts. The steps (a) to (g) are those of
// `Channel+Reclaiming.swift`.

extension TypedNotificationCenter {
    @inlinable
    @inline(__always)
    @unsafe
    func deliver<N: TypedNotification>(_ notification: N, from sender: UInt) {
        if N.keepsLatest { return unsafe deliverKeeping(notification, from: sender) }
        let type = UInt(bitPattern: ObjectIdentifier(N.self))
        let address = unsafe ChannelTable(address: table.load(ordering: .acquiring)).channel(type)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
            let thread = PostingThread.current(threadKey), let frame = unsafe thread.frame
        else {
            if address == 0 && !isWatched.load(ordering: .acquiring) { return }
            return unsafe deliverCarefully(notification, from: sender)
        }
        let channel = unsafe Unmanaged<Channel>.fromOpaque(pointer)
        guard unsafe !channel._withUnsafeGuaranteedRef({ $0.isCareful.load(ordering: .relaxed) }) else {
            return unsafe deliverCarefully(notification, from: sender)
        }
        var current = unsafe channel._withUnsafeGuaranteedRef { $0.rack.load(ordering: .acquiring) }
        while true {
            unsafe frame.pointee.store(current, ordering: .releasing)
            keepInOrder()
            let again = unsafe channel._withUnsafeGuaranteedRef { $0.rack.load(ordering: .acquiring) }
            if again == current { break }
            current = again
        }
        let rack = unsafe Rack(address: current)
        unsafe call(rack, upTo: rack.end, notification, from: sender, channel, thread, frame)
        withExtendedLifetime(self) {}
    }

    /// The path of a type that keeps its latest value.
    ///
    /// One lock makes an instant in which the value becomes the latest and the observers that get it are settled.
    @inlinable
    @unsafe
    func deliverKeeping<N: TypedNotification>(_ notification: N, from sender: UInt) {
        let type = UInt(bitPattern: ObjectIdentifier(N.self))
        let address = unsafe ChannelTable(address: table.load(ordering: .acquiring)).channel(type)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
            let thread = PostingThread.current(threadKey), let frame = unsafe thread.frame
        else {
            return unsafe deliverCarefully(notification, from: sender)
        }
        let channel = unsafe Unmanaged<Channel>.fromOpaque(pointer)
        let careful = unsafe channel._withUnsafeGuaranteedRef { $0.isCareful.load(ordering: .relaxed) }
        guard !careful, let latest = unsafe channel._withUnsafeGuaranteedRef({ unsafe $0.latest(of: N.self) }) else {
            return unsafe deliverCarefully(notification, from: sender)
        }
        let entry = unsafe LatestValue<N>.Entry(notification, SenderIdentity(address: sender))
        unsafe channel._withUnsafeGuaranteedRef { $0.lock() }
        // Under the lock no rack is put in another's place, so what is announced is the current one.
        let rack = unsafe Rack(address: channel._withUnsafeGuaranteedRef { $0.rack.load(ordering: .acquiring) })
        unsafe frame.pointee.store(rack.address, ordering: .releasing)
        let end = unsafe rack.end
        let before = unsafe latest._withUnsafeGuaranteedRef { $0.exchange(entry) }
        unsafe channel._withUnsafeGuaranteedRef { $0.unlock() }
        unsafe call(rack, upTo: end, notification, from: sender, channel, thread, frame)
        // The value that was the latest is let go of here, after the lock and the post.
        withExtendedLifetime((self, before)) {}
    }

    /// Calls the observers of an announced rack and leaves it.
    @inlinable
    @inline(__always)
    @unsafe
    func call<N: TypedNotification>(
        _ rack: Rack, upTo end: UnsafeMutablePointer<Atomic<UInt>>, _ notification: N, from sender: UInt,
        _ channel: Unmanaged<Channel>, _ thread: PostingThread, _ frame: UnsafeMutablePointer<Atomic<UInt>>
    ) {
        if sender != 0 { unsafe frame[2].store(sender, ordering: .relaxed) }
        unsafe thread.top = unsafe frame.advanced(unchecked: PostingThread.frameSize)
        var slot = unsafe rack.slot(0)
        while unsafe slot != end {
            unsafe frame.pointee.store(UInt(bitPattern: slot), ordering: .releasing)
            keepInOrder()
            let body = unsafe UnsafeRawPointer(bitPattern: slot.pointee.load(ordering: .acquiring)).unsafelyUnwrapped
            unsafe Unmanaged<Body<N>>.fromOpaque(body)._withUnsafeGuaranteedRef { $0.call(notification) }
            unsafe slot = unsafe slot.advanced(unchecked: 1)
        }
        if sender != 0 { unsafe frame[2].store(0, ordering: .relaxed) }
        unsafe thread.top = unsafe frame
        unsafe frame.pointee.store(0, ordering: .releasing)
        keepInOrder()
        if unsafe frame[1].load(ordering: .acquiring) != 0 {
            unsafe frame[1].store(0, ordering: .relaxed)
            unsafe channel._withUnsafeGuaranteedRef { $0.settle() }
        }
    }
}

/// Keeps the compiler from moving a load above a store that comes before it. The thread itself does nothing here.
@inlinable
@inline(__always)
func keepInOrder() {
    // On other systems every post takes the careful path, whose own barriers do this.
    #if os(Linux)
        juicestand_compiler_fence()
    #endif
}
