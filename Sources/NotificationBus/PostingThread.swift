import Synchronization
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
    private let words: UnsafeMutablePointer<Atomic<UInt>>

    /// Posts may be nested this deep.
    static let deepest = 256
    private static let header = 8
    private static let size = unsafe header + PostingFrame.size * (deepest + 1)

    private init?(address: UInt) {
        guard let words = unsafe UnsafeMutablePointer<Atomic<UInt>>(bitPattern: address) else { return nil }
        unsafe self.words = words
    }

    private var address: UInt { unsafe UInt(bitPattern: words) }
    private var next: UnsafeMutablePointer<Atomic<UInt>> { unsafe words }
    private var previous: UnsafeMutablePointer<Atomic<UInt>> { unsafe words + 1 }
    private var end: UnsafeMutablePointer<Atomic<UInt>> { unsafe words + 2 }

    private func frame(_ depth: Int) -> PostingFrame {
        unsafe PostingFrame(words: words + (Self.header + PostingFrame.size * depth))
    }

    /// How deep the posts of the current thread are nested; the record must be its own.
    private var depth: Int {
        let top = unsafe UInt(bitPattern: PostingFrame.current.words)
        let bottom = unsafe UInt(bitPattern: frame(0).words)
        return unsafe Int(top - bottom) / (PostingFrame.size * MemoryLayout<UInt>.stride)
    }
}

// MARK: - The current thread

extension PostingThread {
    /// The record of the current thread; `nil` before its first post.
    static var current: PostingThread? { PostingThread(address: juicestand_record()) }

    /// A usable frame for a post of the current thread; `nil` if its posts are nested too deep.
    static func enter() -> PostingFrame? {
        let thread = current ?? enrolled()
        let frame = unsafe PostingFrame.current
        if unsafe !frame.isReady {
            guard thread.depth < deepest else { return nil }
            unsafe frame.prepare()
            unsafe thread.end.pointee.store(UInt(bitPattern: frame.next.words), ordering: .releasing)
        }
        return unsafe frame
    }

    /// The sender of the innermost post of the current thread; 0 without one.
    static var currentSender: UInt {
        guard let thread = current, thread.depth > 0 else { return 0 }
        return unsafe thread.frame(thread.depth - 1).sender.pointee.load(ordering: .relaxed)
    }

    /// The places of the posts that the current thread has under way, outermost first.
    static var currentPlaces: [UInt] {
        guard let thread = current else { return [] }
        return (0..<thread.depth).map { unsafe thread.frame($0).place.pointee.load(ordering: .relaxed) }
    }
}

// MARK: - The list of live threads

extension PostingThread {
    /// The newest record of the list; other records follow.
    private static let first = Atomic<UInt>(0)

    /// Records that ended threads left, and how many records exist. Guards every change of the list.
    private static let spare = Guarded(Spare())

    private struct Spare {
        var records: [UInt] = []
        var made = 0
    }

    /// Gives the current thread a record.
    private static func enrolled() -> PostingThread {
        let record = spare.withLock { spare in
            let record = spare.records.popLast().flatMap { PostingThread(address: $0) } ?? made(&spare)
            let head = first.load(ordering: .relaxed)
            unsafe record.previous.pointee.store(0, ordering: .relaxed)
            unsafe record.next.pointee.store(head, ordering: .relaxed)
            if let head = PostingThread(address: head) {
                unsafe head.previous.pointee.store(record.address, ordering: .relaxed)
            }
            first.store(record.address, ordering: .releasing)
            return record
        }
        juicestand_set_record(record.address)
        unsafe PostingFrame.current = record.frame(0)
        unsafe System.tellOfEnd(of: record.words)
        // Either a thread that frees sees this record, or this thread sees what the other took away.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return record
    }

