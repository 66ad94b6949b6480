import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(60)))
struct HTTPGateTests {
    static let token = SecretToken()

    private func status(
        _ method: HTTPMethod = .get, host: String, path: String = "/", origin: String? = nil, site: String? = nil,
        authorization: String? = nil,
        listening: String = "127.0.0.1:8787", over transport: HTTPTransport = .tcp
    ) throws -> HTTPStatus? {
        var fields = HTTPFields()
        if let origin { fields.append("origin", origin) }
        if let site { fields.append("sec-fetch-site", site) }
        if let authorization { fields.append("authorization", authorization) }
        let gate = HTTPGate(address: try #require(NetworkAddress(listening)), token: Self.token)
        var request = HTTPRequest()
        request.method = method
        request.path = path
        request.authority = host
        request.fields = fields
        return (gate.refusal(of: request, over: transport) ?? gate.refusalWithoutToken(of: request, over: transport))?
            .status
    }

    @Test(arguments: [
        ("127.0.0.1:8787", true), ("localhost:8787", true), ("[::1]:8787", true), ("127.0.0.2:8787", true),
        ("evil.example:8787", false), ("localhost.evil.example:8787", false), ("127.0.0.1.evil.example:8787", false),
        ("localhost", false), ("localhost:80", false), ("192.0.2.1:8787", false), ("[2001:db8::1]:8787", false),
        ("localhost:8787:8787", false), ("", false), (":8787", false), ("[::1]", false), ("0:8787", false),
    ])
    func `on the loopback only loopback names pass as Host`(host: String, isOurs: Bool) throws {
        #expect(try status(host: host) == (isOurs ? nil : .misdirectedRequest))
    }

    @Test(arguments: [
        ("192.0.2.7:80", "192.0.2.7", true), ("192.0.2.7:80", "192.0.2.7:80", true),
        ("192.0.2.7:80", "192.0.2.8", false),
        ("192.0.2.7:80", "localhost", false), ("192.0.2.7:80", "evil.example", false),
        ("0.0.0.0:80", "192.0.2.8", true),
        ("0.0.0.0:80", "localhost", true), ("0.0.0.0:80", "evil.example", false), ("[::]:80", "[2001:db8::1]", true),
    ])
    func `beyond the loopback the bound address passes as Host`(listening: String, host: String, isOurs: Bool) throws {
        #expect(try status(host: host, listening: listening) == (isOurs ? nil : .misdirectedRequest))
    }

    @Test(arguments: [
        ("http://localhost:8787", true), ("HTTP://LocalHost:8787", true), ("http://localhost:3000", false),
        ("https://localhost:8787", false), ("http://127.0.0.1:8787", false), ("null", false),
        ("http://evil.example", false),
        ("", false),
    ])
    func `refuses pages of another origin`(origin: String, isOurs: Bool) throws {
        #expect(try status(host: "localhost:8787", origin: origin) == (isOurs ? nil : .forbidden))
    }

    @Test(arguments: [
        ("same-origin", "/api/v1/status", true), ("none", "/api/v1/status", true),
        ("cross-site", "/api/v1/status", false), ("same-site", "/api/v1/status", false),
        ("cross-site", "/page.js", false), ("cross-site", "/", true), ("same-site", "/", true),
    ])
    func `other sites may only link to the page`(site: String, path: String, isAllowed: Bool) throws {
        #expect(try status(host: "localhost:8787", path: path, site: site) == (isAllowed ? nil : .forbidden))
        #expect(try status(host: "localhost:8787", path: path, site: site, over: .local) == nil)
    }

    @Test(arguments: HTTPMethod.allCases)
    func `changes need the token, reads do not`(method: HTTPMethod) throws {
        let expected: HTTPStatus? = method.isSafe ? nil : .unauthorized
        let wrong = String(Self.token.text.reversed())
        for authorization in [
            nil, "Bearer \(wrong)", Self.token.text, "Basic \(Self.token.text)", "Bearer \(Self.token.text)0",
        ] {
            #expect(try status(method, host: "localhost:8787", authorization: authorization) == expected)
        }
        #expect(try status(method, host: "localhost:8787", authorization: "bearer \(Self.token.text)") == nil)
        #expect(
            try status(method, host: "evil.example", authorization: "Bearer \(Self.token.text)") == .misdirectedRequest)
    }

    @Test func `lets everything pass over the Unix socket`() throws {
        #expect(try status(.post, host: "anything", origin: "http://evil.example", over: .local) == nil)
    }

    @Test func `a token is 40 random digits and matches only itself`() throws {
        let token = SecretToken()
        #expect(token.text.utf8.count == 40 && token != SecretToken())
        #expect(SecretToken(token.text) == token && SecretToken(String(token.text.dropLast())) == nil)
        #expect(SecretToken(String(repeating: "g", count: 40)) == nil)
        // Those of earlier versions stay valid.
        #expect(SecretToken(String(repeating: "0", count: 64)) != nil)
        #expect(token.matches(token.text.utf8))
        for attempt in ["", String(token.text.dropLast()), token.text + "0", String(repeating: "0", count: 40)] {
            #expect(!token.matches(attempt.utf8))
        }
    }
}
