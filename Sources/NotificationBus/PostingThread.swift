import ThreadLocalFrame

/// The posting threads of the process, each with a record: a frame for each level of nesting.
///
/// A record is named by the address of its outermost frame. A thread that ends leaves its record to a later thread. The
/// memory stays a record, so a thread that waits for a post may read its frame whenever it likes.
enum PostingThread {
    /// The deepest nesting of posts.
    static let deepest = 256
    private static let words = unsafe PostingFrame.size * (deepest + 1)

    /// The records of live threads that have posted, and those that ended threads left.
    static let records = Locked<(live: [UInt], spare: [UInt])>(([], []))
    /// How many threads are live, and have posted.
    private static let count = Word(0)

    private static func frame(_ record: UInt) -> PostingFrame {
        unsafe PostingFrame(words: UnsafeMutablePointer(bitPattern: record).unsafelyUnwrapped)
    }
}

// MARK: - The current thread

extension PostingThread {
    /// The record of the current thread; `nil` before its first post.
    static var current: UInt? { notificationbus_has_frame() == 0 ? nil : notificationbus_frame() }

    /// A usable frame for a post of the current thread, in `outer` if given; `nil` if its posts are nested too deep.
    static func enter(inside outer: PostingFrame? = nil) -> PostingFrame? {
        if current == nil { enroll() }
        let frame = unsafe outer?.next ?? PostingFrame.current.frame
        return unsafe frame.isReady ? frame : nil
    }

    /// Gives the current thread a record.
    private static func enroll() {
        let record = records.withLock { records in
            let record = records.spare.popLast() ?? makeRecord()
            records.live.append(record)
            count.add(1)
            return record
        }
        notificationbus_set_frame(record)
        unsafe System.notifyOfEnd(of: frame(record).words)
        // So either a thread that reclaims sees this record, or this thread sees what the other took out of use.
        System.fence()
    }

    private static func makeRecord() -> UInt {
        // Of a cache line's alignment, so that threads do not slow one another down.
        let words = unsafe System.allocate(words: words, alignment: 128)
        for word in 0..<Self.words { unsafe (words + word).initialize(to: Word(0)) }
        // The last frame is never ready.
        unsafe words[Self.words - PostingFrame.size].relaxedStore(1)
        return UInt(bitPattern: words)
    }

    /// Takes the record of a thread out of use when the thread ends.
    ///
    /// A thread that ends inside an observer has posts under way. They end here, and what waited for them is freed.
    static func end(_ record: UnsafeMutableRawPointer?) {
        let record = UInt(bitPattern: record)
        var isRequested = false
        unsafe forEachPost(of: record) { frame, _ in
            _ = unsafe frame.hazard.pointee.exchange(0)
            if unsafe frame.takeRequest() { isRequested = true }
        }
        // Captures are released here, and their ends may post.
        if isRequested { Backlog.reclaim() }
        notificationbus_forget_frame()
        records.withLock { records in
            records.live.removeAll { $0 == record }
            count.add(0 &- 1)
            records.spare.append(record)
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
        if hasOthers && System.hasBarrierOnAllThreads { System.barrierOnAllThreads() }
    }

    private static var hasOthers: Bool { count.sequentialLoad() > (current == nil ? 0 : 1) }

    /// Calls `body` with the frame and the hazard of every post that is under way, under a lock if others may post.
    static func forEachPost(_ body: (PostingFrame, _ hazard: UInt) -> Void) {
        if hasOthers {
            records.withLock { records in
                for record in records.live { unsafe forEachPost(of: record, body) }
            }
        } else if let current {
            unsafe forEachPost(of: current, body)
        }
    }

    /// Calls `body` for the posts of one thread, outermost first: a nested post ends before the outer one.
    private static func forEachPost(of record: UInt, _ body: (PostingFrame, _ hazard: UInt) -> Void) {
        var frame = unsafe frame(record)
        while true {
            let hazard = unsafe frame.hazard.pointee.acquiringLoad()
            if hazard <= 1 { return }
            unsafe body(frame, hazard)
            unsafe frame = unsafe frame.next
        }
    }

    /// Whether a frame belongs to another thread than the current one.
    static func isOfAnotherThread(_ frame: PostingFrame) -> Bool {
        guard let own = current else { return true }
        let address = unsafe UInt(bitPattern: frame.words)
        return address < own || address >= own + UInt(words * MemoryLayout<UInt>.stride)
    }
}
