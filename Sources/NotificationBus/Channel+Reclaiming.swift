// Why a post needs no lock, and why nothing is reclaimed that it uses. These are hazard pointers (Maged M. Michael,
// "Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects", IEEE TPDS 15(6), 2004) whose readers have no fence:
// the reclaiming thread has the system make the barrier on all threads.
//
// A post (a) announces the first slot of the rack it is about to walk in its thread's frame, (b) makes sure that the
// rack is still the current one, then for each slot (c) announces the slot, (d) reads which observer is there, (e)
// calls it. At the end (f) it clears the frame and (g) reads whether the frame has a debt.
//
// A cancellation (1) puts the tombstone into the slot, (2) makes all threads pass a barrier, (3) looks at all frames. A
// post that is not at the slot in (3) either has passed it, or will do (d) after (2) and find the tombstone: the
// observer can be reclaimed. A post that is at the slot may be calling: (4) it is given a debt, (5) there is another
// barrier, (6) the frame is looked at again. If it is still at the slot in the same epoch, its (g) comes after (5) and
// sees the debt: the post is a hazard of the observer. Racks are retired in the same way, where (1) stores the new
// rack, and (b) takes the place of (d). A pause is a cancellation that puts another observer into the slot.
//
// No hazard is added after (6), because a later post finds the tombstone in (d). So later posts delay nothing, even if
// they are at the slot whenever somebody looks. A post that pays a debt begins a new epoch of its frame, which keeps a
// later post of the thread at the same slot from passing for it. Retired things whose hazards are all gone are
// reclaimed: by the thread of the post that was the last one, or by one that retires something at that moment.
//
// The barriers of (2) and (5) are those of `PostingThread.barrier()`: they stand for one between (c) and (d), and one
// between (f) and (g), on every posting thread, which would cost more than all the rest of a post. The compiler must
// keep these pairs in order as well: a store that releases may move behind a load that acquires, so a fence that is no
// instruction stands between them.
//
// On a system without such barriers a post makes two itself: in (a) and in (f). Between them others see its place late,
// never early. So in (3) a post at an earlier slot of the rack counts as being at the slot.
//
// A thread that leaves a frame pays the channel that it posted to. In two cases it does not know which channel that is,
// and pays every channel in the `Backlog`:
// - A thread ends inside an observer. A debt may be due to an observer that the post has passed, so the place that the
//   thread holds last does not tell whom it owes. The thread's record clears its frames and pays, so no observer waits
//   for it.
// - A place is announced too late: a rack is reclaimed, another channel gets its memory, and a post that read the
//   address before (a) announces it after. The post finds out in (b) and announces another place; if it has a debt by
//   then, it pays at once.
//
// A post that has done (d) before (1) still does (e), even if the cancellation has returned by then: from outside, a
// call that is decided on looks like one that is running. Only `cancelAndWait()` tells the caller when that is over.
//
// `scripts/explore` runs this code in all orders of its steps that a bound allows, in small cases.

extension Channel {
    /// Pays the debt of a frame whose post to this channel is over.
    @usableFromInline @inline(never)
    func settle(_ frame: PostingFrame) {
        _ = unsafe frame.pay()
        reclaim()
    }

    /// Reclaims what is out of use and no longer used.
    func reclaim() {
        var debris: [Retired] = []
        limbo.withLock { limbo in
            let racks = state.withLock { newRacks(in: $0, beside: limbo) }
            reclaim(&limbo, adding: racks, &debris)
        }
        debris.release()
    }

    /// The racks that were retired and are not in limbo yet.
    func newRacks(in state: State, beside limbo: [Retired]) -> [Retired] {
        state.retired.filter { rack in !limbo.contains { $0.rack == rack } }
            .map { unsafe Retired(rack: $0, places: [Rack(address: $0).addresses]) }
    }

    /// Adds what was just retired, and moves what no post uses any more into the debris.
    func reclaim(_ limbo: inout [Retired], adding retired: [Retired], _ debris: inout [Retired]) {
        if !retired.isEmpty {
            PostingThread.barrier()
            let posts = Hazard.allPosts()
            var retired = retired
            for index in retired.indices { retired[index].hazards = retired[index].hazards(among: posts) }
            let hazards = retired.flatMap(\.hazards)
            if !hazards.isEmpty {
                Backlog.add(self)
                for hazard in hazards { hazard.demandDebt() }
                PostingThread.barrier()
            }
            limbo += retired
        }
        for index in limbo.indices { limbo[index].hazards.removeAll { !$0.isHeld } }
        debris = limbo.filter(\.hazards.isEmpty)
        limbo.removeAll(where: \.hazards.isEmpty)
        let racks = debris.map(\.rack)
        state.withLock { $0.retired.removeAll(where: racks.contains) }
        if limbo.isEmpty { Backlog.remove(self) }
    }

    /// Waits until no other thread is calling the observer that had `key`.
    func waitForCalls(of key: UInt64) {
        let hazards = limbo.withLock { limbo in limbo.filter { $0.key == key }.flatMap(\.hazards) }
        var pauses = 0
        while hazards.contains(where: { $0.isOfAnotherThread && $0.isHeld }) { System.pause(&pauses) }
    }
}

extension [Retired] {
    /// Releases observers and frees racks; no lock may be held.
    mutating func release() {
        for retired in self {
            if retired.rack != 0 { unsafe Rack(address: retired.rack).deallocate() }
            if let observer = retired.observer { System.willRelease(observer) }
        }
        self = []
    }
}

/// The channels that have something out of use which a post still uses.
enum Backlog {
    private static let channels = Guarded<[Channel]>([])

    static var isEmpty: Bool { channels.withLock { $0.isEmpty } }

    static func add(_ channel: Channel) {
        channels.withLock { channels in
            if !channels.contains(where: { $0 === channel }) { channels.append(channel) }
        }
    }

    static func remove(_ channel: Channel) {
        channels.withLock { channels in channels.removeAll { $0 === channel } }
    }

    /// Reclaims what waited for places that the current thread has left, whatever the channel.
    static func settle() {
        for channel in channels.withLock({ $0 }) { channel.reclaim() }
    }
}
