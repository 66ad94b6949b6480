import ThreadLocalFrame

/// A value that one thread at a time can reach.
///
/// Inside ``withLock(_:)``, call no code of a user and release nothing of a user's: it may call the center and wait for
/// the same lock. Keep such a result with `withExtendedLifetime`, or the optimizer may release it before unlocking.
/// Unchecked, because the compiler does not know the mutex. It is a pthread mutex, because the thread sanitizer reports
/// false races with the standard library's `Mutex`.
@safe
struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @unsafe
    private struct Content: ~Copyable {
        var mutex = unsafe pthread_mutex_t()
        var value: Value
    }

    private let content: UnsafeMutablePointer<Content>
    /// The first member of the content.
    private var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        unsafe UnsafeMutableRawPointer(content).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    init(_ value: consuming sending Value) {
        unsafe content = .allocate(capacity: 1)
        unsafe content.initialize(to: Content(value: value))
        let status = unsafe pthread_mutex_init(mutex, nil)
        precondition(status == 0, "a lock can't be made (error \(status))")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe content.deinitialize(count: 1)
        unsafe content.deallocate()
    }

    /// Calls `body` with the value while no other thread can reach it.
    @inline(__always)
    func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe System.lock(mutex)
        defer { unsafe System.unlock(mutex) }
        return try unsafe body(&content.pointee.value)
    }
}
