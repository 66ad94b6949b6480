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
// between (f) and (g), on every posting thread, which would cost more than all the rest of a post. The compiler must keep
// these pairs in order as well: it may move a store that releases behind a load that acquires, so a fence stands between
// them, which is no instruction. On a system without such barriers every channel is careful, and its posts make their own.
//
// A post that has done (d) before (1) still does (e), even if the cancellation has returned by then: from outside, a call
// that is decided on looks like one that is running. Only `cancelAndWait()` tells the caller when that is over.
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
        state.retired.removeAll { rack in
            let addresses = unsafe Rack(address: rack).addresses
            if PostingThread.uses(addresses) { return false }
            debris.racks.append(rack)
            // Another channel may get the memory next, and its posts would be taken for calls of these observers.
            for index in state.leaving.indices { state.leaving[index].slots.removeAll(where: addresses.contains) }
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
