import HTTPServer
import JuiceStand
import TestSupport
import Testing
import TextFormats

@Suite(.timeLimit(.minutes(60)))
struct HTTPRequestParserTests {
    static func read(_ text: String, limits: HTTPLimits = HTTPLimits()) -> HTTPReading {
        readHTTP([Array(text.utf8)[...]], limits: limits)
    }

    // MARK: - Accepted

    @Test func `reads a plain request`() throws {
        let reading = Self.read(
            "GET /api/v1/orders/7?with=all HTTP/1.1\r\nHost: LocalHost:8787\r\nX-A:  b \t\r\nx-a: c\r\n\r\n")
        let request = try #require(reading.requests.first)
        #expect(reading.requests.count == 1 && reading.refusal == nil)
        #expect(request.method == .get)
        #expect(request.path == "/api/v1/orders/7")
        #expect(request.query == "with=all")
        #expect(request.authority == "localhost:8787")
        #expect(request.fields["x-a"] == "b, c")
        #expect(request.keepsConnection)
    }

    @Test(arguments: [
        ("absolute form", "GET http://Other:81/a?b HTTP/1.1\r\nHost: x\r\n\r\n", "/a"),
        ("absolute form without a path", "GET HTTP://other:81 HTTP/1.1\r\nHost: x\r\n\r\n", "/"),
        ("absolute form with a query alone", "GET http://other:81?q HTTP/1.1\r\nHost: x\r\n\r\n", "/"),
    ])
    func `a host in the target takes precedence over Host`(name: String, text: String, path: String) throws {
        let request = try #require(Self.read(text).requests.first)
        #expect(request.authority == "other:81" && request.path == path)
    }

    @Test(arguments: [
        ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "*"),
        ("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "/"),
        ("GET / HTTP/1.9\r\nHost: [::1]:80\r\n\r\n", "/"),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", "/"), ("GET / HTTP/1.1\r\nHost: a%41b!:80\r\n\r\n", "/"),
        // Found by fuzzing: brackets may stand in a target's host, and nowhere else in it.
        ("GET http://[::1]:80/a HTTP/1.1\r\nHost: x\r\n\r\n", "/a"),
        ("GET / HTTP/1.0\r\n\r\n", "/"),
        ("GET //evil/%2e%2E/ HTTP/1.1\r\nHost: x\r\n\r\n", "//evil/%2e%2E/"),
        ("GET / HTTP/1.1\r\nHost: x\r\nCookie: \u{E9}\u{D55C}\r\n\r\n", "/"),
    ])
    func `accepts unusual requests that the grammar allows`(text: String, path: String) {
        let reading = Self.read(text)
        #expect(reading.requests.map(\.path) == [path] && reading.refusal == nil)
    }

