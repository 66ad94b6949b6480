/// Runs `body` on a thread of its own, which ends with it.
///
/// For a body that waits for long: on a queue of Dispatch it would hold one of the few threads that the stand's own
/// queue needs to be on time.
///
/// - Returns: 0, or the system's error.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let (thread, status) = makeThread(body)
    thread?.detach()
    return status
}

/// Whether the system grants `count` more threads at once, with their stacks. They have ended when this returns.
package func canStartThreads(_ count: Int) -> Bool {
    let gate = Guarded(())
    var threads: [StartedThread] = []
    gate.withLock { _ in
        while threads.count < count, let thread = makeThread({ gate.withLock { _ in } }).thread {
            threads.append(thread)
        }
    }
    for thread in threads { thread.join() }
    return threads.count == count
}

/// A thread that must be joined or detached, once.
@safe
private struct StartedThread {
    let handle: pthread_t

    /// Waits for its end.
    func join() {
        #if canImport(Darwin)
            unsafe pthread_join(handle, nil)
        #else
            pthread_join(handle, nil)
        #endif
    }

    func detach() {
        #if canImport(Darwin)
            unsafe pthread_detach(handle)
        #else
            pthread_detach(handle)
        #endif
    }
}

/// - Returns: The thread, or nil and the system's error.
private func makeThread(_ body: @escaping @Sendable () -> Void) -> (thread: StartedThread?, status: Int32) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = unsafe Unmanaged.passRetained(Box(body))
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    let status = unsafe pthread_create(
        &thread, nil,
        { argument in
            #if canImport(Darwin)
                let box = unsafe Unmanaged<AnyObject>.fromOpaque(argument).takeRetainedValue()
            #else
                let box = unsafe Unmanaged<AnyObject>.fromOpaque(argument!).takeRetainedValue()
            #endif
            (box as! Box).body()
            return nil
        }, box.toOpaque())
    guard status == 0 else {
        unsafe box.release()
        return (nil, status)
    }
    #if canImport(Darwin)
        return (unsafe thread.map { unsafe StartedThread(handle: $0) }, 0)
    #else
        return (StartedThread(handle: thread), 0)
    #endif
}

/// Lets threads of usual priority go before the calling one, where the system has a priority for each thread.
///
/// On a busy machine it still gets about a tenth of their time; with `SCHED_IDLE` it could starve.
package func lowerPriorityOfThread() {
    #if os(Linux)
        // If the system refuses, the usual priority will do.
        _ = juicestand_lower_priority(10, 100_000)
    #endif
}
