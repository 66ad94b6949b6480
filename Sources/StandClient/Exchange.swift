import HTTPServer
import Platform

/// One request to a stand and its answer, on a connection of its own.
///
/// It never waits. Once the connection is ready, as ``readiness`` says, call ``advance(_:)``.
final class Exchange {
    private let socket: Socket
    private var unsent: ArraySlice<UInt8>
    private var reader: AnswerReader

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - address: One of the target's addresses; nil for a Unix socket.
    ///   - seconds: How long connecting may block; nil lets it go on in the background.
    init(
        _ request: [UInt8], to target: StandTarget, at address: NetworkAddress?, isStream: Bool = false,
        connectingFor seconds: Int? = nil
    ) throws(StandClientError) {
        socket = try target.connect(to: address) { socket in
            guard let seconds else { return socket.becomeNonBlocking() }
            var timeout = timeval(tv_sec: seconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            unsafe setsockopt(socket.descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        }
        socket.becomeNonBlocking()
        unsent = request[...]
        reader = AnswerReader(isStream: isStream)
    }

    func close() { socket.close() }

    /// Whether the answer is a stand's events and not a document.
    var isStream: Bool { reader.isStream }

    var hasSent: Bool { unsent.isEmpty }

    /// The event of the socket to wait for before ``advance(_:)``, as `poll` takes it.
    var readiness: pollfd {
        pollfd(fd: socket.descriptor, events: Int16(hasSent ? POLLIN : POLLOUT), revents: 0)
    }

    /// Waits until the connection is ready.
    ///
    /// - Parameter end: An instant of the monotonic clock, in nanoseconds.
    /// - Returns: False if it was not ready in time.
    func wait(until end: UInt64) -> Bool {
        while true {
            let now = monotonicNanoseconds()
            guard now < end else { return false }
            var requests = [readiness]
            if unsafe poll(&requests, 1, Int32(clamping: (end - now) / 1_000_000 + 1)) > 0 { return true }
        }
    }

    /// Sends what the connection accepts, or receives what has arrived.
    ///
    /// - Parameter buffer: Gets what arrives; as many bytes as it has are received.
    func advance(_ buffer: inout [UInt8]) -> [AnswerReader.Item] {
        guard hasSent else { return send() }
        return switch socket.receive(into: &buffer) {
        case .wouldWait: []
        case .bytes(let count): reader.take(buffer[..<count])
        case .ended: [reader.end()]
        }
    }

    private func send() -> [AnswerReader.Item] {
        if let failure = socket.failure { return [.broken(reason: failure)] }
        switch socket.send(unsent) {
        case .wouldWait: break
        case .bytes(let count): unsent.removeFirst(count)
        // A stand that closes early may have sent an answer, such as 503.
        case .ended: unsent = []
        }
        return []
    }
}
