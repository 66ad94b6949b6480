import Dispatch
import HTTPServer
import Platform
import TestSupport
import Testing

/// The server over real sockets, as a client sees it.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct HTTPServerTests {
    private static let close = "Connection: close\r\n\r\n"

    @Test func `a response has a status, a length, a date and its content`() throws {
        let server = try TestServer()
        let answer = try server.answer(to: "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\(Self.close)hello")
        let parts = answer.split(separator: "\r\n")
        #expect(parts.first == "HTTP/1.1 200 OK")
        #expect(parts.contains("content-length: 5") && parts.contains("connection: close"))
        #expect(parts.contains { $0.hasPrefix("date: ") && $0.hasSuffix(" GMT") })
        #expect(answer.hasSuffix("\r\n\r\nhello"))
    }

    @Test func `answers pipelined requests in order, also if the first reply is deferred`() throws {
        let server = try TestServer()
        let answer = try server.answer(
            to: "GET /later HTTP/1.1\r\nHost: x\r\n\r\nPOST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                + "GET /nowhere HTTP/1.1\r\nHost: x\r\n\(Self.close)")
        let places = ["later", "abc", "404 Not Found"].map { answer.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(server.server.counters.requests.current == 3)
    }

    /// The server reads on meanwhile, to notice when the client leaves.
    @Test func `a request that comes while another waits for its reply is answered after it`() throws {
        let server = try TestServer()
        let client = try server.client(asking: "/watched")
        let reply = try server.heldReply()
        client.send("GET /later HTTP/1.1\r\nHost: x\r\n\(Self.close)")
        // The bytes are there before those of this client, whose answer shows that they were read.
        #expect(try server.answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\(Self.close)").contains(" 404 "))
        reply.send(HTTPResponse(.ok, content: Array("at last".utf8)))
        let answer = client.receiveAll()
        #expect(answer.contains("at last") && answer.hasSuffix("later"), "\(answer)")
    }

    @Test func `HEAD gets only the head of the response to GET`() throws {
        let server = try TestServer()
        let answer = try server.answer(to: "HEAD /large HTTP/1.1\r\nHost: x\r\n\(Self.close)")
        #expect(answer.contains("content-length: 4194304\r\n") && answer.hasSuffix("\r\n\r\n"))
        let stream = try server.answer(to: "HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(stream.contains("transfer-encoding: chunked\r\n") && stream.hasSuffix("\r\n\r\n"))
        #expect(server.feed.listenersEnded == 1)
    }

    @Test func `keeps connections open in HTTP/1.1, and in HTTP/1.0 on request`() throws {
        let server = try TestServer()
        let client = try server.client()
        for _ in 0..<3 {
            client.send("GET /later HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(client.receive(until: "later").contains("connection: keep-alive\r\n"))
        }
        #expect(try server.answer(to: "GET /later HTTP/1.0\r\n\r\n").contains("connection: close\r\n"))
        #expect(server.server.counters.accepted.current == 2)
    }

    @Test func `sends 100 Continue on request`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\(Self.close)")
        #expect(client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("abc")
        #expect(client.receiveAll().hasSuffix("abc"))
    }

    @Test(arguments: ["Content-Length: 60000\r\n", "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n"])
    func `refuses a request by its head, before it reads the content`(fields: String) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /refused HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        let answer = client.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.contains("connection: close\r\n"), "\(answer)")
    }

    @Test func `keeps the connection after a refusal without content`() throws {
        let server = try TestServer()
        let answer = try server.answer(
            to: "GET /refused HTTP/1.1\r\nHost: x\r\n\r\nGET /later HTTP/1.1\r\nHost: x\r\n\(Self.close)")
        #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.hasSuffix("later"))
    }

    @Test func `refuses content where none is expected`() throws {
        let server = try TestServer()
        let answer = try server.answer(to: "GET /later HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx")
        #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("this request takes no content"))
    }

    @Test func `a refusal is a problem document and closes the connection`() throws {
        let server = try TestServer()
        let answer = try server.answer(
            to: "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabcGET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains("content-type: application/problem+json\r\n"))
        #expect(
            answer.hasSuffix(
                #"{"type":"about:blank","title":"Bad Request","status":400,"#
                    + #""detail":"Content-Length must be one decimal number"}"#))
        #expect(server.server.counters.requests.current == 0 && server.server.counters.refusals.current == 1)
    }

    @Test func `a client that starts to read late gets all of a large response`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(String(repeating: "GET /large HTTP/1.1\r\nHost: x\r\n\r\n", count: 4))
        client.finishSending()
        #expect(client.receiveAll().utf8.count { $0 == UInt8(ascii: "x") } == 4 << 22)
    }

    @Test func `a dropped reply answers 500`() throws {
        let server = try TestServer()
        let answer = try server.answer(to: "GET /dropped HTTP/1.1\r\nHost: x\r\n\(Self.close)")
        #expect(answer.hasPrefix("HTTP/1.1 500 "))
    }

    // MARK: - Streams

    @Test func `every listener gets every text once and in order`() throws {
        let server = try TestServer()
        let clients = try (0..<50).map { _ in try server.client(asking: "/stream") }
        for client in clients {
            #expect(client.receive(until: "\r\n\r\n").contains("transfer-encoding: chunked\r\n"))
        }
        for number in 0..<500 {
            server.feed.append("<\(number)>")
            server.server.pump()
        }
        server.feed.complete()
        server.server.pump()
        let expected = (0..<500).map { "<\($0)>" }.joined()
        for client in clients { #expect(unchunked(client.receiveAll()) == expected) }
        #expect(server.feed.listenersEnded == 50)
    }

    @Test func `a stream over HTTP/1.0 has no chunks and ends with the connection`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("GET /stream HTTP/1.0\r\n\r\n")
        let head = client.receive(until: "\r\n\r\n")
        #expect(!head.contains("chunked"))
        server.feed.append("text")
        server.feed.complete()
        server.server.pump()
        #expect(client.receiveAll() == "text")
    }

    @Test func `disconnects and counts a listener that does not read, and serves the others`() throws {
        let server = try TestServer {
            $0.streamInterval = .zero
            $0.sendTime = .milliseconds(100)
        }
        let slow = try listener(to: server)
        let good = try listener(to: server)
        let text = String(repeating: "y", count: 10_000)
        // The good one reads each text before the next is there.
        try eventually("the slow reader's end") {
            server.feed.append(text)
            server.server.pump()
            _ = good.receive { $0.utf8.count { $0 == UInt8(ascii: "y") } >= text.utf8.count }
            return server.server.counters.slowReaders.current > 0
        }
        #expect(server.server.counters.streams.current == 1)
        #expect(server.feed.listenersEnded == 1)
        withExtendedLifetime(slow) {}
    }

    @Test func `disconnects and counts a listener that has fallen behind`() throws {
        let server = try TestServer()
        let slow = try listener(to: server)
        let text = String(repeating: "y", count: 10_000)
        // More than the system's buffers and the feed can hold together.
        for _ in 0..<(3 * Feed.kept) {
            server.feed.append(text)
            server.server.pump()
        }
        #expect(slow.receiveAll().utf8.count < 3 * Feed.kept * text.utf8.count)
        #expect(server.server.counters.slowReaders.current == 1)
        #expect(server.feed.listenersEnded == 1)
    }

    private func listener(to server: TestServer) throws -> RawClient {
        let client = try server.client(asking: "/stream")
        _ = client.receive(until: "\r\n\r\n")
        return client
    }

    @Test func `a quiet stream sends heartbeats`() throws {
        let server = try TestServer { $0.heartbeatTime = .milliseconds(20) }
        let client = try server.client(asking: "/stream")
        for _ in 0..<2 { #expect(client.receive(until: ": still here\n\n").contains(": still here\n\n")) }
    }

    // MARK: - Time and number

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHo", "HTTP/1.1 408 "),
        ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab", "HTTP/1.1 408 "),
        ("", ""), ("\r\n", ""),
    ])
    func `an incomplete request times out`(text: String, start: String) throws {
        var client: RawClient?
        let server = try TestServer {
            $0.headTime = .milliseconds(50)
            $0.contentTime = .milliseconds(50)
        } meanwhile: { port in
            // Sent before the server looks, so that its time can't be over before the text is there.
            client = try RawClient(port: port)
            client?.send(text)
        }
        let answer = try #require(client).receiveAll()
        #expect(start.isEmpty ? answer.isEmpty : answer.hasPrefix(start))
        #expect(server.server.counters.timeouts.current == 1)
    }

    /// A byte comes sooner than the time is over, again and again.
    @Test(arguments: ["GET /", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n"])
    func `a request that comes byte by byte has no more time than another`(start: String) throws {
        let server = try TestServer {
            $0.headTime = .milliseconds(400)
            $0.contentTime = .milliseconds(400)
        }
        let client = try server.client()
        client.send(start)
        let isOver = Guarded(false)
        let sending = DispatchQueue(label: "bytes")
        sending.async { [descriptor = client.descriptor] in
            var byte = UInt8(ascii: "a")
            // The request is complete, or too long, after some twenty thousand bytes.
            for _ in 0..<20_000 where !isOver.withLock({ $0 }) {
                _ = unsafe send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL))
                usleep(2000)
            }
        }
        let answer = client.receiveAll()
        isOver.withLock { $0 = true }
        sending.sync {}
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer.prefix(60))")
    }

    @Test func `a client that does not read its response times out`() throws {
        let server = try TestServer { $0.sendTime = .milliseconds(50) }
        let client = try server.client()
        client.send(String(repeating: "GET /large HTTP/1.1\r\nHost: x\r\n\r\n", count: 8))
        try eventually("a timeout") {
            _ = try server.client()
            return server.server.counters.timeouts.current > 0
        }
        #expect(client.receiveAll().utf8.count < 8 << 22)
    }

    /// It takes some bytes sooner than the time is over, again and again.
    @Test func `a client that reads its response slowly has no more time than another`() throws {
        let server = try TestServer { $0.sendTime = .milliseconds(400) }
        let client = try smallClient(of: server)
        var bytes = [UInt8](repeating: 0, count: 2048)
        var received = 0
        // The whole response would take twenty seconds.
        while server.server.counters.timeouts.current == 0, received < 1 << 22 {
            let count = unsafe recv(client.descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            received += count
            usleep(10_000)
        }
        #expect(server.server.counters.timeouts.current == 1, "\(received) bytes")
    }

    /// A client that has asked for a large response, and whose system keeps little of it.
    private func smallClient(of server: TestServer) throws -> RawClient {
        let client = RawClient()
        client.keepUnread(4096)
        try client.connect(port: server.port)
        client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        return client
    }

    @Test func `closes an idle connection, but not one that waits for its reply`() throws {
        let server = try TestServer { $0.idleTime = .milliseconds(50) }
        let idle = try server.client()
        let busy = try server.client(asking: "/held")
        idle.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(idle.receiveAll().hasSuffix("later"))
        try server.heldReply().send(HTTPResponse(.ok, content: Array("at last".utf8)))
        #expect(busy.receive(until: "at last").hasSuffix("at last"))
    }

    @Test func `answers 503 beyond the limit of connections, until others close`() throws {
        let server = try TestServer {
            $0.mostConnections = 2
            $0.keptForLocal = 0
            $0.shareOfAddress = 1
        }
        var clients = try (0..<2).map { _ in try server.client(asking: "/later") }
        for client in clients { _ = client.receive(until: "later") }
        let answer = try server.client().receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("retry-after: 1\r\n"))
        #expect(server.server.counters.turnedAway.current == 1)
        clients.removeLast()
        try eventually("the end of a connection") { server.server.counters.connections.current < 2 }
        let next = try server.client(asking: "/later")
        #expect(next.receive(until: "later").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `clients of one address can't take every place`() throws {
        let server = try TestServer {
            $0.mostConnections = 4
            $0.keptForLocal = 0
        }
        func status(from address: String) throws -> (client: RawClient, status: Substring) {
            let client = RawClient()
            try client.connect(port: server.port, from: address)
            client.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
            return (client, client.receive(until: "\r\n").dropFirst("HTTP/1.1 ".count).prefix(3))
        }
        var clients = try (0..<4).map { _ in try status(from: "127.0.0.1") }
        #expect(clients.map(\.status) == ["200", "200", "200", "503"])
        let other = try status(from: "127.0.0.2")
        #expect(other.status == "200")
        clients.removeFirst(1)
        while server.server.counters.connections.current == 4 {}
        #expect(try status(from: "127.0.0.1").status == "200")
    }

    @Test func `the system buffers little for a client that does not read`() throws {
        let server = try TestServer()
        let client = try smallClient(of: server)
        while client.unreadBytes == 0 {}
        // Everything that the client receives from now on was on its way: in its own buffer, and in that of the server.
        server.server.stop(within: .zero)
        let received = client.receiveAll().utf8.count
        #expect(received < 300_000, "\(received) bytes of 4 MB were buffered")
    }

    /// Keeps one place for the Unix socket, or the 64 of the default.
    @Test(arguments: [1, nil])
    func `the Unix socket stays reachable when TCP clients fill every place`(kept: Int?) throws {
        var options = HTTPServerOptions()
        if let kept { options.keptForLocal = kept }
        options.mostConnections = 2 + (kept ?? 64)
        options.shareOfAddress = 1
        let path = "/tmp/server-\(UInt64.random(in: 0 ... .max))"
        let sockets = [
            try ListeningSocket.tcp(#require(NetworkAddress("127.0.0.1:0"))), try ListeningSocket.local(path: path),
        ]
        let server = try HTTPServer(sockets, options) { _, _ in .admitted(content: 0) { _ in .now(HTTPResponse(.ok)) } }
        let port = try #require(sockets[0].address?.port)
        let crowd = try (0..<3).map { _ in try RawClient(port: port) }
        for client in crowd { client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
        #expect(crowd.map { $0.receive().prefix(13) } == ["HTTP/1.1 200 ", "HTTP/1.1 200 ", "HTTP/1.1 503 "])
        let owner = try RawClient(path: path)
        owner.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(owner.receive().hasPrefix("HTTP/1.1 200 "))
        server.stop(within: .milliseconds(100))
    }

    @Test func `yields to the stand and still serves every client`() throws {
        let times = Guarded(0)
        let server = try TestServer { options in
            options.givesWay = {
                times.withLock { $0 += 1 }
                return true
            }
        }
        let clients = try (0..<10).map { _ in try server.client() }
        for round in 1...20 {
            for client in clients {
                client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n\(round + 10)")
            }
            for client in clients { #expect(client.receive(until: "\(round + 10)").hasPrefix("HTTP/1.1 200 ")) }
        }
        #expect(times.withLock { $0 } > 0)
    }

    /// A stream whose next byte is there at once, which notes how many it has given when another client is answered.
    private final class Endless: HTTPBody {
        let heartbeat: [UInt8] = []
        let hasBegun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let given = Guarded(0)

        func read(into bytes: inout [UInt8], atMost count: Int) -> HTTPBodyState {
            let place = given.withLock { given in
                given += 1
                return given
            }
            if place == 1 {
                hasBegun.signal()
                goesOn.wait(for: "the other client's request")
            }
            bytes.append(UInt8(ascii: "x"))
            return place < 1000 ? .hasMore : .complete
        }

        func ended() {}
    }

    @Test func `a listener that catches up does not delay the other clients`() throws {
        let body = Endless()
        let socket = try ListeningSocket.tcp(#require(NetworkAddress("127.0.0.1:0")))
        let port = try #require(socket.address?.port)
        let given = Guarded(0)
        let server = try HTTPServer([socket], HTTPServerOptions()) { request, _ in
            .admitted(content: 0) { request in
                if request.path == "/stream" { return .stream(HTTPResponse(.ok), body) }
                given.withLock { $0 = body.given.withLock { $0 } }
                return .now(HTTPResponse(.ok))
            }
        }
        defer { server.stop(within: .zero) }
        let clients = try (0..<2).map { _ in try RawClient(port: port) }
        // The server knows both.
        for client in clients {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        }
        clients[0].send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        body.hasBegun.wait(for: "the stream")
        clients[1].send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        body.goesOn.signal()
        #expect(clients[1].receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        #expect((1...10).contains(given.withLock { $0 }), "\(given.withLock { $0 }) bytes came first")
        #expect(clients[0].receive(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    }

    // MARK: - The end

    @Test func `stopping finishes responses under way and closes the rest`() throws {
        let server = try TestServer()
        let waiting = try server.client(asking: "/held")
        let quiet = try listener(to: server)
        let idle = try server.client(asking: "/later")
        _ = idle.receive(until: "later")
        let reply = try server.heldReply()
        let hasStopped = server.stop()
        // The idle one closes first: then the server is stopping.
        #expect(idle.receiveAll().isEmpty)
        #expect(quiet.receiveAll().hasSuffix("0\r\n\r\n"))
        reply.send(HTTPResponse(.ok, content: Array("finished".utf8)))
        let answer = waiting.receiveAll()
        #expect(answer.hasSuffix("finished") && answer.contains("connection: close\r\n"))
        hasStopped.wait(for: "the server to stop")
        #expect(server.feed.listenersEnded == 1)
        #expect(throws: RawClientError.self) { try server.client() }
    }

    @Test func `a listener that is behind gets everything before the server stops`() throws {
        let server = try TestServer()
        let client = try listener(to: server)
        // Far more than a listener is given at once, and than the system keeps for it.
        let texts = (0..<Feed.kept).map { "<\($0)>" + String(repeating: "y", count: 5000) }
        for text in texts { server.feed.append(text) }
        let hasStopped = server.stop()
        #expect(unchunked(client.receiveAll()) == texts.joined())
        hasStopped.wait(for: "the server to stop")
        #expect(server.feed.listenersEnded == 1)
    }

    /// The content of a chunked answer's rest, whose chunks hold no line ends.
    private func unchunked(_ text: String) -> String {
        var content = ""
        var rest = text.utf8[...]
        while let end = rest.firstIndex(of: 0x0D), let size = Int(String(rest[..<end]) ?? "", radix: 16), size > 0 {
            rest = rest[rest.index(end, offsetBy: 2)...]
            content += String(rest.prefix(size)) ?? ""
            rest = rest.dropFirst(size + 2)
        }
        return content
    }
}
