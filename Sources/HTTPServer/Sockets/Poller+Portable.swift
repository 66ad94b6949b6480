import Platform

#if !os(Linux)
    #if canImport(Darwin)
        import Darwin
    #endif

    /// Waits for many descriptors with `poll`, which every system has. Its cost grows with their number.
    struct Poller: ~Copyable {
        private final class Registration {
            var descriptors: [pollfd] = []
            var ids: [UInt64] = []
        }

        private let watched = Registration()
        private var ready: [(id: UInt64, readiness: Readiness)] = []

        init() throws(FileError) {}

        func add(_ descriptor: Int32, id: UInt64, for readiness: Readiness) -> Bool {
            watched.descriptors.append(pollfd(fd: descriptor, events: Self.flags(readiness), revents: 0))
            watched.ids.append(id)
            return true
        }

        func change(_ descriptor: Int32, id: UInt64, for readiness: Readiness) {
            let index = watched.descriptors.firstIndex { $0.fd == descriptor }!
            watched.descriptors[index].events = Self.flags(readiness)
        }

        func remove(_ descriptor: Int32) {
            guard let index = watched.descriptors.firstIndex(where: { $0.fd == descriptor }) else { return }
            watched.descriptors.remove(at: index)
            watched.ids.remove(at: index)
        }

        mutating func wait(milliseconds: Int32) -> Int {
            let count = unsafe poll(&watched.descriptors, nfds_t(watched.descriptors.count), milliseconds)
            precondition(count >= 0 || errno == EINTR, "poll: \(reasonOfLastError())")
            ready.removeAll(keepingCapacity: true)
            guard count > 0 else { return 0 }
            for (index, descriptor) in watched.descriptors.enumerated() where descriptor.revents != 0 {
                let flags = Int32(descriptor.revents)
                var readiness: Readiness = []
                if flags & Int32(POLLIN) != 0 { readiness.insert(.reading) }
                if flags & Int32(POLLOUT) != 0 { readiness.insert(.writing) }
                if flags & Int32(POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.broken) }
                ready.append((watched.ids[index], readiness))
            }
            return ready.count
        }

        subscript(_ index: Int) -> (id: UInt64, readiness: Readiness) { ready[index] }

        private static func flags(_ readiness: Readiness) -> Int16 {
            (readiness.contains(.reading) ? Int16(POLLIN) : 0) | (readiness.contains(.writing) ? Int16(POLLOUT) : 0)
        }
    }
#endif
