public import Platform
public import Synchronization

/// What one thread announces about the posts it has under way, one frame for each level of nesting.
///
/// ```
/// top | limit | next thread | in use || slot, debt, sender, – | slot, debt, sender, – | …
/// ```
///
/// - `slot` is the address of the slot whose observer the thread is calling or about to call, the address of the rack
///   before the first, and 0 when no post is under way at that level. Others read it.
/// - `debt` is set by a thread that found the frame in its way; whoever leaves the frame then frees what was waiting.
/// - `sender` is the identity of the object that posts, 0 without one. Only the thread itself reads and writes it.
/// - `top` is the first free frame, and only the thread's own; frames from `limit` on have never been used.
///
/// Records outlive their threads: a thread that ends leaves its record to the next one that posts, so walking the list of
/// records needs no lock.
@frozen
@usableFromInline
@safe
struct PostingThread {
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    @inlinable
    @inline(__always)
    init(words: UnsafeMutablePointer<Atomic<UInt>>) {
        unsafe self.words = words
    }

    /// The record of the current thread; `nil` before its first post.
    ///
    /// A call into the C library each time: it is what the system has for a word per thread, and nothing that a compiler
    /// might carry over from before a suspension of an asynchronous function to after it, on another thread.
    @inlinable
    @inline(__always)
    static func current(_ key: pthread_key_t) -> PostingThread? {
        guard let record = unsafe pthread_getspecific(key) else { return nil }
        return unsafe PostingThread(words: record.assumingMemoryBound(to: Atomic<UInt>.self))
    }

    /// The first free frame.
    @inlinable
    @inline(__always)
    var top: UnsafeMutablePointer<Atomic<UInt>> {
        get {
            unsafe UnsafeMutablePointer(bitPattern: words.pointee.load(ordering: .relaxed)).unsafelyUnwrapped
        }
        nonmutating set {
            unsafe words.pointee.store(UInt(bitPattern: newValue), ordering: .relaxed)
        }
    }

    /// The first free frame, if it has been used before, so that a post may use it without asking for more.
    @inlinable
    @inline(__always)
    var frame: UnsafeMutablePointer<Atomic<UInt>>? {
        let top = unsafe words.pointee.load(ordering: .relaxed)
        let limit = unsafe words.advanced(unchecked: 1).pointee.load(ordering: .relaxed)
        return unsafe top == limit ? nil : UnsafeMutablePointer(bitPattern: top)
    }

    /// Words from one frame to the next.
    @inlinable
    @inline(__always)
    static var frameSize: Int { 4 }
}

// MARK: - Enrolling

extension PostingThread {
    /// Posts may be nested this deep.
    static let deepest = 256
    private static let header = 4
    private static let size = header + frameSize * deepest

    private static let first = Atomic<UInt>(0)

    /// The key of every thread's record.
    static let key = System.threadKey()

    /// Leaves a record to the next thread that posts, when its own ends.
    static func leave(_ record: UnsafeMutableRawPointer?) {
        guard let record = unsafe record else { return }
        let thread = unsafe PostingThread(words: record.assumingMemoryBound(to: Atomic<UInt>.self))
        unsafe thread.inUse.pointee.store(0, ordering: .releasing)
    }

    private var limit: UnsafeMutablePointer<Atomic<UInt>> { unsafe words + 1 }
    private var next: UnsafeMutablePointer<Atomic<UInt>> { unsafe words + 2 }
    private var inUse: UnsafeMutablePointer<Atomic<UInt>> { unsafe words + 3 }
    private var frames: UnsafeMutablePointer<Atomic<UInt>> { unsafe words + Self.header }

    /// The record of the current thread, made or taken over where it has none.
    static func enrolled() -> PostingThread {
        if let record = current(key) { return record }
        let record = takenOver() ?? made()
        unsafe pthread_setspecific(key, record.words)
        // The other half of `barrier()`: either the thread that frees sees this record, or this thread sees what the
        // other took away.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return record
    }

    private static func takenOver() -> PostingThread? {
        var record = PostingThread(address: first.load(ordering: .acquiring))
        while let candidate = record {
            if unsafe candidate.inUse.pointee.compareExchange(
                expected: 0, desired: 1, ordering: .acquiringAndReleasing
            ).exchanged {
                return candidate
            }
            record = unsafe PostingThread(address: candidate.next.pointee.load(ordering: .relaxed))
        }
        return nil
    }

