import Platform
import Synchronization
import TextFormats

/// Decides about a request once its head is complete. Called on the server's thread: it must not block.
package typealias HTTPHandler = @Sendable (HTTPRequest, HTTPTransport) -> HTTPAdmission

/// A handler's decision about a request before its content is read.
package enum HTTPAdmission: Sendable {
    /// Sends a response. Content that follows is not read, and the connection closes.
    case refused(HTTPResponse)
    /// Reads at most `content` bytes of content, then calls `answer` on the server's thread.
    case admitted(content: Int, answer: @Sendable (HTTPRequest) -> HTTPAnswer)
}

/// The kind of socket of a connection.
package enum HTTPTransport: Sendable {
    /// A Unix socket; the mode of its file decides who may connect.
    case local
    case tcp
}

/// A handler's answer to a request.
package enum HTTPAnswer: Sendable {
    case now(HTTPResponse)
    /// The response follows through the reply, from any thread.
    case later(@Sendable (HTTPReply) -> Void)
    /// The head now, then everything that the body yields.
    case stream(HTTPResponse, any HTTPBody)
}

/// Takes the response to one request. Released without a response, it answers 500.
package final class HTTPReply: Sendable {
    private struct Abandonment {
        var isAbandoned = false
        var body: (@Sendable () -> Void)?
    }

    private let deliver: @Sendable (HTTPResponse) -> Void
    private let isUsed = Atomic(false)
    private let abandonment = Guarded(Abandonment())

    package init(_ deliver: @escaping @Sendable (HTTPResponse) -> Void) {
        self.deliver = deliver
    }

    /// Sends the response. Only the first call has an effect.
    package func send(_ response: HTTPResponse) { if !isUsed.exchange(true, ordering: .relaxed) { deliver(response) } }

    /// Calls `body` once if the client closes the connection, or its side of it, before the response is sent.
    ///
    /// For an answer that takes long. Call it before the reply is handed to another thread.
    package func whenAbandoned(_ body: @escaping @Sendable () -> Void) {
        let isAbandoned = abandonment.withLock { abandonment in
            if !abandonment.isAbandoned { abandonment.body = body }
            return abandonment.isAbandoned
        }
        if isAbandoned { body() }
    }

    /// Whether ``whenAbandoned(_:)`` has a closure to call.
    var isWatched: Bool { abandonment.withLock { $0.body != nil } }

    /// Notes that the client is gone, and calls the closure of ``whenAbandoned(_:)``.
    func abandon() {
        let body = abandonment.withLock { abandonment in
            defer { abandonment.body = nil }
            abandonment.isAbandoned = true
            return abandonment.body
        }
        body?()
    }

    deinit {
        if !isUsed.load(ordering: .relaxed) {
            deliver(.problem(.internalServerError, "the request was dropped without an answer"))
        }
    }
}

/// The content of a streamed response. The connection asks for more whenever it has room.
///
/// Nothing is buffered for a slow reader. A body that serves many readers from one store keeps a position for each
/// reader, and reports ``HTTPBodyState/fellBehind`` once the store has dropped what is at that position.
package protocol HTTPBody: AnyObject, Sendable {
    /// Sent while there is no content, so that a dead connection is detected.
    var heartbeat: [UInt8] { get }

    /// Called once before the first read. `wake` requests another read, from any thread.
    func begin(wake: @escaping @Sendable () -> Void)

    /// Appends what is available, about `count` bytes at most. Called on the server's thread, after
    /// ``HTTPServer/pump()`` and whenever there is room.
    func read(into bytes: inout [UInt8], atMost count: Int) -> HTTPBodyState

    /// Called once, on the server's thread, when the connection has closed.
    func ended()
}

extension HTTPBody {
    package func begin(wake: @escaping @Sendable () -> Void) {}
}

/// The state of a streamed response after a read.
package enum HTTPBodyState: Sendable {
    /// Nothing more for now.
    case open
    /// More is available at once.
    case hasMore
    /// The content is complete.
    case complete
    /// The reader was too slow: what follows has been dropped.
    case fellBehind
}

/// A response without the parts that depend on the connection.
package struct HTTPResponse: Equatable, Sendable {
    package var status: HTTPStatus
    /// The connection adds the date and the fields that frame the message.
    package var fields: HTTPFields
    package var content: [UInt8]

    package init(_ status: HTTPStatus = .ok, type: String? = nil, content: [UInt8] = []) {
        self.status = status
        self.content = content
        fields = HTTPFields()
        if let type { fields.append("content-type", type) }
    }

    /// A problem document of RFC 9457 for a status alone.
    ///
    /// - Parameter reason: One sentence for the user.
    package static func problem(_ status: HTTPStatus, _ reason: String) -> HTTPResponse {
        let document: JSONValue = [
            "type": "about:blank", "title": .string(status.phrase), "status": .whole(status.code),
            "detail": .string(reason),
        ]
        return HTTPResponse(status, type: "application/problem+json", content: Array(document.compact().utf8))
    }

    /// The response with one more field; `name` in lower case.
    package func with(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.fields.append(name, value)
        return response
    }
}
