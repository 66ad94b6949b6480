public import Synchronization

// The path of a post: steps (a) to (g) of <doc:Design>. The quick path is compiled into the module that posts.
// Functions that are not inlined are not specialized either: a specialized function would take large notifications from
// a place of its own, into which every post would copy them first.

extension TypedNotificationCenter {
    /// Delivers a notification; `sender` is the address of an object, or 0.
    @inlinable @inline(__always) @unsafe
    func deliver<N: TypedNotification>(_ notification: N, from sender: UInt) {
        let (frame, isReady) = unsafe PostingFrame.current
        let table = unsafe ChannelTable(address: table.load(ordering: .acquiring))
        guard let channel = unsafe table.channel(Channel.key(of: N.self)) else {
            if unsafe table.isInUse && !N._keepsLatest { return }
            return unsafe deliverWithFences(notification, from: sender)
        }
        if !isReady || N._keepsLatest && sender != 0 { return unsafe deliverCarefully(notification, from: sender) }
        if sender != 0, let branch = unsafe table.channel(Channel.key(of: N.self, from: sender)) {
            return unsafe deliver(notification, from: sender, to: channel, and: branch, frame)
        }
        if N._keepsLatest {
            // The value that was the latest is released after the post.
            var latest = notification
            let entered = unsafe channel._withUnsafeGuaranteedRef { channel in
                unsafe channel.enter(frame) { unsafe swap(&Posted<N>.cast($0).notification, &latest) }
            }
            guard let (array, end) = unsafe entered else { return unsafe deliverCarefully(notification, from: sender) }
            unsafe call(array, upTo: end, notification, channel, frame, isFenced: false)
            withExtendedLifetime(latest) {}
        } else {
            let array = unsafe channel._withUnsafeGuaranteedRef { unsafe $0.enter(frame, isFenced: false) }
            unsafe call(array, upTo: array.end, notification, channel, frame, isFenced: false)
        }
        withExtendedLifetime(self) {}
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
            let observer = unsafe Channel.pointer(slot.pointee.sequentialLoad())
            unsafe Unmanaged<TypedObserver<N>>.fromOpaque(observer)._withUnsafeGuaranteedRef { $0.call(notification) }
            unsafe slot = unsafe slot.advanced(unchecked: 1)
            isDone = UInt(bitPattern: slot) == end
            // The first slot is announced already.
            if !isDone { unsafe frame.announce(slot) }
        }
        unsafe channel._withUnsafeGuaranteedRef { unsafe $0.leave(frame, isFenced: isFenced) }
    }

    /// Delivers to the observers of all senders and of one.
    @usableFromInline @inline(never) @unsafe
    func deliver<N: TypedNotification>(
        _ notification: N, from sender: UInt, to channel: Unmanaged<Channel>, and branch: Unmanaged<Channel>,
        _ frame: PostingFrame
    ) {
        guard unsafe frame.next.isReady else { return unsafe deliverCarefully(notification, from: sender) }
        unsafe channel._withUnsafeGuaranteedRef { channel in
            unsafe channel.visit(branch, upTo: .max - 1, frame, isFenced: false) { observer, _ in
                unsafe Unmanaged<TypedObserver<N>>.fromOpaque(observer)._withUnsafeGuaranteedRef { observer in
                    if observer.hears(sender) { observer.call(notification) }
                }
            }
        }
        withExtendedLifetime(self) {}
    }

    /// Delivers with two barriers of the post's own if the system has none for all threads.
    @usableFromInline @inline(never) @unsafe
    func deliverWithFences<N: TypedNotification>(_ notification: N, from sender: UInt) {
        let (frame, isReady) = unsafe PostingFrame.current
        let channel = unsafe unretainedChannel(carrying: Channel.key(of: N.self))
        guard let channel = unsafe channel, isReady, sender == 0, !N._keepsLatest, !System.hasBarrierOnAllThreads,
            !isWatched.load(ordering: .acquiring)
        else { return unsafe deliverCarefully(notification, from: sender) }
        let array = unsafe channel._withUnsafeGuaranteedRef { unsafe $0.enter(frame, isFenced: true) }
        unsafe call(array, upTo: array.end, notification, channel, frame, isFenced: true)
        withExtendedLifetime(self) {}
    }

    /// Delivers what the quick paths do not: the first post of a thread, the first of a value that is kept and some
    /// others of such values, and every post while ``onDelivery`` is set or without a barrier on all threads.
    @usableFromInline @inline(never) @unsafe
    func deliverCarefully<N: TypedNotification>(_ notification: N, from sender: UInt) {
        let onDelivery = isWatched.load(ordering: .acquiring) ? state.withLock { $0.onDelivery } : nil
        if N._keepsLatest { _ = channel(for: N.self) }
        var heard = 0
        if let channel = unsafe unretainedChannel(carrying: Channel.key(of: N.self)) {
            let frame = unsafe enterPost(to: channel)
            var last = UInt.max - 1
            // The value that was the latest is released after the post.
            var posted: AnyObject?
            if N._keepsLatest {
                posted = unsafe Posted(notification, from: SenderIdentity(address: sender))
                last = unsafe channel._withUnsafeGuaranteedRef { $0.keep(&posted, isOfSender: sender != 0) }
            }
            let branch = unsafe sender == 0 ? nil : unretainedChannel(carrying: Channel.key(of: N.self, from: sender))
            if unsafe branch != nil { _ = unsafe enterPost(to: channel, inside: frame) }
            unsafe channel._withUnsafeGuaranteedRef { channel in
                let isFenced = !System.hasBarrierOnAllThreads
                unsafe channel.visit(branch, upTo: last, frame, isFenced: isFenced) { observer, key in
                    unsafe Unmanaged<TypedObserver<N>>.fromOpaque(observer)._withUnsafeGuaranteedRef { observer in
                        guard observer.hears(sender) else { return }
                        heard += 1
                        guard let onDelivery else { return observer.call(notification) }
                        let time = ContinuousClock().measure { observer.call(notification) }
                        onDelivery(ObservationIdentity(key: key), N.self, time)
                    }
                }
            }
            withExtendedLifetime(posted) {}
        }
        if heard == 0 { onDelivery?(nil, N.self, .zero) }
        withExtendedLifetime(self) {}
    }

    /// A usable frame for a post, or for the branch of the post that has the frame `outer`.
    @unsafe
    func enterPost(to channel: Unmanaged<Channel>, inside outer: PostingFrame? = nil) -> PostingFrame {
        if let frame = unsafe PostingThread.enter(inside: outer) { return unsafe frame }
        unsafe channel.takeUnretainedValue().diagnoseRecursion()
    }
}

