import Platform

/// System calls on a non-blocking socket. Its owner closes it.
package struct Socket {
    package let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    package enum Transfer: Equatable {
        case bytes(Int)
        /// The call would block.
        case wouldWait
        /// The peer has finished sending, or is gone.
        case ended
    }

    /// The outcome of accepting a connection.
    package enum Accepted {
        /// With the address of a client over TCP.
        case connection(Socket, NetworkAddress?)
        /// No connection waits.
        case none
        /// The connection was aborted before it was accepted.
        case aborted
        /// No descriptor or no memory is left.
        case exhausted
    }

    /// Receives into `bytes`, as far as there is room.
    package func receive(into bytes: inout [UInt8]) -> Transfer {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldWait }
            if errno != EINTR { return .ended }
        }
    }

    /// Sends what the socket takes.
    package func send(_ bytes: ArraySlice<UInt8>) -> Transfer {
        while true {
            let count = unsafe bytes.withUnsafeBytes { unsafe systemSend(descriptor, $0) }
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS { return .wouldWait }
            if errno != EINTR { return .ended }
        }
    }

    package func accept() -> Accepted {
        var storage = sockaddr_in6()
        let accepted = systemAccept(descriptor, &storage)
        guard accepted >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .none
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .aborted
            }
        }
        let socket = Socket(descriptor: accepted)
        socket.becomeNonBlocking()
        return .connection(socket, NetworkAddress(storage))
    }

    package func becomeNonBlocking() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Why the connection failed, such as "Connection refused"; nil if it did not.
    package var failure: String? {
        var number = Int32(0)
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
        return number == 0 ? nil : unsafe String(cString: strerror(number))
    }

    /// Shuts down the sending side.
    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    package func close() { systemClose(descriptor) }

    /// The effective user of the process at the other end of a Unix socket; nil if the system does not tell.
    package var peerUser: uid_t? {
        #if canImport(Darwin)
            var user = uid_t()
            var group = gid_t()
            return unsafe getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #else
            // `struct ucred`, which Swift's module of the C library leaves out: process, user and group.
            var credentials: [UInt32] = [0, 0, 0]
            var length = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
            let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
            return status == 0 ? credentials[1] : nil
        #endif
    }

    /// Sends small responses at once, without waiting for an acknowledgement (`TCP_NODELAY`).
    package func sendAtOnce() { set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

    /// Limits the bytes that the system buffers for a slow reader.
    package func keepUnsent(_ bytes: Int32) { set(SOL_SOCKET, SO_SNDBUF, bytes) }

    package func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

// System calls whose names the methods above hide.

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
        // There the process must ignore SIGPIPE.
        unsafe send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
        unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}

private func systemAccept(_ descriptor: Int32, _ address: inout sockaddr_in6) -> Int32 {
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe accept(descriptor, $0, &length) }
    }
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
