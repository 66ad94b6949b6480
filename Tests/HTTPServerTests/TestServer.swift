import Dispatch
import HTTPServer
import Platform
import TestSupport
import Testing

/// A server of a few simple routes on a free port. Stops when it is released.
final class TestServer: Sendable {
    let server: HTTPServer
    let port: UInt16
    let feed: Feed
    let held: HeldReplies

    /// - Parameters:
    ///   - change: Changes the options of the server.
    ///   - meanwhile: Called with the port before the server starts.
    init(
        _ change: (inout HTTPServerOptions) -> Void = { _ in }, meanwhile: (UInt16) throws -> Void = { _ in }
    ) throws {
        let socket = try ListeningSocket.tcp(#require(NetworkAddress("127.0.0.1:0")))
        port = try #require(socket.address?.port)
        try meanwhile(port)
        var options = HTTPServerOptions()
        change(&options)
        let feed = Feed()
        let held = HeldReplies()
        self.feed = feed
        self.held = held
        server = try HTTPServer([socket], options) { request, _ in
            if request.path == "/refused" { return .refused(HTTPResponse(.unauthorized)) }
            return .admitted(content: request.path == "/echo" ? 65_536 : 0) { request in
                switch request.path {
                case "/echo": .now(HTTPResponse(.ok, type: "text/plain", content: request.content))
                case "/large": .now(HTTPResponse(.ok, content: [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 22)))
                case "/later": .later { reply in reply.send(HTTPResponse(.ok, content: Array("later".utf8))) }
                case "/held": .later { reply in held.hold(reply) }
                case "/watched":
                    .later { reply in
                        reply.whenAbandoned {}
                        held.hold(reply)
                    }
                case "/dropped": .later { _ in }
                case "/stream": .stream(HTTPResponse(.ok, type: "text/event-stream"), feed.listener())
                default: .now(.problem(.notFound, "there is nothing at \(request.path)"))
                }
            }
        }
    }

    deinit { server.stop(within: .milliseconds(100)) }

    func client() throws -> RawClient { try RawClient(port: port) }

    /// A client that has asked for a path.
    func client(asking path: String) throws -> RawClient {
        let client = try client()
        client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        return client
    }

    /// Everything that the server sends for some bytes until it closes.
    func answer(to text: String) throws -> String {
        let client = try client()
        client.send(text)
        return client.receiveAll()
    }

    /// The next held reply; waits for its request.
    func heldReply() throws -> HTTPReply {
        var reply: HTTPReply?
        try eventually("the request") {
            reply = held.next()
            return reply != nil
        }
        return try #require(reply)
    }

    /// Stops on another thread, and signals that it has stopped.
    func stop() -> DispatchSemaphore {
        let hasStopped = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [server] in
            server.stop(within: .seconds(60))
            hasStopped.signal()
        }
        return hasStopped
    }
}

/// Replies that a test sends later.
final class HeldReplies: Sendable {
    private let replies = Guarded<[HTTPReply]>([])

    func hold(_ reply: HTTPReply) { replies.withLock { $0.append(reply) } }

    func next() -> HTTPReply? {
        replies.withLock { replies in replies.isEmpty ? nil : replies.removeFirst() }
    }
}

/// Texts for every listener. The oldest are dropped.
final class Feed: Sendable {
    private struct State {
        var texts: [String] = []
        var first = 0
        var listenersEnded = 0
        var isComplete = false
    }

    private let state = Guarded(State())
    static let kept = 1000

    var listenersEnded: Int { state.withLock { $0.listenersEnded } }

    func append(_ text: String) {
        state.withLock { state in
            state.texts.append(text)
            if state.texts.count > Self.kept {
                state.texts.removeFirst()
                state.first += 1
            }
        }
    }

    func complete() { state.withLock { $0.isComplete = true } }

    func listener() -> any HTTPBody { Listener(self, place: state.withLock { $0.first + $0.texts.count }) }

    private final class Listener: HTTPBody {
        private let feed: Feed
        private let place: Guarded<Int>
        var heartbeat: [UInt8] { Array(": still here\n\n".utf8) }

        init(_ feed: Feed, place: Int) {
            self.feed = feed
            self.place = Guarded(place)
        }

        func read(into bytes: inout [UInt8], atMost count: Int) -> HTTPBodyState {
            place.withLock { place in
                feed.state.withLock { state in
                    guard place >= state.first else { return .fellBehind }
                    let start = bytes.count
                    while place < state.first + state.texts.count {
                        if bytes.count - start >= count { return .hasMore }
                        bytes += state.texts[place - state.first].utf8
                        place += 1
                    }
                    return state.isComplete ? .complete : .open
                }
            }
        }

        func ended() { feed.state.withLock { $0.listenersEnded += 1 } }
    }
}
