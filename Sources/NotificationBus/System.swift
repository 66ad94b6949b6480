import Platform
import Synchronization

/// The few calls of the system that the center makes.
enum System {
    /// Makes every other thread of the process pass a full memory barrier; `nil` where the system can't.
    ///
    /// With it, posting threads get by without a barrier of their own. Linux offers it as `membarrier`; a process whose
    /// system does not have it, or whose sandbox forbids it, gets `nil`, and its posts pay for the barrier.
    static let barrierOnAllThreads: (@Sendable () -> Void)? = {
        #if os(Linux)
            let privateExpedited: Int32 = 1 << 3
            let registerPrivateExpedited: Int32 = 1 << 4
            guard juicestand_membarrier(registerPrivateExpedited) == 0, juicestand_membarrier(privateExpedited) == 0
            else { return nil }
            return {
                let status = juicestand_membarrier(privateExpedited)
                precondition(status == 0, "membarrier, once registered, failed with \(status)")
            }
        #else
            return nil
        #endif
    }()

    /// A key that tells ``PostingThread/end(_:)`` of the end of each thread that has set a value for it.
    static func threadKey() -> pthread_key_t {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { unsafe PostingThread.end($0) }
        precondition(status == 0, "no thread-specific key is left in this process (error \(status))")
        return key
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
        if count < 16 {
            sched_yield()
        } else {
            var nap = timespec(tv_sec: 0, tv_nsec: min(20_000 << min(count - 16, 6), 1_000_000))
            unsafe nanosleep(&nap, nil)
        }
        count += 1
    }
}
