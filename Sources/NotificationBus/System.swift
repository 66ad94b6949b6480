import Synchronization
import ThreadLocalFrame

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few calls of the system that the center makes.
enum System {
    /// Whether ``barrierOnAllThreads()`` works. If not, each post makes barriers of its own.
    ///
    /// Linux has it as `membarrier(2)`. A sandbox may forbid it.
    static let hasBarrierOnAllThreads = juicestand_register_membarrier() == 0

    /// Makes every other thread of the process pass a full memory barrier.
    static func barrierOnAllThreads() {
        let status = juicestand_membarrier()
        precondition(status == 0, "membarrier, once registered, failed with \(status)")
    }

    private static let key = {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { unsafe PostingThread.end($0) }
        precondition(status == 0, "no thread-specific key is left in this process (error \(status))")
        return key
    }()

    /// Has ``PostingThread/end(_:)`` called with `record` when the current thread ends.
    static func tellOfEnd(of record: UnsafeMutableRawPointer) {
        let status = unsafe pthread_setspecific(key, record)
        precondition(status == 0, "the end of this thread cannot be observed (error \(status))")
    }

    /// A number that no other running thread has.
    static var thread: UInt {
        #if canImport(Darwin)
            unsafe UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

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
