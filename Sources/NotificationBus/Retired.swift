/// An observer or a rack that was taken out of use, and the posts that may still use it.
///
/// Only posts that were under way at that time are waited for: a later one finds the tombstone, or the new rack.
struct Retired {
    /// What stands for the observer; 0 for a rack.
    var key: UInt64 = 0
    var observer: Observer?
    /// The address of the rack; 0 for an observer.
    var rack: UInt = 0
    /// The places at which a post may use it.
    var places: [Range<UInt>]
    var hazards: [Hazard] = []

    /// The hazards among posts that were under way after the barrier.
    ///
    /// The current thread's own places are never seen late, so its post is where it says.
    func hazards(among posts: [Hazard]) -> [Hazard] {
        posts.compactMap { post in
            let isExact = observer != nil && !post.isOfAnotherThread
            let range = places.first {
                isExact ? post.places.lowerBound + 1 == $0.upperBound : $0.overlaps(post.places)
            }
            guard let range else { return nil }
            var hazard = post
            hazard.places = range
            return hazard
        }
    }
}

/// A post that may be using something retired: it is, as long as it is among these places in this epoch.
@safe
struct Hazard {
    private let frame: PostingFrame
    private let epoch: UInt
    var places: Range<UInt>

    /// The posts under way, each at the place that it announces.
    ///
    /// - Complexity: O(*t*) in the number of live threads that have posted.
    static func allPosts() -> [Hazard] {
        var posts: [Hazard] = []
        unsafe PostingThread.forEachFrame { frame in
            // The place first: an epoch that is read before it may be that of an earlier post.
            let place = unsafe frame.place.pointee.acquiringLoad()
            guard place != 0 else { return }
            let epoch = unsafe frame.epoch.pointee.acquiringLoad()
            posts.append(unsafe Hazard(frame: frame, epoch: epoch, places: place..<place + 1))
        }
        return posts
    }

    /// Whether the post is still where it was.
    var isHeld: Bool {
        // The place first: a later post that has it is in a later epoch by then.
        let place = unsafe frame.place.pointee.acquiringLoad()
        return unsafe places.contains(place) && frame.epoch.pointee.acquiringLoad() == epoch
    }

    /// Has the thread of the post reclaim when the post is over.
    func demandDebt() {
        unsafe frame.debt.pointee.releasingStore(1)
    }

    var isOfAnotherThread: Bool { unsafe PostingThread.isOfAnotherThread(frame) }
}
