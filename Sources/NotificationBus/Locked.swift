#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A value that one thread at a time can reach.
///
/// Nothing of a user's may be called or released inside ``withLock(_:)``: it may call the center and wait for the same
/// lock. Unchecked, because the compiler does not know the mutex. It is a pthread mutex, because the thread sanitizer
/// reports races with the standard library's `Mutex` that are none.
@safe
struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    /// The mutex and the value in one block of memory.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    init(_ value: consuming sending Value) {
        let alignment = unsafe max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<Value>.alignment)
        let offset = unsafe (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<Value>.size, alignment: alignment)
        unsafe mutex = memory.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        unsafe self.value = (memory + offset).bindMemory(to: Value.self, capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe self.value.initialize(to: value)
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        #if canImport(Glibc)
            // A thread looks again for a while before it sleeps: what is done under these locks is short.
            unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        #endif
        let status = unsafe pthread_mutex_init(mutex, &attributes)
        unsafe pthread_mutexattr_destroy(&attributes)
        precondition(status == 0, "a lock can't be made (error \(status))")
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Calls `body` with the value while no other thread can reach it.
    @inline(__always)
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
