public import ThreadLocalFrame

/// What a thread announces about one post that it has under way.
///
/// ```
/// hazard | request | epoch
/// ```
///
/// - `hazard` is the address of the slot whose observer the thread is calling or about to call; 0 between posts, and 1
///   in a frame that no post may use: that of a thread before its first post, and the last. Other threads read it.
/// - `request` is set by a thread that wants the posting thread to reclaim when the post is over.
/// - `epoch` advances when a post ends with a request, so a thread that waits for one post does not take a later one
///   for it.
@frozen @usableFromInline @unsafe
struct PostingFrame {
    @usableFromInline let words: UnsafeMutablePointer<Word>

    @inlinable @inline(__always) init(words: UnsafeMutablePointer<Word>) { unsafe self.words = words }

    /// The frame that the next post of this thread uses: the first that no post is using.
    ///
    /// The address is asked for each time: after a suspension a function may run on another thread.
    @inlinable @inline(__always)
    static var current: (frame: PostingFrame, isReady: Bool) {
        var frame = unsafe PostingFrame(
            words: UnsafeMutablePointer(bitPattern: notificationbus_frame()).unsafelyUnwrapped)
        var hazard = unsafe frame.hazard.pointee.relaxedLoad()
        while hazard > 1 {
            unsafe frame = frame.next
            hazard = unsafe frame.hazard.pointee.relaxedLoad()
        }
        return unsafe (frame, hazard == 0)
    }

    @inlinable @inline(__always) var hazard: UnsafeMutablePointer<Word> { unsafe words }
    @inlinable @inline(__always) var request: UnsafeMutablePointer<Word> { unsafe words.advanced(unchecked: 1) }
    @inlinable @inline(__always) var epoch: UnsafeMutablePointer<Word> { unsafe words.advanced(unchecked: 2) }
    /// The frame of a post nested in this one's.
    @inlinable @inline(__always) var next: PostingFrame {
        unsafe PostingFrame(words: words.advanced(unchecked: PostingFrame.size))
    }
    /// Words from one frame to the next.
    @inlinable @inline(__always) static var size: Int { 3 }

    /// Whether a post may use the frame as it is.
    var isReady: Bool { unsafe hazard.pointee.relaxedLoad() == 0 }
}

// MARK: - Announcing

extension PostingFrame {
    /// Announces that the thread is about to read `slot`, or that it checks whether the slot's array is current.
    @inlinable @inline(__always)
    func announce(_ slot: UnsafeMutablePointer<Word>) {
        unsafe hazard.pointee.releasingStore(UInt(bitPattern: slot))
        notificationbus_compiler_fence()
    }

    /// Announces `slot` also to threads that make no barrier on this thread. Returns the former hazard.
    @inlinable @inline(__always) @discardableResult
    func announceWithFence(_ slot: UnsafeMutablePointer<Word>) -> UInt {
        unsafe hazard.pointee.exchange(UInt(bitPattern: slot))
    }

    /// Announces the end of the post; `true` if a thread requests reclamation.
    @inlinable @inline(__always)
    func leave(isFenced: Bool) -> Bool {
        if isFenced {
            _ = unsafe hazard.pointee.exchange(0)
            return unsafe request.pointee.sequentialLoad() != 0
        }
        unsafe hazard.pointee.releasingStore(0)
        notificationbus_compiler_fence()
        return unsafe request.pointee.acquiringLoad() != 0
    }

    /// Takes the request made to a post that is over, and begins a new epoch; `true` if there was one.
    ///
    /// Order matters: the request is taken first. A request that comes in between counts for the next post of the
    /// frame, which the other thread then tells from this one by the epoch it read before.
    func takeRequest() -> Bool {
        let requested = unsafe request.pointee.exchange(0)
        unsafe epoch.pointee.add(1)
        return requested != 0
    }
}

/// A post that was under way when something was retired that it may use.
///
/// It protects that as long as its hazard is in a range, in one epoch.
@safe
struct ProtectingPost {
    private let frame: PostingFrame
    private let epoch: UInt
    /// At first the hazard with which the post was found.
    var range: Range<UInt>

    /// The posts under way, in O(*t*) of the number of live threads that have posted.
    static func all() -> [ProtectingPost] {
        var posts: [ProtectingPost] = []
        unsafe PostingThread.forEachPost { frame, hazard in
            // After the hazard: an epoch that is read before it may be that of an earlier post.
            let epoch = unsafe frame.epoch.pointee.acquiringLoad()
            posts.append(unsafe ProtectingPost(frame: frame, epoch: epoch, range: hazard..<hazard + 1))
        }
        return posts
    }

    /// Whether the post still protects.
    var isUnderWay: Bool {
        // The hazard first: a later post that has it is in a later epoch by then.
        let hazard = unsafe frame.hazard.pointee.acquiringLoad()
        return unsafe range.contains(hazard) && frame.epoch.pointee.acquiringLoad() == epoch
    }

    /// Has the thread of the post reclaim when the post is over.
    func requestReclamation() { unsafe frame.request.pointee.releasingStore(1) }

    var isOfAnotherThread: Bool { unsafe PostingThread.isOfAnotherThread(frame) }
}
