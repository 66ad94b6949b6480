#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A value that one thread at a time can reach.
///
/// Nothing unknown may be called or released inside ``withLock(_:)``. Unchecked, because the compiler does not know the
/// mutex. It is a pthread mutex, because the thread sanitizer reports races with the standard library's `Mutex` that
/// are none.
@safe
struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    init(_ value: consuming sending Value) {
        unsafe self.mutex = .allocate(capacity: 1)
        unsafe self.value = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe self.value.initialize(to: value)
        let status = unsafe pthread_mutex_init(mutex, nil)
        precondition(status == 0, "a lock can't be made (error \(status))")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Calls `body` with the value while no other thread can reach it.
    func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try unsafe body(&value.pointee)
    }

    /// Keeps other threads out until ``unlock()``, for state that goes with the value.
    func lock() {
        unsafe System.lock(mutex)
    }

    func unlock() {
        unsafe System.unlock(mutex)
    }
}
