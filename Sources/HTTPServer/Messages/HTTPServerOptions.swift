/// Limits and timeouts of a server.
package struct HTTPServerOptions: Sendable {
    package var limits = HTTPLimits()
    /// Timeout of a connection between two requests.
    package var idleTime: Duration = .seconds(60)
    /// Timeout for the head of a request, from its first byte, and for the first byte of a new connection.
    package var headTime: Duration = .seconds(10)
    /// Timeout for the content of a request.
    package var contentTime: Duration = .seconds(30)
    /// Timeout for a client to receive a response.
    package var sendTime: Duration = .seconds(20)
    /// Interval of heartbeats on a quiet stream.
    package var heartbeatTime: Duration = .seconds(15)
    /// Interval between two feeds of the streams: one system call a listener then sends many events. Few listeners are
    /// fed more often.
    package var streamInterval: Duration = .milliseconds(50)
    /// The most open connections. Further ones are answered 503 and closed.
    package var mostConnections = 16_384
    /// The number of these connections kept for Unix sockets, so that TCP clients can't lock the owner out.
    package var keptForLocal = 64
    /// The share of the connections over TCP that clients of one address may take together. An IPv6 address counts by
    /// its first 64 bits, which one host can have.
    package var shareOfAddress = 0.75
    /// Unsent bytes of responses at which a connection stops reading requests.
    package var mostUnsent = 16_384
    /// Bytes that the system buffers for a client that does not read. Its default would be megabytes for each client.
    package var sendBuffer = 32_768
    /// Bytes that server and system each buffer for a stream. There can be many streams, and any may have a slow
    /// reader.
    package var mostUnsentOfStream = 16_384
    /// Fields added to every response that has none of that name.
    package var commonFields = HTTPFields()

    /// Whether the stand waits for a processor. Called after every round. If true, the server yields.
    package var givesWay: @Sendable () -> Bool = { false }

    package init() {}
}

extension Duration {
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
    }
}

/// Size limits of a request. A larger request is refused before it is buffered.
package struct HTTPLimits: Sendable {
    /// Bytes of the request line, without its line end.
    package var requestLine = 8192
    /// Bytes of one field line.
    package var field = 8192
    /// Bytes of request line and fields together. Trailers have the same limit of their own.
    package var head = 32_768
    /// Number of fields. Trailers have the same limit of their own.
    package var fields = 100
    /// Bytes of content.
    package var content = 65_536
    /// Bytes of all chunk extensions of a request.
    package var chunkExtensions = 1024

    package init() {}
}