    @Test func `fields with different bytes are different texts`() {
        let bytes: [[UInt8]] = [[0xff], [0xfe], [0xc3, 0xa9], [0x65, 0xcc, 0x81], [0xef, 0xbf, 0xbd]]
        let texts = bytes.map { key in
            readHTTP([
                (Array("GET / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: ".utf8) + key + Array("\r\n\r\n".utf8))[...]
            ])
            .requests.first?.fields["idempotency-key"]
        }
        #expect(Set(texts).count == bytes.count && !texts.contains(nil))
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
        ("HTTP/1.1", "Connection: x , CLOSE\r\n", false),
        ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
        ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
    ])
    func `version and Connection decide whether a connection is kept open`(version: String, field: String, isKept: Bool)
    {
        #expect(Self.read("GET / \(version)\r\nHost: x\r\n\(field)\r\n").requests.map(\.keepsConnection) == [isKept])
    }

    @Test(arguments: [
        ("Content-Length: 5\r\n\r\nhello", "hello"),
        ("Content-Length: 0\r\n\r\n", ""),
        ("Transfer-Encoding: Chunked\r\n\r\n2\r\nhe\r\n03;a=b;c=\"d\"\r\nllo\r\n0\r\n\r\n", "hello"),
        ("Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n000\r\nTrailer: dropped\r\n\r\n", "0123456789"),
        ("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""),
        ("Transfer-Encoding: , chunked ,\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("Transfer-Encoding: chunked\r\n\r\n5 ;a\t= b ; c = \"d\\\";\"\r\nhello\r\n0;e\r\n\r\n", "hello"),
    ])
    func `reads content by its length or in chunks, and the next request after it`(
        rest: String, content: String
    ) {
        let reading = Self.read("POST / HTTP/1.1\r\nHost: x\r\n\(rest)GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(reading.refusal == nil)
        #expect(reading.requests.map { String(decoding: $0.content, as: UTF8.self) } == [content, ""])
        #expect(reading.requests.last?.path == "/next")
        #expect(reading.requests.first?.fields["trailer"] == nil)
    }

    @Test func `reports a client that waits for 100 Continue, unless it has no content`() {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: "
        #expect(Self.read(head + "2\r\n\r\n") == HTTPReading(continuations: 1))
        #expect(Self.read(head + "0\r\n\r\n").continuations == 0)
        #expect(Self.read("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n").continuations == 0)
    }

    // MARK: - Refused

    static let vectors: [(name: String, text: String, status: HTTPStatus)] = [
        (
            "Content-Length with Transfer-Encoding",
            post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), .badRequest
        ),
        (
            "Transfer-Encoding with Content-Length",
            post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), .badRequest
        ),
        ("two Content-Length", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"), .badRequest),
        ("two equal Content-Length", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), .badRequest),
        ("a list of Content-Length", post("Content-Length: 5, 5\r\n", "hello"), .badRequest),
        ("a plus before Content-Length", post("Content-Length: +5\r\n", "hello"), .badRequest),
        ("a minus before Content-Length", post("Content-Length: -5\r\n", "hello"), .badRequest),
        ("Content-Length in hexadecimal", post("Content-Length: 0x5\r\n", "hello"), .badRequest),
        ("an empty Content-Length", post("Content-Length: \r\n", "hello"), .badRequest),
        ("a space in Content-Length", post("Content-Length: 5 5\r\n", "hello"), .badRequest),
        ("Content-Length in Arabic digits", post("Content-Length: \u{665}\r\n", "hello"), .badRequest),
        ("Content-Length beyond any integer", post("Content-Length: 99999999999999999999\r\n", ""), .contentTooLarge),
        ("Content-Length beyond the limit", post("Content-Length: 65537\r\n", ""), .contentTooLarge),
        ("Transfer-Encoding identity", post("Transfer-Encoding: identity\r\n", "0\r\n\r\n"), .badRequest),
        ("Transfer-Encoding with a tab inside", post("Transfer-Encoding: chun\tked\r\n", "0\r\n\r\n"), .badRequest),
        (
            "Transfer-Encoding with a vertical tab", post("Transfer-Encoding: \u{B}chunked\r\n", "0\r\n\r\n"),
            .badRequest
        ),
        (
            "Transfer-Encoding with the sign for kelvin", post("Transfer-Encoding: chun\u{212A}ed\r\n", "0\r\n\r\n"),
            .badRequest
        ),
        ("Transfer-Encoding xchunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), .badRequest),
        ("chunked twice", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), .badRequest),
        (
            "chunked in two fields", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            .badRequest
        ),
        ("chunked and then identity", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), .badRequest),
        ("gzip under chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), .notImplemented),
        (
            "Transfer-Encoding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .badRequest
        ),
        ("an empty Transfer-Encoding", post("Transfer-Encoding: \r\n", "0\r\n\r\n"), .badRequest),
        ("a space before the colon", get("Content-Length : 0\r\n"), .badRequest),
        ("a tab before the colon", get("X\t: 0\r\n"), .badRequest),
        ("a field without a name", get(": 0\r\n"), .badRequest),
        ("a field without a colon", get("Host\r\n"), .badRequest),
        ("a name that is no token", get("X(y): 0\r\n"), .badRequest),
        ("a name beyond ASCII", get("\u{E9}: 0\r\n"), .badRequest),
        ("obs-fold with a space", get("X: a\r\n b\r\n"), .badRequest),
        ("obs-fold with a tab", get("X: a\r\n\tb\r\n"), .badRequest),
        ("a space before the first field", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", .badRequest),
        ("a bare line feed behind the request line", "GET / HTTP/1.1\nHost: x\r\n\r\n", .badRequest),
        ("a bare line feed behind a field", "GET / HTTP/1.1\r\nHost: x\n\r\n", .badRequest),
        ("a bare line feed at the end of the fields", "GET / HTTP/1.1\r\nHost: x\r\n\n", .badRequest),
        ("a bare carriage return in a value", get("X: a\rb\r\n"), .badRequest),
        ("a bare carriage return in the target", "GET /\r HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("two carriage returns", "GET / HTTP/1.1\r\r\nHost: x\r\n\r\n", .badRequest),
        ("a byte 0 in a value", get("X: a\0b\r\n"), .badRequest),
        ("a byte 0 in the target", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a DEL in a value", get("X: a\u{7F}\r\n"), .badRequest),
        ("no Host", "GET / HTTP/1.1\r\n\r\n", .badRequest),
        ("two Hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", .badRequest),
        ("two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", .badRequest),
        ("a list of Hosts", "GET / HTTP/1.1\r\nHost: x, y\r\n\r\n", .badRequest),
        ("a Host with a path", "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", .badRequest),
        ("a Host with a user", "GET / HTTP/1.1\r\nHost: u@x\r\n\r\n", .badRequest),
        ("a Host with a port that is no number", "GET / HTTP/1.1\r\nHost: x:8o\r\n\r\n", .badRequest),
        ("a Host with two ports", "GET / HTTP/1.1\r\nHost: x:80:80\r\n\r\n", .badRequest),
        ("a Host of a port alone", "GET / HTTP/1.1\r\nHost: :80\r\n\r\n", .badRequest),
        ("an IPv6 Host without an end", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .badRequest),
        ("a list of Hosts without a space", "GET / HTTP/1.1\r\nHost: x,y\r\n\r\n", .badRequest),
        ("a Host with an incomplete percent-encoding", "GET / HTTP/1.1\r\nHost: a%4\r\n\r\n", .badRequest),
        ("a Host beyond ASCII", "GET / HTTP/1.1\r\nHost: caf\u{E9}\r\n\r\n", .badRequest),
        ("an absolute target without Host", "GET http://x/ HTTP/1.1\r\n\r\n", .badRequest),
        ("an absolute target without a host", "GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("an absolute target with a user", "GET http://u@x/ HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("an absolute target of another scheme", "GET https://x/ HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("an asterisk with GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a target without a slash", "GET index HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("an empty target", "GET  HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a fragment", "GET /#a HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a backslash in the target", "GET /\\a HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a target beyond ASCII", "GET /\u{E9} HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a percent sign alone", "GET /% HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a percent sign with one digit", "GET /%4 HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("two spaces before the version", "GET /  HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a tab for a space", "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a space behind the version", "GET / HTTP/1.1 \r\nHost: x\r\n\r\n", .badRequest),
        ("a space before the method", " GET / HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("HTTP/0.9", "GET /\r\n", .badRequest),
        ("a version in lower case", "GET / http/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("a version of two digits", "GET / HTTP/1.10\r\nHost: x\r\n\r\n", .badRequest),
        ("a version without a point", "GET / HTTP/11\r\nHost: x\r\n\r\n", .badRequest),
        ("HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .versionNotSupported),
        ("HTTP/0.1", "GET / HTTP/0.1\r\nHost: x\r\n\r\n", .versionNotSupported),
        ("TLS", "\u{16}\u{3}\u{1}", .badRequest),
        ("a method in lower case", "get / HTTP/1.1\r\nHost: x\r\n\r\n", .notImplemented),
        ("a method nobody knows", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", .notImplemented),
        ("a method that is no token", "GE(T / HTTP/1.1\r\nHost: x\r\n\r\n", .badRequest),
        ("CONNECT", "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n", .notImplemented),
        ("another expectation", post("Expect: 200-ok\r\nContent-Length: 1\r\n", ""), .expectationFailed),
        ("a chunk size of nothing", chunked("\r\n"), .badRequest),
        ("a chunk size with a sign", chunked("+5\r\nhello\r\n"), .badRequest),
        ("a negative chunk size", chunked("-1\r\n"), .badRequest),
        ("a chunk size with 0x", chunked("0x5\r\nhello\r\n"), .badRequest),
        ("a chunk size of letters", chunked("xyz\r\n"), .badRequest),
        ("a space before a chunk size", chunked(" 5\r\nhello\r\n"), .badRequest),
        ("a space behind a chunk size", chunked("5 \r\nhello\r\n"), .badRequest),
        ("a chunk size with a bare line feed", chunked("5\nhello\r\n"), .badRequest),
        ("a bare line feed in a chunk extension", chunked("5;a\nhello\r\n"), .badRequest),
        ("a chunk size that wraps", chunked("FFFFFFFFFFFFFFFF\r\n"), .contentTooLarge),
        ("a chunk size of 17 digits", chunked("10000000000000005\r\nhello\r\n"), .badRequest),
        ("a chunk beyond the limit", chunked("10001\r\n"), .contentTooLarge),
        ("a chunk longer than its size", chunked("5\r\nhelloo\r\n"), .badRequest),
        ("a chunk with a bare line feed behind it", chunked("5\r\nhello\n0\r\n\r\n"), .badRequest),
        ("chunk extensions without names", chunked("5;=;;@@ ( 5\r\nhello\r\n"), .badRequest),
        ("an empty chunk extension", chunked("5;\r\nhello\r\n"), .badRequest),
        ("a chunk extension without a value", chunked("5;a=\r\nhello\r\n"), .badRequest),
        ("a chunk extension with an open quote", chunked("5;a=\"b\r\nhello\r\n"), .badRequest),
        ("a space behind a chunk extension", chunked("5;a=b \r\nhello\r\n"), .badRequest),
        ("a chunk extension without a semicolon", chunked("5 a=b\r\nhello\r\n"), .badRequest),
        ("an encoding of empty elements", post("Transfer-Encoding: , ,\r\n", "0\r\n\r\n"), .badRequest),
        ("a long chunk extension", chunked("5;" + String(repeating: "a", count: 2000) + "\r\nhello\r\n"), .badRequest),
        ("many chunk extensions", chunked(String(repeating: "1;aaaaaaaaaaaaaaa\r\nx\r\n", count: 65)), .badRequest),
        ("a trailer that folds", chunked("0\r\nA: b\r\n c\r\n\r\n"), .badRequest),
        ("a trailer without a colon", chunked("0\r\nA\r\n\r\n"), .badRequest),
        ("a trailer Content-Length", chunked("0\r\nContent-Length: 9\r\n\r\n"), .badRequest),
        ("a trailer Transfer-Encoding", chunked("0\r\ntransfer-encoding: chunked\r\n\r\n"), .badRequest),
        ("a trailer Host", chunked("0\r\nA: b\r\nHOST: y\r\n\r\n"), .badRequest),
        ("too many trailers", chunked("0\r\n" + String(repeating: "A: b\r\n", count: 101)), .fieldsTooLarge),
        ("a request line without end", "GET /" + String(repeating: "a", count: 9000), .targetTooLong),
        ("a field without end", "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 9000), .fieldsTooLarge),
        ("too many fields", get(String(repeating: "A: b\r\n", count: 101)), .fieldsTooLarge),
        (
            "too many bytes of fields",
            get(String(repeating: "A: \(String(repeating: "b", count: 8000))\r\n", count: 5)), .fieldsTooLarge
        ),
    ]

    static func post(_ fields: String, _ rest: String) -> String {
        "POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\(rest)"
    }
    static func get(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n" }
    static func chunked(_ rest: String) -> String { post("Transfer-Encoding: chunked\r\n", rest) }

    @Test(arguments: vectors.map(\.name))
    func `refuses a malformed request and reads nothing after it`(name: String) throws {
        let vector = try #require(Self.vectors.first { $0.name == name })
        let reading = Self.read(vector.text + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(reading.requests.isEmpty)
        #expect(reading.refusal?.status == vector.status)
        #expect(reading.refusal.map { !$0.reason.isEmpty } == true)
    }

    @Test func `a parser stays refused`() {
        var parser = HTTPRequestParser()
        parser.append(Array("nonsense\r\n".utf8))
        for _ in 0..<2 { #expect(throws: HTTPRefusal.self) { try parser.next() } }
        parser.append(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(throws: HTTPRefusal.self) { try parser.next() }
    }

    // MARK: - Limits

    @Test func `accepts a request at a limit and refuses one byte more`() {
        var limits = HTTPLimits()
        limits.requestLine = 20
        limits.field = 10
        limits.fields = 2
        limits.content = 3
        func status(_ text: String) -> HTTPStatus? { Self.read(text, limits: limits).refusal?.status }
        #expect(status("GET /123456 HTTP/1.1\r\nHost: x\r\n\r\n") == nil)
        #expect(status("GET /1234567 HTTP/1.1\r\nHost: x\r\n\r\n") == .targetTooLong)
        #expect(status("GET / HTTP/1.1\r\nHost: 2345\r\n\r\n") == nil)
        #expect(status("GET / HTTP/1.1\r\nHost: 23456\r\n\r\n") == .fieldsTooLarge)
        #expect(status("GET / HTTP/1.1\r\nHost: x\r\na:\r\n\r\n") == nil)
        #expect(status("GET / HTTP/1.1\r\nHost: x\r\na:\r\nb:\r\n\r\n") == .fieldsTooLarge)
        limits.field = 30
        #expect(status("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n") == nil)
        #expect(status("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n") == .contentTooLarge)
        let chunks = "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"
        #expect(status(chunks + "1\r\nc\r\n0\r\n\r\n") == nil)
        #expect(status(chunks + "2\r\n") == .contentTooLarge)
        // Trailers have limits of their own, which are the same.
        limits.head = 60
        let end = chunks + "0\r\na: \(String(repeating: "b", count: 25))\r\n"
        #expect(status(end + "c: \(String(repeating: "d", count: 25))\r\n\r\n") == nil)
        #expect(status(end + "c: d\r\ne: f\r\n\r\n") == .fieldsTooLarge)
    }

    @Test func `the extensions of all chunks of a request have one limit`() {
        var limits = HTTPLimits()
        limits.chunkExtensions = 8
        let head = "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        // Four bytes each.
        let two = head + "1;a=b\r\nx\r\n1;c=d\r\ny\r\n"
        let reading = Self.read(two + "0\r\n\r\n", limits: limits)
        #expect(reading.refusal == nil && reading.requests.first?.content == Array("xy".utf8))
        #expect(
            Self.read(two + "1;e\r\nz\r\n0\r\n\r\n", limits: limits).refusal
                == HTTPRefusal(.badRequest, "too many chunk extensions"))
        // The next request has its own.
        #expect(Self.read(two + "0\r\n\r\n" + two + "0\r\n\r\n", limits: limits).requests.count == 2)
    }

    @Test func `one empty line may stand before each request of a connection`() {
        let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(Self.read("\r\n" + request + "\r\n" + request + "\r\n" + request).requests.count == 3)
        let reading = Self.read(request + "\r\n\r\n" + request)
        #expect(reading.requests.count == 1 && reading.refusal?.status == .badRequest)
    }

    // MARK: - Splitting

    @Test(arguments: ["Content-Length: 4\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\n"])
    func `a limit of the content holds for the request whose head was reported`(rest: String) throws {
        var parser = HTTPRequestParser()
        parser.append(Array("POST / HTTP/1.1\r\nHost: x\r\n\(rest)".utf8))
        guard case .head(let head) = try parser.next() else {
            Issue.record("no head")
            return
        }
        #expect(head.method == .post && head.content.isEmpty)
        var other = parser
        #expect(throws: HTTPRefusal(.contentTooLarge, "the content must be at most 3 bytes")) {
            try parser.allowContent(atMost: 3)
            _ = try parser.next()
        }
        // As many bytes as are allowed are enough.
        try other.allowContent(atMost: 4)
        other.append(Array((rest.hasPrefix("C") ? "abcd" : "cd\r\n0\r\n\r\n").utf8))
        guard case .request(let request) = try other.next() else {
            Issue.record("no request")
            return
        }
        #expect(request.content.count == 4)
    }

    @Test func `the result does not depend on how bytes are split`() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let good = [
            "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n", Self.chunked("5;a=b\r\nhello\r\n0\r\nT: v\r\n\r\n"),
            Self.post("Content-Length: 11\r\nExpect: 100-continue\r\n", "hello\r\n\r\n00"),
            "\r\nHEAD / HTTP/1.0\r\n\r\n",
        ]
        var texts = Self.vectors.map(\.text)
        for _ in 0..<100 {
            texts.append((0..<3).map { _ in good.randomElement(using: &random)! }.joined())
            texts.append(good.randomElement(using: &random)! + Self.vectors.randomElement(using: &random)!.text)
        }
        for text in texts {
            let bytes = Array(text.utf8)
            let whole = readHTTP([bytes[...]])
            #expect(readHTTP(bytes.indices.map { bytes[$0...$0] }) == whole, "byte by byte: \(text)")
            for _ in 0..<3 {
                let cuts = ([0, bytes.count] + (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &random) })
                    .sorted()
                #expect(
                    readHTTP(zip(cuts, cuts.dropFirst()).map { bytes[$0..<$1] }) == whole, "cut at \(cuts): \(text)")
            }
        }
    }
}
