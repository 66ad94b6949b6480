/// Runs `body` on a thread of its own, which ends with it.
///
/// A queue of Dispatch would do for short work; a body that waits all its life would hold one of the few threads that the
/// stand's own queue needs to be on time.
///
/// - Returns: 0, or the system's error.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
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
        return status
    }
    #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
        pthread_detach(thread)
    #endif
    return 0
}

/// Lets every other thread go before the calling one, where the system has a priority for each thread.
package func lowerPriorityOfThread() {
    // 0 is the calling thread. If the system refuses, the usual priority will do.
    #if canImport(Glibc)
        _ = setpriority(Int32(bitPattern: PRIO_PROCESS.rawValue), 0, 19)
    #elseif canImport(Musl)
        _ = setpriority(PRIO_PROCESS, 0, 19)
    #endif
}
