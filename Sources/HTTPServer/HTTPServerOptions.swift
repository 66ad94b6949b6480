/// How much, how long and how many a server bears.
package struct HTTPServerOptions: Sendable {
    package var limits = HTTPLimits()
    /// For a connection that has nothing to ask.
    package var idleTime: Duration = .seconds(60)
    /// For the head of a request, from its first byte; and for that byte on a new connection.
    package var headTime: Duration = .seconds(10)
    /// For the content of a request.
    package var contentTime: Duration = .seconds(30)
    /// For a client to take what it is sent.
    package var sendTime: Duration = .seconds(20)
    /// Between two signs of life on a stream.
    package var heartbeatTime: Duration = .seconds(15)
    /// Streams are fed at most this often, so that many listeners cost one call of the system each for many events.
    package var streamInterval: Duration = .milliseconds(50)
    /// Connections beyond are told so and closed.
    package var mostConnections = 16_384
    /// Of those, how many are kept for Unix sockets, so that nobody else can keep the owner out.
    package var keptForLocal = 64
    /// Bytes of answers a connection may have waiting before its next request is looked at.
    package var mostUnsent = 65_536
    /// The same of a stream: there can be many, and any of them may be slow.
    package var mostUnsentOfStream = 16_384
    /// Fields of every answer that has none of that name.
    package var commonFields = HTTPFields()

    /// Whether somebody who matters more waits for a processor: asked after every round, and then given way to.
    package var givesWay: @Sendable () -> Bool = { false }

    package init() {}
}

extension Duration {
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
    }
}
