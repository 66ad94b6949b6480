import ThreadLocalFrame

/// The record of one posting thread: a frame for each level of nesting.
///
/// ```
/// next | previous | end of the frames in use | – … || frame | frame | …
/// ```
///
/// The records of live threads form a list that other threads walk without a lock. A thread that ends takes its record
/// out of the list and leaves it to a later thread. The memory stays a record, and `next` keeps leading into the list,
/// so a walk that stands on such a record goes on as if nothing had happened.
@safe
struct PostingThread {
    private let words: UnsafeMutablePointer<Word>

    /// Posts may be nested this deep.
    static let deepest = 256
    private static let header = 8
    private static let size = unsafe header + PostingFrame.size * (deepest + 1)

    private init?(address: UInt) {
        guard let words = unsafe UnsafeMutablePointer<Word>(bitPattern: address) else { return nil }
        unsafe self.words = words
    }

    var address: UInt { unsafe UInt(bitPattern: words) }
    private var next: UnsafeMutablePointer<Word> { unsafe words }
    private var previous: UnsafeMutablePointer<Word> { unsafe words + 1 }
    private var end: UnsafeMutablePointer<Word> { unsafe words + 2 }

    private func frame(_ depth: Int) -> PostingFrame {
        unsafe PostingFrame(words: words + (Self.header + PostingFrame.size * depth))
    }

    private func depth(of frame: PostingFrame) -> Int { unsafe (frame.words - self.frame(0).words) / PostingFrame.size }
}

// MARK: - The current thread

extension PostingThread {
    /// The record of the current thread; `nil` before its first post.
    static var current: PostingThread? {
        guard notificationbus_has_frame() != 0 else { return nil }
        return PostingThread(address: notificationbus_frame() - UInt(header * MemoryLayout<UInt>.stride))
    }

    /// A usable frame for a post of the current thread, in `outer` if given; `nil` if its posts are nested too deep.
    static func enter(inside outer: PostingFrame? = nil) -> PostingFrame? {
        if let outer = unsafe outer, unsafe outer.next.isReady { return unsafe outer.next }
        let thread = current ?? enrolled()
        let frame = unsafe outer?.next ?? PostingFrame.current.frame
        if unsafe !frame.isReady {
            guard unsafe thread.depth(of: frame) < deepest else { return nil }
            unsafe frame.prepare()
            unsafe thread.end.pointee.releasingStore(UInt(bitPattern: frame.next.words))
        }
        return unsafe frame
    }

    /// The hazards of the posts that the current thread has under way, outermost first.
    static var currentHazards: [UInt] {
        guard let thread = current else { return [] }
        return unsafe (0..<thread.depth(of: PostingFrame.current.frame)).map {
            unsafe thread.frame($0).hazard.pointee.relaxedLoad()
        }
    }
}

// MARK: - The list of live threads

extension PostingThread {
    /// The newest record of the list; other records follow.
    static let first = Word(0)

    /// The records that ended threads left. Its lock guards every change of the list.
    static let spare = Locked<[UInt]>([])

    /// Gives the current thread a record.
    private static func enrolled() -> PostingThread {
        let record = spare.withLock { spare in
            let record = spare.popLast().flatMap { PostingThread(address: $0) } ?? made()
            let head = first.relaxedLoad()
            unsafe record.previous.pointee.relaxedStore(0)
            unsafe record.next.pointee.relaxedStore(head)
            if let head = PostingThread(address: head) {
                unsafe head.previous.pointee.relaxedStore(record.address)
            }
            first.releasingStore(record.address)
            return record
        }
        notificationbus_set_frame(unsafe UInt(bitPattern: record.frame(0).words))
        unsafe System.notifyOfEnd(of: record.words)
        // So either a thread that reclaims sees this record, or this thread sees what the other took out of use.
        System.fence()
        return record
    }

    private static func made() -> PostingThread {
        // Of a cache line's alignment, so that threads do not slow one another down. Frames are initialized as they are
        // needed, and most threads need one or two.
        let words = unsafe System.allocate(words: size, alignment: 128)
        for word in 0..<header { unsafe (words + word).initialize(to: Word(0)) }
        let record = unsafe PostingThread(address: UInt(bitPattern: words)).unsafelyUnwrapped
        unsafe record.frame(0).initialize()
        unsafe record.end.pointee.relaxedStore(UInt(bitPattern: record.frame(0).words))
        return record
    }

    /// Takes a record out of the list when its thread ends.
    ///
    /// A thread that ends inside an observer has posts under way. They end here, and what waited for them is freed.
    static func end(_ record: UnsafeMutableRawPointer?) {
        guard let thread = PostingThread(address: UInt(bitPattern: record)) else { return }
        var isRequested = false
        unsafe thread.forEachFrame { frame in
            _ = unsafe frame.hazard.pointee.exchange(0)
            if unsafe frame.takeRequest() { isRequested = true }
        }
        // Captures are released here, and their ends may post.
        if isRequested { Backlog.reclaim() }
        notificationbus_forget_frame()
        spare.withLock { spare in
            let next = unsafe thread.next.pointee.relaxedLoad()
            let previous = unsafe thread.previous.pointee.relaxedLoad()
            if let next = PostingThread(address: next) {
                unsafe next.previous.pointee.relaxedStore(previous)
            }
            if let previous = PostingThread(address: previous) {
                unsafe previous.next.pointee.releasingStore(next)
            } else {
                first.releasingStore(next)
            }
            spare.append(thread.address)
        }
    }
}

// MARK: - What other threads are doing

extension PostingThread {
    /// Orders what this thread wrote before against what every posting thread reads after.
    ///
    /// With no other live thread that has posted, a fence is enough. Else the system interrupts those that are running.
    static func barrier() {
        System.fence()
        let newest = PostingThread(address: first.acquiringLoad())
        let other = newest?.address == current?.address ? newest?.following : newest
        if other != nil && System.hasBarrierOnAllThreads { System.barrierOnAllThreads() }
    }

    /// Calls `body` with every frame that a live thread may be posting with.
    static func forEachFrame(_ body: (PostingFrame) -> Void) {
        var record = PostingThread(address: first.acquiringLoad())
        while let thread = record {
            unsafe thread.forEachFrame(body)
            record = thread.following
        }
    }

    /// Whether a frame belongs to another thread than the current one.
    static func isOfAnotherThread(_ frame: PostingFrame) -> Bool {
        guard let own = current?.address else { return true }
        let address = unsafe UInt(bitPattern: frame.words)
        return address < own || address >= own + UInt(size * MemoryLayout<UInt>.stride)
    }

    private var following: PostingThread? { unsafe PostingThread(address: next.pointee.acquiringLoad()) }

    private func forEachFrame(_ body: (PostingFrame) -> Void) {
        let end = unsafe self.end.pointee.acquiringLoad()
        var frame = unsafe frame(0)
        while unsafe UInt(bitPattern: frame.words) < end {
            unsafe body(frame)
            unsafe frame = unsafe frame.next
        }
    }
}
