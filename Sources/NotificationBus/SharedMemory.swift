public import Synchronization
import ThreadLocalFrame

// Everything through which one thread meets another: the words that posts read without a lock, and the calls of the
// system. `scripts/explore` builds the module with another file in the place of this one, and decides each of these
// steps. The tables of channels are not among the words: nothing of them is reclaimed while their center lives.

/// A word of memory that several threads use.
///
/// There is a method for each operation and memory order, because the compiler refuses an order that is passed on. No
/// other thread writes a word when it is read in relaxed order.
@frozen @usableFromInline
struct Word: ~Copyable, Sendable {
    @usableFromInline let value: Atomic<UInt>

    @inlinable @inline(__always) init(_ value: UInt) { self.value = Atomic(value) }
    @inlinable @inline(__always) func relaxedLoad() -> UInt { value.load(ordering: .relaxed) }
    @inlinable @inline(__always) func acquiringLoad() -> UInt { value.load(ordering: .acquiring) }
    @inlinable @inline(__always) func sequentialLoad() -> UInt { value.load(ordering: .sequentiallyConsistent) }
    @inlinable @inline(__always) func relaxedStore(_ new: UInt) { value.store(new, ordering: .relaxed) }
    @inlinable @inline(__always) func releasingStore(_ new: UInt) { value.store(new, ordering: .releasing) }
    @inlinable @inline(__always) func exchange(_ new: UInt) -> UInt {
        value.exchange(new, ordering: .sequentiallyConsistent)
    }
    @inlinable @inline(__always) func add(_ more: UInt) {
        value.wrappingAdd(more, ordering: .sequentiallyConsistent)
    }
}

/// The calls of the system that the center makes.
enum System {
    /// Whether ``barrierOnAllThreads()`` works. If not, each post makes barriers of its own.
    ///
    /// Linux has it as `membarrier(2)`. A sandbox may forbid it.
    static let hasBarrierOnAllThreads = notificationbus_register_membarrier() == 0

    /// Makes every other thread of the process pass a full memory barrier.
    static func barrierOnAllThreads() {
        let status = notificationbus_membarrier()
        precondition(status == 0, "membarrier, once registered, failed with \(status)")
    }

    /// Makes the current thread pass a full memory barrier.
    static func fence() { atomicMemoryFence(ordering: .sequentiallyConsistent) }

    private static let key = {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { unsafe PostingThread.end($0) }
        precondition(status == 0, "no thread-specific key is left in this process (error \(status))")
        return key
    }()

    /// Has ``PostingThread/end(_:)`` called with `record` when the current thread ends.
    static func notifyOfEnd(of record: UnsafeMutableRawPointer) {
        let status = unsafe pthread_setspecific(key, record)
        precondition(status == 0, "the end of this thread cannot be observed (error \(status))")
    }

    static func lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) { unsafe pthread_mutex_lock(mutex) }
    static func unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) { unsafe pthread_mutex_unlock(mutex) }

    static func allocate(words count: Int, alignment: Int = 16) -> UnsafeMutablePointer<Word> {
        unsafe UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Word>.stride, alignment: alignment)
            .bindMemory(to: Word.self, capacity: count)
    }

    static func free(_ words: UnsafeMutablePointer<Word>) { unsafe words.deallocate() }

    /// Called before an observer is released that no post uses any more.
    static func willRelease(_ observer: Observer) {}

    /// Gives way to other threads, for longer the more often it was called before.
    static func pause(_ count: inout Int) {
        // Among many threads that run, a yield takes a whole round of them, and a thread that wakes up comes first.
        if count < 2 {
            sched_yield()
        } else {
            var nap = timespec(tv_sec: 0, tv_nsec: min(20_000 << min(count - 2, 6), 1_000_000))
            unsafe nanosleep(&nap, nil)
        }
        count += 1
    }
}
