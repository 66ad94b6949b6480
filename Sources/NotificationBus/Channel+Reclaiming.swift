import Platform
import Synchronization

// Why a post needs no lock, and why nothing is freed that it uses.
//
// A post (a) announces the first slot of the rack it is about to walk in its thread's frame, (b) makes sure that the
// rack is still the current one, then for each slot (c) announces the slot, (d) reads which observer is there, (e)
// calls it. At the end (f) it clears the frame and (g) reads whether the frame has a debt.
//
// A cancellation (1) puts the tombstone into the slot, (2) makes all threads pass a barrier, (3) looks at all frames. A
// post that is not at the slot in (3) either has passed it, or will do (d) after (2) and find the tombstone: the
// observer can be freed. A post that is at the slot may be calling: (4) it is given a debt, (5) there is another
// barrier, (6) the frame is looked at again. If it is still at the slot, its (g) comes after (5) and sees the debt;
// then its thread frees. If not, the canceller frees. A frame that is at the slot in (6) and has no debt came there
// after (2), and finds the tombstone. Racks are freed in the same way, where (1) stores the new rack, and (b) takes the
// place of (d).
//
// The barriers of (2) and (5) are those of `PostingThread.barrier()`: they stand for one between (c) and (d), and one
// between (f) and (g), on every posting thread, which would cost more than all the rest of a post. The compiler must
// keep these pairs in order as well: a store that releases may move behind a load that acquires, so a fence that is no
// instruction stands between them. On a system without such barriers every post takes the careful path, which has its
// own.
//
// A thread that leaves a frame pays the channel that it posted to. In two cases it does not know which channel that is,
// and pays every channel in the `Backlog`:
// - A thread ends inside an observer. A debt may be due to an observer that the post has passed, so the place that the
//   thread holds last does not tell whom it owes. The thread's record clears its frames and pays, so no observer waits
//   for it.
// - A place is announced too late: a rack is freed, another channel gets its memory, and a post that read the address
//   before (a) announces it after. The post finds out in (b) and announces another place; if it has a debt by then, it
//   pays at once.
// The slots of a freed rack are forgotten, so nobody waits for a post at an address that now means something else.
//
// A post that has done (d) before (1) still does (e), even if the cancellation has returned by then: from outside, a
// call that is decided on looks like one that is running. Only `cancelAndWait()` tells the caller when that is over.
//
// `ReclamationModel` in the tests is this protocol as a machine, and tries all interleavings of small cases.

extension Channel {
    /// Pays the debt of a frame whose post to this channel is over.
    @usableFromInline
    @inline(never)
    func settle(_ frame: PostingFrame) {
        _ = unsafe frame.debt.pointee.exchange(0, ordering: .sequentiallyConsistent)
        reclaim()
    }

    /// Frees what is out of use and no longer used.
    func reclaim() {
        var debris = Debris()
        departures.withLock { departures in
            let retired = state.withLock { $0.retired }
            PostingThread.barrier()
            collect(&departures, retired, &debris)
        }
        debris.release()
    }

    /// Moves what no post uses any more into the debris.
    ///
    /// There was a barrier since all of it was taken out of use. Racks retired since then are not among `retired`.
    /// Nobody else frees racks of this channel meanwhile, so these keep their memory.
    func collect(_ departures: inout [Departure], _ retired: [UInt], _ debris: inout Debris) {
        let retired = unsafe retired.map { unsafe Rack(address: $0) }
        var held = unsafe PostingThread.frames { place in
            unsafe departures.contains { $0.slots.contains(place) }
                || retired.contains { unsafe $0.addresses.contains(place) }
        }
        if unsafe !held.isEmpty {
            Backlog.add(self)
            for index in unsafe held.indices { unsafe held[index].debt.pointee.store(1, ordering: .releasing) }
            PostingThread.barrier()
            // A frame without its debt has been left since, and came there too late to find anything.
            unsafe held.removeAll { unsafe $0.debt.pointee.load(ordering: .acquiring) == 0 }
        }
        let places = unsafe held.map { unsafe $0.place.pointee.load(ordering: .acquiring) }
        departures.removeAll { departure in
            guard departure.slots.allSatisfy({ !places.contains($0) }) else { return false }
            debris.observers.append(departure.observer)
            return true
        }
        let unused = unsafe retired.filter { rack in !places.contains(where: unsafe rack.addresses.contains) }
        if unsafe !unused.isEmpty {
            unsafe debris.racks += unused.map(\.address)
            state.withLock { $0.retired.removeAll { debris.racks.contains($0) } }
            for index in departures.indices {
                departures[index].slots.removeAll { slot in
                    unsafe unused.contains { unsafe $0.addresses.contains(slot) }
                }
            }
        }
        let isAllUnused = unsafe unused.count == retired.count
        if isAllUnused && departures.isEmpty { Backlog.remove(self) }
    }

    /// Waits until no other thread is calling the observer that had `key`.
    func waitForCalls(of key: UInt64) {
        var pauses = 0
        while departures.withLock({ departures in
            guard let departure = departures.first(where: { $0.key == key }) else { return false }
            return unsafe PostingThread.frames(at: departure.slots.contains).contains {
                unsafe PostingThread.isOfAnotherThread($0)
            }
        }) {
            System.pause(&pauses)
        }
    }
}

extension Channel.Debris {
    /// Lets go of everything; no lock may be held.
    mutating func release() {
        for rack in racks { unsafe Rack(address: rack).deallocate() }
        racks = []
        first = nil
        observers = []
    }
}

/// The channels that have something out of use which a post still uses.
enum Backlog {
    private static let channels = Guarded<[Channel]>([])

    static func add(_ channel: Channel) {
        channels.withLock { channels in
            if !channels.contains(where: { $0 === channel }) { channels.append(channel) }
        }
    }

    static func remove(_ channel: Channel) {
        channels.withLock { channels in channels.removeAll { $0 === channel } }
    }

    /// Frees what waited for places that the current thread has left, whatever the channel.
    static func settle() {
        for channel in channels.withLock({ $0 }) { channel.reclaim() }
    }
}
