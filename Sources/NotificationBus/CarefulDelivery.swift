import Platform
import Synchronization

extension TypedNotificationCenter {
    /// The long way of a post: a thread's first, one nested deeper than any before, of a type that keeps its latest value,
    /// one that somebody watches, or any where the system has no barrier on all threads.
    @usableFromInline
    @inline(never)
    @unsafe
    func deliverCarefully<N: TypedNotification>(_ notification: N, from sender: UInt) {
        let isWatched = self.isWatched.load(ordering: .acquiring)
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
    /// Walks the rack as a post does, with barriers of its own, and calls `visit` for each observer that is there.
    ///
    /// `together` is called under the lock in the instant that decides which observers are visited.
    @unsafe
    func walk<Value>(
        by center: TypedNotificationCenter, _ sender: UInt = 0, together: ((inout State) -> Void)? = nil,
        _ visit: (Body<Value>, UInt64) -> Void
    ) {
        let thread = PostingThread.enrolled()
        if unsafe thread.frame == nil && !thread.extend() { center.diagnoseRecursion(of: name) }
        let frame = unsafe thread.top
        let (rack, count) = unsafe announce(in: frame, together)
        unsafe frame[2].store(sender, ordering: .relaxed)
        unsafe thread.top = unsafe frame + PostingThread.frameSize
        for index in 0..<count {
            let slot = unsafe rack.slot(index)
            _ = unsafe frame.pointee.exchange(UInt(bitPattern: slot), ordering: .sequentiallyConsistent)
            let observer = unsafe slot.pointee.load(ordering: .sequentiallyConsistent)
            guard observer != tombstone, let pointer = unsafe UnsafeRawPointer(bitPattern: observer) else { continue }
            unsafe Unmanaged<Body<Value>>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body in
                visit(body, unsafe rack.key(index))
            }
        }
        unsafe frame[2].store(0, ordering: .relaxed)
        unsafe thread.top = unsafe frame
        _ = unsafe frame.pointee.exchange(0, ordering: .sequentiallyConsistent)
        if unsafe frame[1].exchange(0, ordering: .sequentiallyConsistent) != 0 { settle() }
    }
}

extension Channel {
    /// Announces the current rack, and counts the observers that are in it at that instant.
    private func announce(
        in frame: UnsafeMutablePointer<Atomic<UInt>>, _ together: ((inout State) -> Void)?
    ) -> (rack: Rack, count: Int) {
        if let together {
            return unsafe state.withLock { state in
                // Under the lock no rack is put in another's place, so what is announced is the current one.
                let rack = unsafe Rack(address: self.rack.load(ordering: .acquiring))
                _ = unsafe frame.pointee.exchange(rack.addresses.lowerBound, ordering: .sequentiallyConsistent)
                together(&state)
                return unsafe (rack, rack.count)
            }
        }
        var current = rack.load(ordering: .acquiring)
        while true {
            _ = unsafe frame.pointee.exchange(current, ordering: .sequentiallyConsistent)
            let again = rack.load(ordering: .sequentiallyConsistent)
            if again == current { break }
            current = again
        }
        let rack = unsafe Rack(address: current)
        return unsafe (rack, rack.count)
    }
}

extension TypedNotificationCenter {
    /// Ends the program with the types of the posts that are nested without end.
    func diagnoseRecursion(of name: String) -> Never {
        let channels = state.withLock { $0.channels }
        let chain = PostingThread.enrolled().announced.suffix(8).map { address in
            channels.first { $0.contains(address) }?.name ?? "a type of another center"
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
            ([rack.load(ordering: .acquiring)] + state.retired).contains {
                unsafe Rack(address: $0).addresses.contains(address)
            }
        }
    }
}
