import Platform

/// What the connections of a server share. Confined to the server's thread.
final class HTTPContext {
    let handler: HTTPHandler
    let options: HTTPServerOptions
    let counters: HTTPCounters
    let inbox: HTTPInbox
    var date = HTTPDate()
    /// Monotonic nanoseconds when the thread last woke.
    var now = monotonicNanoseconds()
    /// Receive buffer of all connections.
    var arrivals = [UInt8](repeating: 0, count: 65_536)
    var isStopping = false

    init(_ handler: @escaping HTTPHandler, _ options: HTTPServerOptions, _ counters: HTTPCounters, _ inbox: HTTPInbox) {
        self.handler = handler
        self.options = options
        self.counters = counters
        self.inbox = inbox
    }
}
