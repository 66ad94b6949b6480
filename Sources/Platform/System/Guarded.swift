import Synchronization

// Why `@unchecked Sendable` is right here:
//
// The value can be reached only inside `withLock`, and `isLocked` admits one thread at a time. The standard library's
// `Mutex` is not used because the thread sanitizer reports false races with it.
//
// The stand's observers take a lock for every fact, and hardly ever contend for it. So the uncontended case is cheap:
// one exchange to lock and one store to unlock, both inlined, beside the value. A mutex of the system needs a second
// exchange to learn whether to wake a waiting thread. Here no thread is woken: a waiting thread polls the lock with
// short sleeps. Locks are short, so it seldom sleeps at all.

/// A value that one thread at a time can reach.
///
/// Inside ``withLock(_:)``, call no unknown code, and release no value whose `deinit` is unknown.
@safe
@frozen
@usableFromInline
package struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @frozen
    @usableFromInline
    struct Content: ~Copyable {
        @usableFromInline let isLocked = Atomic(false)
        @usableFromInline var value: Value

        @inlinable
        init(_ value: consuming Value) {
            self.value = value
        }
    }

    @usableFromInline let content: UnsafeMutablePointer<Content>
    /// Points to the value inside `content`. For the thread sanitizer, writing the value through `content` would be an
    /// access to the lock, too.
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: consuming sending Value) {
        unsafe content = .allocate(capacity: 1)
        unsafe content.initialize(to: Content(value))
        unsafe self.value = withUnsafeMutablePointer(to: &content.pointee.value) { unsafe $0 }
    }

    @inlinable
    deinit {
        unsafe content.deinitialize(count: 1)
        unsafe content.deallocate()
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

    /// Locks the value until ``unlock()``, to guard state outside the value together with it.
    @inlinable
    package func lock() {
        if unsafe content.pointee.isLocked.exchange(true, ordering: .acquiring) {
            unsafe Platform.lock(content.pointee.isLocked)
        }
    }

    @inlinable
    package func unlock() { unsafe content.pointee.isLocked.store(false, ordering: .releasing) }
}

/// Takes a contended lock: spins about as long as a short lock is held, then polls with sleeps of 20 microseconds to
/// a millisecond.
@usableFromInline
func lock(_ isLocked: borrowing Atomic<Bool>) {
    var looks = 0
    while isLocked.load(ordering: .relaxed) || isLocked.exchange(true, ordering: .acquiring) {
        looks += 1
        if looks > 100 { usleep(min(1000, 20 << UInt32(min(looks - 101, 6)))) }
    }
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