    private static func made(_ spare: inout Spare) -> PostingThread {
        spare.made += 1
        // Of a cache line's alignment, so that threads do not slow one another down. Frames are initialized as they are
        // needed, and most threads need one or two.
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size * MemoryLayout<Atomic<UInt>>.stride, alignment: 128)
        let words = unsafe memory.bindMemory(to: Atomic<UInt>.self, capacity: size)
        for word in 0..<header { unsafe (words + word).initialize(to: Atomic(0)) }
        let record = unsafe PostingThread(address: UInt(bitPattern: memory)).unsafelyUnwrapped
        unsafe record.frame(0).clear()
        unsafe record.end.pointee.store(UInt(bitPattern: record.frame(0).words), ordering: .relaxed)
        return record
    }

    /// Takes a record out of the list when its thread ends.
    ///
    /// A thread that ends inside an observer has posts under way. They end here, and what waited for them is freed.
    static func end(_ record: UnsafeMutableRawPointer?) {
        guard let thread = PostingThread(address: UInt(bitPattern: record)) else { return }
        var isOwing = false
        unsafe PostingFrame.current = thread.frame(0)
        unsafe thread.forEachFrame { frame in
            unsafe frame.sender.pointee.store(0, ordering: .relaxed)
            _ = unsafe frame.place.pointee.exchange(0, ordering: .sequentiallyConsistent)
            if unsafe frame.pay() { isOwing = true }
        }
        // Captures are released here, and their ends may post.
        if isOwing { Backlog.settle() }
        juicestand_forget_thread()
        spare.withLock { spare in
            let next = unsafe thread.next.pointee.load(ordering: .relaxed)
            let previous = unsafe thread.previous.pointee.load(ordering: .relaxed)
            if let next = PostingThread(address: next) {
                unsafe next.previous.pointee.store(previous, ordering: .relaxed)
            }
            if let previous = PostingThread(address: previous) {
                unsafe previous.next.pointee.store(next, ordering: .releasing)
            } else {
                first.store(next, ordering: .releasing)
            }
            spare.records.append(thread.address)
        }
    }

    /// How many records exist, and how many of them belong to live threads.
    static var count: (made: Int, live: Int) { spare.withLock { ($0.made, $0.made - $0.records.count) } }
}

// MARK: - What other threads are doing

extension PostingThread {
    /// Orders what this thread wrote before against what every posting thread reads after.
    ///
    /// With no other live thread that has posted, a fence is enough.
    ///
    /// - Complexity: O(1), and where other threads have posted a call of the system that interrupts those that are
    ///   running.
    static func barrier() {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let own = juicestand_record()
        var record = PostingThread(address: first.load(ordering: .acquiring))
        while let thread = record {
            if thread.address != own {
                if System.hasBarrierOnAllThreads { System.barrierOnAllThreads() }
                return
            }
            record = thread.following
        }
    }

    /// Calls `body` with every frame that a live thread may be posting with.
    ///
    /// - Complexity: O(*t*) in the number of live threads that have posted.
    static func forEachFrame(_ body: (PostingFrame) -> Void) {
        var record = PostingThread(address: first.load(ordering: .acquiring))
        while let thread = record {
            unsafe thread.forEachFrame(body)
            record = thread.following
        }
    }

    /// Whether a frame belongs to another thread than the current one.
    static func isOfAnotherThread(_ frame: PostingFrame) -> Bool {
        let own = juicestand_record()
        let address = unsafe UInt(bitPattern: frame.words)
        return own == 0 || address < own || address >= own + UInt(size * MemoryLayout<UInt>.stride)
    }

    private var following: PostingThread? { unsafe PostingThread(address: next.pointee.load(ordering: .acquiring)) }

    private func forEachFrame(_ body: (PostingFrame) -> Void) {
        let end = unsafe self.end.pointee.load(ordering: .acquiring)
        var frame = unsafe frame(0)
        while unsafe UInt(bitPattern: frame.words) < end {
            unsafe body(frame)
            unsafe frame = unsafe frame.next
        }
    }
}
