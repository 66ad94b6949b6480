import Synchronization

extension TypedNotificationCenter {
    /// The careful path of a post: for a thread's first, one nested deeper than any before, a type nobody has observed,
    /// and a center that somebody watches.
    @usableFromInline @inline(never) @unsafe
    func deliverCarefully<N: TypedNotification>(_ notification: N, from sender: UInt) {
        let isWatched = watch.isOn.load(ordering: .acquiring)
        if isWatched { watch.see(notification, by: self) }
        let channel = N.keepsLatest ? self.channel(for: N.self) : self.channel(carrying: N.self)
        guard let channel else {
            if isWatched { watch.missed(N.self) }
            return
        }
        // The value that was the latest is let go of here, after the lock.
        var before: LatestValue<N>.Entry?
        var keep: ((inout Channel.State) -> Void)?
        if N.keepsLatest, let latest = unsafe channel.latest(of: N.self) {
            let entry = unsafe LatestValue<N>.Entry(notification, SenderIdentity(address: sender))
            keep = { _ in before = unsafe latest._withUnsafeGuaranteedRef { $0.exchange(entry) } }
        }
        var heard = 0
        unsafe channel.walk(by: self, sender, together: keep) { (body: Body<N>, key) in
            heard += 1
            if isWatched {
                watch.measure(channel, key) { body.call(notification) }
            } else {
                body.call(notification)
            }
        }
        if isWatched && heard == 0 { watch.missed(N.self) }
        withExtendedLifetime(before) {}
    }

    /// The channel of a notification, made where there is none yet.
    func channel<N: TypedNotification>(for type: N.Type) -> Channel {
        channel(for: type, named: String(reflecting: type), notification: type) {
            N.keepsLatest ? LatestValue<N>() : nil
        }
    }
}

extension Channel {
    /// Walks the observers as a post with fences does, and calls `visit` for each that is there.
    ///
    /// `together` is called under the lock in the instant that decides which observers are visited.
    @unsafe
    func walk<Value>(
        by center: TypedNotificationCenter, _ sender: UInt = 0, together: ((inout State) -> Void)? = nil,
        _ visit: (Body<Value>, UInt64) -> Void
    ) {
        guard let frame = unsafe PostingThread.enter() else { center.diagnoseRecursion(of: name) }
        var sequence = UInt.max
        if let together {
            sequence = state.withLock { state in
                together(&state)
                return UInt(state.sequence)
            }
        }
        let branch = unsafe sender == 0 ? nil : branch(of: sender)
        if unsafe branch != nil && PostingThread.enter(inside: frame) == nil { center.diagnoseRecursion(of: name) }
        unsafe self.visit(branch, upTo: sequence, frame, isFenced: true) { observer, key in
            guard observer != tombstone, let pointer = unsafe UnsafeRawPointer(bitPattern: observer) else { return }
            unsafe Unmanaged<Body<Value>>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                if $0.hears(sender) { visit($0, UInt64(key)) }
            }
        }
    }

    /// Announces the current rack, whatever else is announced in the frame.
    @usableFromInline @inline(never) @unsafe
    func announceCurrentRack(in frame: PostingFrame) -> Rack {
        while true {
            let current = unsafe currentRack
            let before = unsafe frame.announceWithFence(current.slot(0))
            // What was announced before may have become a rack of another channel, which then waits for this frame. The
            // debt stays: this channel may wait for the frame too.
            if unsafe before != 0 && frame.debt.pointee.sequentialLoad() != 0 {
                Backlog.settle()
            }
            // Not whether the two are equal: a thread that stands still between storing them must not hold up this one.
            if checkedRack.sequentialLoad() == 0 {
                placePending()
            } else if unsafe rack.sequentialLoad() == current.address {
                return unsafe current
            }
        }
    }
}

extension TypedNotificationCenter {
    /// Ends the program with the types of the posts that are nested without end.
    func diagnoseRecursion(of name: String) -> Never {
        let channels = state.withLock { $0.channels }
        let chain = PostingThread.currentPlaces.suffix(8).map { address in
            channels.first { $0.family.contains { $0.contains(address) } }?.name ?? "a type of another center"
        }
        fatalError(
            """
            posts are nested \(PostingThread.deepest) deep, which looks endless: \
            \((chain + [name]).joined(separator: " → ")); an observer posts what leads to itself again
            """)
    }
}

extension Channel {
    /// Whether `address` lies in a rack of this channel that is in use.
    func contains(_ address: UInt) -> Bool {
        state.withLock { state in
            ([rack.acquiringLoad()] + state.retired).contains {
                unsafe Rack(address: $0).addresses.contains(address)
            }
        }
    }
}