// MARK: - Walking observers

extension Channel {
    /// Announces the current array in a frame.
    @inlinable @inline(__always) @unsafe
    func enter(_ frame: PostingFrame, isFenced: Bool) -> ObserverArray {
        if isFenced { return unsafe announceCurrentArray(in: frame) }
        let array = unsafe ObserverArray(address: observers.acquiringLoad())
        unsafe frame.announce(array.slot(0))
        return unsafe observers.acquiringLoad() == array.address ? array : announceCurrentArray(in: frame)
    }

    /// Announces the current array, whatever else is announced in the frame.
    @usableFromInline @inline(never) @unsafe
    func announceCurrentArray(in frame: PostingFrame) -> ObserverArray {
        while true {
            let array = unsafe ObserverArray(address: observers.acquiringLoad())
            let before = unsafe frame.announceWithFence(array.slot(0))
            // What was announced before may have become an array of another channel, which then waits for this frame.
            // The request stays: this channel may wait for the frame too.
            if unsafe before != 0 && frame.request.pointee.sequentialLoad() != 0 { Backlog.reclaim() }
            if unsafe observers.sequentialLoad() == array.address { return unsafe array }
        }
    }

    /// Ends a post to this channel.
    @inlinable @inline(__always) @unsafe
    func leave(_ frame: PostingFrame, isFenced: Bool) {
        if unsafe frame.leave(isFenced: isFenced) { unsafe reclaim(after: frame) }
    }

    /// Visits the observers of this channel and of a branch, up to the key `last`, in the order in which they began.
    ///
    /// With a branch the frame after `frame` is used too, which must be ready.
    @inline(__always) @unsafe
    func visit(
        _ branch: Unmanaged<Channel>?, upTo last: UInt, _ frame: PostingFrame, isFenced: Bool,
        _ body: (_ observer: UnsafeRawPointer, _ key: UInt) -> Void
    ) {
        let array = unsafe enter(frame, isFenced: isFenced)
        let end = unsafe array.end
        var slot = unsafe array.slot(0)
        let inner = unsafe branch == nil ? frame : frame.next
        var branchArray = unsafe array
        var branchEnd = UInt(bitPattern: slot)
        if let branch = unsafe branch {
            unsafe branchArray = branch._withUnsafeGuaranteedRef { unsafe $0.enter(inner, isFenced: isFenced) }
            branchEnd = unsafe branchArray.end
        }
        var branchSlot = unsafe branchArray.slot(0)
        while true {
            let key = unsafe UInt(bitPattern: slot) == end ? .max : array.key(at: slot)
            let branchKey = unsafe UInt(bitPattern: branchSlot) == branchEnd ? .max : branchArray.key(at: branchSlot)
            if min(key, branchKey) > last { break }
            if key < branchKey {
                unsafe frame.announce(slot)
                unsafe body(Channel.pointer(slot.pointee.sequentialLoad()), key)
                unsafe slot = slot.advanced(unchecked: 1)
            } else {
                unsafe inner.announce(branchSlot)
                unsafe body(Channel.pointer(branchSlot.pointee.sequentialLoad()), branchKey)
                unsafe branchSlot = branchSlot.advanced(unchecked: 1)
            }
        }
        unsafe branch?._withUnsafeGuaranteedRef { unsafe $0.leave(inner, isFenced: isFenced) }
        unsafe leave(frame, isFenced: isFenced)
    }

    /// The name of the type, with its module.
    var name: String { String(reflecting: type) }

    /// Ends the program: a post to this channel is nested deeper than any that makes sense.
    func diagnoseRecursion() -> Never {
        fatalError(
            """
            posts are nested \(PostingThread.deepest) deep, which looks endless: an observer of \(name), or one that \
            it leads to, posts what leads to itself again
            """)
    }
}
