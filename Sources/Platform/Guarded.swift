// Why `@unchecked Sendable` is right here:
//
// The value can be reached only inside `withLock`, and the pthread mutex admits one thread at a time. The standard
// library's `Mutex` is not used because the thread sanitizer reports false races with it. The members can be inlined
// elsewhere because the stand's observers take a lock for every fact.

/// A value that one thread at a time can reach.
///
/// Nothing unknown may be called, and nothing with a `deinit` of unknown make released, inside ``withLock(_:)``.
/// Unchecked since the compiler does not know the mutex: the value is reached with it locked, and in no other way.
@safe
@frozen
@usableFromInline
package struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: consuming sending Value) {
        unsafe self.mutex = .allocate(capacity: 1)
        unsafe self.value = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe self.value.initialize(to: value)
        let status = unsafe pthread_mutex_init(mutex, nil)
        precondition(status == 0, "a lock can't be made (error \(status))")
    }

    @inlinable
    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Calls `body` with the value while no other thread can reach it.
    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try unsafe body(&value.pointee)
    }

    /// Keeps other threads from reaching the value until ``unlock()``, for what the value does not hold but goes with
    /// it.
    @inlinable
    package func lock() { unsafe pthread_mutex_lock(mutex) }

    @inlinable
    package func unlock() { unsafe pthread_mutex_unlock(mutex) }
}

extension Guarded {
    /// Puts `new` in place of a part of the value, and returns what was there.
    package func exchange<Part>(_ part: WritableKeyPath<Value, Part>, for new: Part) -> Part {
        withLock { value in
            defer { value[keyPath: part] = new }
            return value[keyPath: part]
        }
    }
}