    private static func made() -> PostingThread {
        let words = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: size)
        for index in 0..<size { unsafe (words + index).initialize(to: Atomic(0)) }
        let record = unsafe PostingThread(words: words)
        unsafe record.top = unsafe record.frames
        unsafe record.limit.pointee.store(UInt(bitPattern: record.frames), ordering: .relaxed)
        unsafe record.inUse.pointee.store(1, ordering: .relaxed)
        var head = first.load(ordering: .relaxed)
        while true {
            unsafe record.next.pointee.store(head, ordering: .relaxed)
            let (exchanged, original) = first.compareExchange(
                expected: head, desired: UInt(bitPattern: words), ordering: .acquiringAndReleasing)
            if exchanged { return record }
            head = original
        }
    }

    private init?(address: UInt) {
        guard let words = unsafe UnsafeMutablePointer<Atomic<UInt>>(bitPattern: address) else { return nil }
        unsafe self.words = words
    }

    /// How deep the thread's posts are nested.
    var depth: Int { unsafe (top - frames) / Self.frameSize }

    /// Takes one more frame into use; `false` where there is none left.
    func extend() -> Bool {
        let depth = self.depth
        guard depth < Self.deepest else { return false }
        unsafe limit.pointee.store(
            UInt(bitPattern: frames + (depth + 1) * Self.frameSize), ordering: .releasing)
        return true
    }

    /// The addresses this thread announces, outermost post first.
    var announced: [UInt] {
        (0..<depth).map { unsafe frames[$0 * Self.frameSize].load(ordering: .relaxed) }
    }

    /// The sender of the innermost post under way; 0 without one.
    var sender: UInt {
        unsafe depth == 0 ? 0 : (top - Self.frameSize + 2).pointee.load(ordering: .relaxed)
    }
}

// MARK: - What stands in the way

extension PostingThread {
    /// Orders what this thread wrote before against what every posting thread reads after.
    ///
    /// Only threads that have ever posted matter. With none but this one among them a fence is enough.
    static func barrier() {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let own = unsafe UInt(bitPattern: pthread_getspecific(key))
        var record = PostingThread(address: first.load(ordering: .acquiring))
        while let thread = record {
            if unsafe UInt(bitPattern: thread.words) != own && thread.inUse.pointee.load(ordering: .acquiring) != 0 {
                System.barrierOnAllThreads?()
                return
            }
            record = unsafe PostingThread(address: thread.next.pointee.load(ordering: .relaxed))
        }
    }

    /// Whether a thread still uses memory that was taken out of use before.
    ///
    /// Where it says yes, a thread that is in the way has been told, and calls ``Channel/settle()`` when it leaves.
    static func uses(_ addresses: Range<UInt>) -> Bool {
        // Told first, then looked at again: a thread that left in between may not have seen that it was told.
        guard unsafe anyFrame(in: addresses, { unsafe $0[1].store(1, ordering: .releasing) }) else { return false }
        barrier()
        // A frame that has not been told came later and has seen that nothing is there.
        var isHeld = false
        _ = unsafe anyFrame(in: addresses) { frame in
            if unsafe frame[1].load(ordering: .acquiring) != 0 { isHeld = true }
        }
        return isHeld
    }

    /// Whether another thread than this one is at `address`.
    static func anotherUses(_ address: UInt) -> Bool {
        let own = unsafe UInt(bitPattern: pthread_getspecific(key))
        var found = false
        _ = unsafe anyFrame(in: address..<(address + 1)) { frame in
            let isOwn = UInt(bitPattern: frame) >= own && UInt(bitPattern: frame) < own + UInt(size * 8)
            if own == 0 || !isOwn { found = true }
        }
        return found
    }

    private static func anyFrame(
        in addresses: Range<UInt>, _ found: (UnsafeMutablePointer<Atomic<UInt>>) -> Void
    ) -> Bool {
        var isFound = false
        var record = PostingThread(address: first.load(ordering: .acquiring))
        while let thread = record {
            let limit = unsafe thread.limit.pointee.load(ordering: .acquiring)
            var frame = unsafe thread.frames
            while UInt(bitPattern: frame) < limit {
                if unsafe addresses.contains(frame.pointee.load(ordering: .acquiring)) {
                    isFound = true
                    unsafe found(frame)
                }
                unsafe frame += frameSize
            }
            record = unsafe PostingThread(address: thread.next.pointee.load(ordering: .relaxed))
        }
        return isFound
    }
}

extension PostingThread {
    /// In whose name the innermost post of this thread is; 0 without a sender.
    static var currentSender: UInt {
        guard let thread = current(key) else { return 0 }
        return thread.sender
    }
}
