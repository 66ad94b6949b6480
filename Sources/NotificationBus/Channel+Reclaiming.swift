// Safe memory reclamation with hazard pointers and asymmetric fences. <doc:Design> explains the steps (a) to (g) of a
// post and (1) to (6) of a cancellation, and why nothing is reclaimed that a post uses.

/// An observer or an array that was taken out of use, and the posts that may still use it.
///
/// Only posts that were under way at that time are waited for: a later one finds the tombstone, or the new array.
struct Retired {
    /// The key of the observer; 0 for an array.
    var key: UInt = 0
    var observer: Observer?
    /// The address of the array; 0 for an observer.
    var array: UInt = 0
    /// The hazards that protect it: an observer's in the current array, and in those that are out of use.
    var hazards: Range<UInt>
    var olderHazards: [Range<UInt>] = []
    var posts: [ProtectingPost] = []

    /// The posts that protect it, of all that were under way after the barrier.
    ///
    /// The current thread's own hazards are never seen late, so its post is at the slot that its hazard names.
    func protectors(among posts: [ProtectingPost]) -> [ProtectingPost] {
        posts.compactMap { post in
            let isExact = observer != nil && !post.isOfAnotherThread
            var protecting = post
            for range in [hazards] + olderHazards
            where isExact ? post.range.upperBound == range.upperBound : range.contains(post.range.lowerBound) {
                protecting.range = range
                return protecting
            }
            return nil
        }
    }
}

extension Channel {
    /// Reclaims what is out of use and no longer used, beginning with the observers that `take` takes out of use under
    /// the lock of `state`.
    func reclaim(retiring take: (inout State) -> [Retired] = { _ in [] }) {
        let reclaimed = retired.withLock { retired in
            let new = state.withLock { state in
                var new = take(&state)
                for array in state.oldArrays where !retired.contains(where: { $0.array == array }) {
                    unsafe new.append(Retired(array: array, hazards: ObserverArray(address: array).addresses))
                }
                return new
            }
            let reclaimed = new.isEmpty && retired.isEmpty ? [] : reclaim(&retired, adding: new)
            if reclaimed.contains(where: { $0.array != 0 }) {
                state.withLock { $0.oldArrays.removeAll { array in reclaimed.contains { $0.array == array } } }
            }
            return reclaimed
        }
        // Released after the lock.
        for entry in reclaimed {
            if entry.array != 0 { unsafe ObserverArray(address: entry.array).deallocate() }
            if let observer = entry.observer { System.willRelease(observer) }
        }
    }

    /// Answers the request for reclamation to a frame whose post to this channel is over.
    @usableFromInline @inline(never)
    func reclaim(after frame: PostingFrame) {
        _ = unsafe frame.takeRequest()
        reclaim()
    }

    /// Adds what was just taken out of use to the retired list, and takes out of the list what no post protects.
    private func reclaim(_ retired: inout [Retired], adding new: [Retired]) -> [Retired] {
        var new = new
        if !new.isEmpty {
            PostingThread.barrier()
            let posts = ProtectingPost.all()
            // Usually no thread is posting, and no list is needed.
            if posts.isEmpty && retired.isEmpty { return new }
            requestReclamation(of: &new, by: posts)
        }
        retired += new
        for index in retired.indices { retired[index].posts.removeAll { !$0.isUnderWay } }
        let reclaimed = retired.filter { $0.posts.isEmpty }
        retired.removeAll { $0.posts.isEmpty }
        if retired.isEmpty { Backlog.channels.withLock { $0[ObjectIdentifier(self)] = nil } }
        return reclaimed
    }

    /// Finds the posts that protect what was just taken out of use, and has their threads reclaim.
    private func requestReclamation(of new: inout [Retired], by posts: [ProtectingPost]) {
        for index in new.indices { new[index].posts = new[index].protectors(among: posts) }
        if new.allSatisfy({ $0.posts.isEmpty }) { return }
        Backlog.channels.withLock { $0[ObjectIdentifier(self)] = self }
        for entry in new {
            for post in entry.posts { post.requestReclamation() }
        }
        PostingThread.barrier()
    }

    /// Waits until no other thread is calling the observer that had `key`.
    func waitForCalls(of key: UInt) {
        let posts = retired.withLock { retired in retired.filter { $0.key == key }.flatMap(\.posts) }
        var pauses = 0
        while posts.contains(where: { $0.isOfAnotherThread && $0.isUnderWay }) { System.pause(&pauses) }
    }
}

/// The channels whose retired lists are not empty. A channel adds and removes itself.
enum Backlog {
    static let channels = Locked<[ObjectIdentifier: Channel]>([:])

    /// Reclaims, in all channels, what waited for hazards that the current thread has cleared.
    static func reclaim() {
        for channel in channels.withLock({ $0 }).values { channel.reclaim() }
    }
}
