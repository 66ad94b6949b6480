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
        /// The connection, with the client's address if it is over TCP.
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
        #if canImport(Darwin)
            // This system has no such flag, so the process must ignore SIGPIPE.
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        while true {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Platform.send(descriptor, bytes.baseAddress, bytes.count, flags)
            }
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS { return .wouldWait }
            if errno != EINTR { return .ended }
        }
    }

    package func accept() -> Accepted {
        var peer = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let accepted = unsafe withSystemForm(&peer) { peer, _ in unsafe Platform.accept(descriptor, peer, &length) }
        guard accepted >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .none
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .aborted
            }
        }
        let socket = Socket(descriptor: accepted)
        socket.becomeNonBlocking()
        return .connection(socket, NetworkAddress(peer))
    }

    /// The address that the socket is bound to, in the system's form for a family, which the caller compares with the
    /// socket's; nil if the system does not tell.
    func name<Address>(as form: Address) -> Address? {
        var address = form
        var length = socklen_t(MemoryLayout<Address>.size)
        let status = unsafe withSystemForm(&address) { name, _ in unsafe getsockname(descriptor, name, &length) }
        return status == 0 ? address : nil
    }

    package func becomeNonBlocking() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Why the connection failed, such as "Connection refused"; nil if it did not.
    package var failure: String? {
        guard let number = option(SO_ERROR), number != 0 else { return nil }
        return unsafe String(cString: strerror(number))
    }

    /// The value of an option of `SOL_SOCKET`; nil if the system does not tell.
    func option(_ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    /// Shuts down the sending side.
    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    package func close() { _ = Platform.close(descriptor) }

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
