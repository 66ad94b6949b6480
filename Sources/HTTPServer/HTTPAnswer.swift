import Synchronization

/// Answers requests; called on the server's thread, which nobody may keep waiting.
package typealias HTTPHandler = @Sendable (HTTPRequest, HTTPTransport) -> HTTPAnswer

/// What a connection runs over.
package enum HTTPTransport: Sendable {
    /// A Unix socket, whose file says who may connect.
    case local
    case tcp
}

/// What a handler says to a request.
package enum HTTPAnswer: Sendable {
    case now(HTTPResponse)
    /// The response comes through the reply, from any thread.
    case later(@Sendable (HTTPReply) -> Void)
    /// The head now, with a status and fields; then what `HTTPBody` has, as long as it has something.
    case stream(HTTPResponse, any HTTPBody)
}

/// Takes the response to one request, once; released without one it answers 500.
package final class HTTPReply: Sendable {
    private let deliver: @Sendable (HTTPResponse) -> Void
    private let isUsed = Atomic(false)

    package init(_ deliver: @escaping @Sendable (HTTPResponse) -> Void) {
        self.deliver = deliver
    }

    /// Sends the response. Every call but the first does nothing.
    package func send(_ response: HTTPResponse) {
        if !isUsed.exchange(true, ordering: .relaxed) { deliver(response) }
    }

    deinit {
        if !isUsed.load(ordering: .relaxed) {
            deliver(.problem(.internalServerError, "the request was dropped unanswered"))
        }
    }
}

/// The content of a streamed response, asked for whenever the connection can take more.
///
/// So nothing is kept for a slow reader: a body that serves many from one store has a place in it for each, and says
/// ``HTTPBodyState/fellBehind`` when the store no longer has what stands at that place.
package protocol HTTPBody: AnyObject, Sendable {
    /// What may be sent while there is nothing to say, so that a connection whose peer is gone shows itself.
    var heartbeat: [UInt8] { get }

    /// Called once before anything is read; `wake` asks for this body to be read, from any thread.
    func begin(wake: @escaping @Sendable () -> Void)

    /// Appends what is there, about `count` bytes at most. Called on the server's thread, after ``HTTPServer/pump()`` or when
    /// there is room.
    func read(into bytes: inout [UInt8], atMost count: Int) -> HTTPBodyState

    /// The connection is gone. Called once, on the server's thread.
    func ended()
}

extension HTTPBody {
    package func begin(wake: @escaping @Sendable () -> Void) {}
}

/// What is left of a streamed response.
package enum HTTPBodyState: Sendable {
    /// That was all for now; more may come.
    case open
    /// There is more at once.
    case hasMore
    /// That was all.
    case complete
    /// The reader was too slow to be given what follows.
    case fellBehind
}
