public import Synchronization

// The path of a post, which is compiled into the module that posts: steps (a) to (g) of <doc:Design>. What is not inlined is not specialized either: a specialized function would take large
// notifications from a place of its own, into which every post would copy them first.

extension TypedNotificationCenter {
    @inlinable @inline(__always) @unsafe
    func deliver<N: TypedNotification>(_ notification: N, from sender: UInt) {
        if N._keepsLatest { return unsafe deliverKeeping(notification, from: sender, isFenced: false) }
        let (frame, isReady) = unsafe PostingFrame.current
        let table = table.load(ordering: .acquiring)
        guard let channel = unsafe channel(of: N.self, in: table) else {
            if unsafe ChannelTable(address: table).isInUse { return }
            return unsafe deliverWithFences(notification, from: sender)
        }
        guard isReady else { return unsafe deliverWithFences(notification, from: sender) }
        unsafe deliver(notification, from: sender, over: channel, frame, isFenced: false)
        withExtendedLifetime(self) {}
    }

    /// The path of every post if the system has no barrier on all threads: its posts have two barriers of their own.
    @usableFromInline @inline(never) @unsafe
    func deliverWithFences<N: TypedNotification>(_ notification: N, from sender: UInt) {
        if N._keepsLatest { return unsafe deliverKeeping(notification, from: sender, isFenced: true) }
        let (frame, isReady) = unsafe PostingFrame.current
        let table = fencedTable.load(ordering: .acquiring)
        guard let channel = unsafe channel(of: N.self, in: table) else {
            if unsafe ChannelTable(address: table).isInUse { return }
            return unsafe deliverCarefully(notification, from: sender)
        }
        guard isReady else { return unsafe deliverCarefully(notification, from: sender) }
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
        let array = unsafe channel._withUnsafeGuaranteedRef { unsafe $0.enter(frame, isFenced: isFenced) }
        unsafe call(array, upTo: array.end, notification, channel, frame, isFenced: isFenced)
    }

