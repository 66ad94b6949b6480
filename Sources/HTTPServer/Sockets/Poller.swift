import Platform

/// The operations to watch a descriptor for, or those it is ready for.
struct Readiness: OptionSet {
    let rawValue: UInt8

    static let reading = Readiness(rawValue: 1)
    static let writing = Readiness(rawValue: 2)
    /// The connection is broken. Always reported.
    static let broken = Readiness(rawValue: 4)
}

#if os(Linux)
    /// Waits for many descriptors with `epoll`, level-triggered: a descriptor that is still ready is reported again.
    @safe
    struct Poller: ~Copyable {
        private let descriptor: Int32
        // An event is unsafe because it may hold a pointer. Here it holds a number.
        private var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)

        /// - Throws: ``FileError`` if the system has no descriptor left.
        init() throws(FileError) {
            descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard descriptor >= 0 else { throw FileError(lastErrorAt: "epoll") }
        }

        deinit { close(descriptor) }

        /// Watches a descriptor.
        ///
        /// - Returns: False if the system has no memory for it.
        func add(_ watched: Int32, id: UInt64, for readiness: Readiness) -> Bool {
            control(EPOLL_CTL_ADD, watched, id, readiness)
        }

        /// Changes the operations that a descriptor is watched for.
        func change(_ watched: Int32, id: UInt64, for readiness: Readiness) {
            let isDone = control(EPOLL_CTL_MOD, watched, id, readiness)
            precondition(isDone, "epoll does not know descriptor \(watched)")
        }

        /// Ends the watch. Call it before the descriptor is closed.
        func remove(_ watched: Int32) { _ = control(EPOLL_CTL_DEL, watched, 0, []) }

        /// Waits until a descriptor is ready, a signal arrives or the time is over.
        ///
        /// - Parameter milliseconds: -1 for no limit.
        /// - Returns: The number of ready descriptors; see ``subscript(_:)``.
        mutating func wait(milliseconds: Int32) -> Int {
            let count = unsafe epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
            precondition(count >= 0 || errno == EINTR, "epoll_wait: \(reasonOfLastError())")
            return max(0, Int(count))
        }

        /// The ready descriptors of the last wait, by index.
        subscript(_ index: Int) -> (id: UInt64, readiness: Readiness) {
            let flags = unsafe events[index].events
            var readiness: Readiness = []
            if flags & EPOLLIN.rawValue != 0 { readiness.insert(.reading) }
            if flags & EPOLLOUT.rawValue != 0 { readiness.insert(.writing) }
            if flags & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.broken) }
            return unsafe (events[index].data.u64, readiness)
        }

        private func control(_ operation: Int32, _ watched: Int32, _ id: UInt64, _ readiness: Readiness) -> Bool {
            var flags: UInt32 = 0
            if readiness.contains(.reading) { flags |= EPOLLIN.rawValue }
            if readiness.contains(.writing) { flags |= EPOLLOUT.rawValue }
            var event = unsafe epoll_event(events: flags, data: epoll_data_t(u64: id))
            return unsafe epoll_ctl(descriptor, operation, watched, &event) == 0
        }
    }
#endif
