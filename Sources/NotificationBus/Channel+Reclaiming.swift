// Why a post needs no lock, and why nothing is freed under its feet.
//
// A post (a) announces the rack it is about to walk in its thread's frame, (b) makes sure that the rack is still the
// current one, then for each slot (c) announces the slot, (d) reads who is in it, (e) calls. At the end (f) it clears the
// frame and (g) reads whether the frame has a debt.
//
// A cancellation (1) puts the tombstone into the slot, (2) makes all threads pass a barrier, (3) looks at all frames. A
// post that is not at the slot in (3) either has passed it, or will do (d) after (2) and find the tombstone: the observer
// is free. A post that is at the slot may be calling: (4) it is given a debt, (5) there is another barrier, (6) the frame
// is looked at again. If it is still at the slot, its (g) comes after (5) and sees the debt; then its thread frees. If
// not, the canceller frees. A frame that is at the slot in (6) and has no debt came there after (2), and finds the
// tombstone. With racks it is the same, where (1) is storing the new rack, and (b) takes the place of (d).
//
// The barriers of (2) and (5) are those of `PostingThread.barrier()`: they stand for one between (c) and (d), and one
// between (f) and (g), on every posting thread, which would cost more than all the rest of a post. The compiler keeps
// these pairs in order by itself: a store that releases, then a load that acquires. On a system without such barriers
// every channel is careful, and its posts make their own.
//
// `ReclamationModel` in the tests is this protocol as a machine, and tries all interleavings of small cases.

extension Channel {
    /// Looks after everything out of use, with a barrier before.
    func sweep(_ state: inout State, _ debris: inout Debris) {
        guard !state.retired.isEmpty || !state.leaving.isEmpty else { return }
        PostingThread.barrier()
        collect(&state, &debris)
    }

    /// Moves what no post uses any more into the debris; there was a barrier since it was taken out of use.
    func collect(_ state: inout State, _ debris: inout Debris) {
        // Racks before observers: an observer that is waiting knows its place by an address in a rack, so the rack must
        // not be given up in the same moment as another may get its memory.
        state.retired.removeAll { rack in
            if unsafe PostingThread.uses(Rack(address: rack).addresses) { return false }
            debris.racks.append(rack)
            return true
        }
        state.leaving.removeAll { leaving in
            for slot in leaving.slots where PostingThread.uses(slot..<(slot + 1)) { return false }
            debris.observers.append(leaving.observer)
            return true
        }
    }

    /// Frees what a post that has just ended was in the way of.
    @usableFromInline
    @inline(never)
    func settle() {
        var debris = Debris()
        state.withLock { sweep(&$0, &debris) }
        debris.release()
    }

    /// Waits until no other thread is calling the observer that had `key`.
    func waitForCalls(of key: UInt64) {
        var pauses = 0
        while state.withLock({ state in
            state.leaving.contains { leaving in
                leaving.key == key && leaving.slots.contains { PostingThread.anotherUses($0) }
            }
        }) {
            System.pause(&pauses)
        }
    }
}

extension Channel.Debris {
    /// Lets go of everything; the lock must not be held.
    mutating func release() {
        for rack in racks { unsafe Rack(address: rack).deallocate() }
        racks = []
        first = nil
        observers = []
    }
}