    /// Calls the observers of all senders and those of one, in the order in which they began.
    @usableFromInline @inline(never) @unsafe
    func deliverByKey<N: TypedNotification>(
        _ notification: N, from sender: UInt, over channel: Unmanaged<Channel>, _ branch: Unmanaged<Channel>,
        _ frame: PostingFrame, isFenced: Bool
    ) {
        unsafe channel._withUnsafeGuaranteedRef { channel in
            unsafe channel.visit(branch, upTo: .max, frame, isFenced: isFenced) { address, _ in
                let observer = unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
                unsafe Unmanaged<TypedObserver<N>>.fromOpaque(observer)._withUnsafeGuaranteedRef {
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
        // Under the lock no array is replaced, so the one that is announced is the current one.
        let array = unsafe channel._withUnsafeGuaranteedRef { unsafe $0.currentArray }
        if sender != 0, unsafe channel._withUnsafeGuaranteedRef({ $0.branches.relaxedLoad() }) != 0 {
            unsafe channel._withUnsafeGuaranteedRef { $0.unlock() }
            return unsafe deliverCarefully(notification, from: sender)
        }
        if isFenced { unsafe frame.announceWithFence(array.slot(0)) } else { unsafe frame.announce(array.slot(0)) }
        let end = unsafe array.end
        let before = unsafe latest._withUnsafeGuaranteedRef { $0.exchange(entry) }
        unsafe channel._withUnsafeGuaranteedRef { $0.unlock() }
        unsafe call(array, upTo: end, notification, channel, frame, isFenced: isFenced)
        // The value that was the latest is released here, after the lock and the post.
        withExtendedLifetime((self, before)) {}
    }

    /// Calls the observers of an array whose first slot is announced, and leaves it.
    @inlinable @inline(__always) @unsafe
    func call<N: TypedNotification>(
        _ array: ObserverArray, upTo end: UInt, _ notification: N, _ channel: Unmanaged<Channel>,
        _ frame: PostingFrame, isFenced: Bool
    ) {
        var slot = unsafe array.slot(0)
        var isDone = UInt(bitPattern: slot) == end
        while !isDone {
            let observer = unsafe UnsafeRawPointer(bitPattern: slot.pointee.sequentialLoad()).unsafelyUnwrapped
            unsafe Unmanaged<TypedObserver<N>>.fromOpaque(observer)._withUnsafeGuaranteedRef { $0.call(notification) }
            unsafe slot = unsafe slot.advanced(unchecked: 1)
            isDone = UInt(bitPattern: slot) == end
            // The first slot is announced already.
            if !isDone { unsafe frame.announce(slot) }
        }
        if unsafe frame.leave(isFenced: isFenced) {
            unsafe channel._withUnsafeGuaranteedRef { unsafe $0.reclaim(after: frame) }
        }
    }

    /// The channel of a type, if posts may take the path of `table`.
    @inlinable @inline(__always) @unsafe
    func channel<N: TypedNotification>(of type: N.Type, in table: UInt) -> Unmanaged<Channel>? {
        unsafe ChannelTable(address: table).channel(UInt(bitPattern: ObjectIdentifier(N.self)))
    }
}

extension Channel {
    @inlinable @inline(__always) @unsafe
    var currentArray: ObserverArray { unsafe ObserverArray(address: observers.acquiringLoad()) }

    /// Announces the current array in a frame.
    @inlinable @inline(__always) @unsafe
    func enter(_ frame: PostingFrame, isFenced: Bool) -> ObserverArray {
        if isFenced { return unsafe announceCurrentArray(in: frame) }
        let array = unsafe currentArray
        unsafe frame.announce(array.slot(0))
        return unsafe observers.acquiringLoad() == array.address ? array : announceCurrentArray(in: frame)
    }

    /// Announces the current array, whatever else is announced in the frame.
    @usableFromInline @inline(never) @unsafe
    func announceCurrentArray(in frame: PostingFrame) -> ObserverArray {
        while true {
            let array = unsafe currentArray
            let before = unsafe frame.announceWithFence(array.slot(0))
            // What was announced before may have become an array of another channel, which then waits for this frame. The
            // request stays: this channel may wait for the frame too.
            if unsafe before != 0 && frame.request.pointee.sequentialLoad() != 0 { Backlog.reclaim() }
            if unsafe observers.sequentialLoad() == array.address { return unsafe array }
        }
    }
}

// MARK: - The careful path

extension TypedNotificationCenter {
    /// The path of a thread's first post, of one nested deeper than any before, and of all while ``onDelivery`` is set.
    @usableFromInline @inline(never) @unsafe
    func deliverCarefully<N: TypedNotification>(_ notification: N, from sender: UInt) {
        let onDelivery = state.withLock { $0.onDelivery }
        let channel = N._keepsLatest ? self.channel(for: N.self) : self.channel(carrying: Channel.key(of: N.self))
        var heard = 0
        if let channel {
            // The value that was the latest is released here, after the lock.
            var before: LatestValue<N>.Entry?
            var keep: (() -> Void)?
            if N._keepsLatest, let latest = unsafe channel.latest(of: N.self) {
                let entry = unsafe LatestValue<N>.Entry(notification, SenderIdentity(address: sender))
                keep = { before = unsafe latest._withUnsafeGuaranteedRef { $0.exchange(entry) } }
            }
            walk(channel, sender, together: keep) { (observer: TypedObserver<N>, key) in
                heard += 1
                guard let onDelivery else { return observer.call(notification) }
                let time = ContinuousClock().measure { observer.call(notification) }
                onDelivery(ObservationIdentity(key: UInt64(key)), N.self, time)
            }
            withExtendedLifetime(before) {}
        }
        if heard == 0, let onDelivery { onDelivery(nil, N.self, .zero) }
    }

    /// Walks the observers as a post with fences does, and calls `visit` for each that is there.
    ///
    /// `together` is called under the lock in the instant that decides which observers are visited.
    private func walk<Value>(
        _ channel: Channel, _ sender: UInt, together: (() -> Void)?, _ visit: (TypedObserver<Value>, UInt) -> Void
    ) {
        guard let frame = unsafe PostingThread.enter() else { diagnoseRecursion(of: channel) }
        var last = UInt.max
        if let together {
            last = channel.state.withLock { _ in
                together()
                return UInt(Channel.lastKey.load(ordering: .relaxed))
            }
        }
        let branch = unsafe sender == 0 ? nil : channel.branch(of: sender)
        if unsafe branch != nil && PostingThread.enter(inside: frame) == nil { diagnoseRecursion(of: channel) }
        unsafe channel.visit(branch, upTo: last, frame, isFenced: true) { address, key in
            guard address != channel.tombstone else { return }
            let observer = unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
            unsafe Unmanaged<TypedObserver<Value>>.fromOpaque(observer)._withUnsafeGuaranteedRef {
                if $0.hears(sender) { visit($0, key) }
            }
        }
    }

    /// Ends the program with the types of the posts that are nested without end.
    func diagnoseRecursion(of channel: Channel) -> Never {
        let channels = state.withLock { $0.channels }
        let chain = PostingThread.currentHazards.suffix(8).map { hazard in
            channels.first { $0.family.contains { $0.contains(hazard) } }?.name ?? "a type of another center"
        }
        fatalError(
            """
            posts are nested \(PostingThread.deepest) deep, which looks endless: \
            \((chain + [channel.name]).joined(separator: " → ")); an observer posts what leads to itself again
            """)
    }
}

extension Channel {
    /// The name of the type, with its module.
    var name: String { String(reflecting: type) }

    /// Whether `hazard` is a slot of an array of this channel that is in use.
    fileprivate func contains(_ hazard: UInt) -> Bool {
        state.withLock { state in
            ([observers.acquiringLoad()] + state.oldArrays).contains {
                unsafe ObserverArray(address: $0).addresses.contains(hazard)
            }
        }
    }
}
