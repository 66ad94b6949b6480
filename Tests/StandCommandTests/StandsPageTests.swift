import Foundation
import HTTPServer
import Platform
import StandService
import TestSupport
import Testing
import TextFormats

/// `juicestand watch --listen`: the events of many stands on one stream, and what its page shows.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct StandsPageTests {
    /// `juicestand watch --listen` of some stands.
    struct Overview {
        let running: Program.Running
        let url: String
        let port: UInt16

        init(_ chain: StandChain, _ targets: [String], port: UInt16 = 0) throws {
            let running = try chain.watch(targets + ["--listen", "127.0.0.1:\(port)"])
            try eventually("the address of the page") {
                try !running.process.isRunning || String(contentsOf: running.output, encoding: .utf8).contains("\n")
            }
            let said = try String(contentsOf: running.output, encoding: .utf8)
            let found = try #require(said.firstMatch(of: #/^page (http:\/\/127\.0\.0\.1:(\d+))\/\n$/#), "\(said)")
            (self.running, url) = (running, String(found.1))
            self.port = try #require(UInt16(found.2))
        }

        func get(_ path: String, method: HTTPMethod = .get) throws -> StandClient.Answer {
            try StandClient(#require(StandTarget(url)), timeout: 30).send(method, path)
        }

        /// A client of the stream of events.
        func listen(after id: String, unread: Int32? = nil) throws -> RawClient {
            let client = RawClient()
            if let unread { client.keepUnread(unread) }
            try client.connect(port: port)
            client.send("GET /api/v1/events HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\nLast-Event-ID: \(id)\r\n\r\n")
            return client
        }
    }

    /// The messages of a stream that are whole, and the last of their ids.
    private static func messages(_ stream: String) -> (lines: [String], id: String?) {
        let blocks = stream.components(separatedBy: "\n\n").dropLast()
        let fields = blocks.filter { !$0.contains("event: ") }.flatMap { $0.split(separator: "\n") }
        return (
            fields.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) },
            fields.last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
        )
    }

    // MARK: - Events

    @Test func `a watch watches a watch, goes on when that is started again, and ends with the stands`() async throws {
        try await StandChain.with { chain in
            let names = ["corner", "north"]
            let stands = try names.map { try chain.open($0) }
            var overview = try Overview(chain, names.map(chain.socket))
            let watch = try chain.watch([overview.url, "--format", "json", "--since", "0"])
            let text = try chain.watch([overview.url, "--format", "text", "--since", "0", "--only", "opened"])
            let direct = try chain.watch(
                names.map(chain.socket) + ["--format", "text", "--since", "0", "--only", "opened"])
            for name in names {
                try eventually("lines of \(name)") { try chain.lines(watch, of: name).count > 20 }
            }
            for words in [text, direct] {
                try eventually("two openings") {
                    try String(contentsOf: words.output, encoding: .utf8).matches(of: #/event=opened/#).count == 2
                }
            }
            for words in [text, direct] { kill(words.process.processIdentifier, SIGTERM) }
            let openings = try [text, direct].map { try chain.end($0).output.split(separator: "\n").sorted() }
            #expect(openings[0] == openings[1])
            try chain.kill(overview.running)
            try eventually("the gap to be said") {
                try String(contentsOf: watch.diagnostics, encoding: .utf8).contains("reconnecting")
            }
            overview = try Overview(chain, names.map(chain.socket), port: overview.port)
            let seen = try names.map { try chain.lines(watch, of: $0).count }
            for (name, seen) in zip(names, seen) {
                try eventually("more lines of \(name)") { try chain.lines(watch, of: name).count > seen + 20 }
            }
            try chain.stop(names, stands, after: watch)
            let ending = try chain.end(watch)
            #expect(ending.status == 0)
            for name in names {
                #expect(try StandChain.lines(ending.output, of: name) == chain.ledger(name), "\(name)")
            }
            #expect(ending.output.split(separator: "\n").allSatisfy { JSONValue(parsing: Array($0.utf8)) != nil })
            try chain.kill(overview.running, SIGTERM)
        }
    }

    @Test func `lines of a watch keep their stand beside those of others`() async throws {
        try await StandChain.with { chain in
            let stands = try ["corner", "north"].map { try chain.open($0) }
            let overview = try Overview(chain, [chain.socket("corner")])
            let watch = try chain.watch([overview.url, chain.socket("north"), "--format", "json", "--since", "0"])
            for name in ["corner", "north"] {
                try eventually("lines of \(name)") { try chain.lines(watch, of: name).count > 10 }
            }
            for stand in stands { try chain.kill(stand, SIGTERM) }
            #expect(try chain.end(watch).status == 0)
            try chain.kill(overview.running, SIGTERM)
        }
    }

    @Test func `the id of any message resumes all stands, without a line twice or missing`() async throws {
        try await StandChain.with { chain in
            let names = ["corner", "north", "south"]
            let stands = try names.map { try chain.open($0) }
            let overview = try Overview(chain, names.map(chain.socket))
            var found: [String] = []
            var id = "0"
            for round in 1...6 {
                // It is cut off anywhere.
                let stream = try overview.listen(after: id).receive { $0.utf8.count > 2000 * round }
                let (lines, last) = Self.messages(stream)
                found += lines
                id = last ?? id
            }
            for name in names {
                let lines = found.filter { $0.hasPrefix("{\"stand\":\"\(name)\",") }
                    .map { "{" + $0.dropFirst("{\"stand\":\"\(name)\",".count) }
                #expect(try lines.count > 3 && lines == Array(chain.ledger(name).prefix(lines.count)), "\(name)")
            }
            for stand in stands { try chain.kill(stand, SIGTERM) }
            try chain.kill(overview.running, SIGTERM)
        }
    }

    @Test func `a listener that does not read holds back no other, and takes little memory`() async throws {
        try await StandChain.with { chain in
            let (arrivals, queue) = ("customers.arrivals.poisson.perSecond=5", "queue.limit=1")
            let stands = try ["corner", "north"].map { try chain.open($0, "--set", arrivals, "--set", queue) }
            let overview = try Overview(chain, ["corner", "north"].map(chain.socket))
            let slow = try overview.listen(after: "0", unread: 4096)
            try eventually("something to read") { slow.unreadBytes > 0 }
            let before = try overview.running.memory()
            let quick = try overview.listen(after: "0").receive { $0.utf8.count > 2 << 20 }
            #expect(quick.utf8.count > 2 << 20)
            // What the slow one has not read stays in the stands.
            let more = try overview.running.memory() - before
            #expect(more < 1 << 10, "\(more) kB")
            withExtendedLifetime(slow) {}
            for stand in stands { try chain.kill(stand, SIGTERM) }
            try chain.kill(overview.running, SIGTERM)
        }
    }

    // MARK: - Requests

    @Test func `the page of many stands refuses changes, other hosts, unknown ids and a 17th listener`() async throws {
        try await StandChain.with { chain in
            let stand = try chain.open("corner")
            let overview = try Overview(chain, [chain.socket("corner")])
            #expect(try overview.get("/api/v1/stands", method: .post).status == 405)
            #expect(try overview.get("/api/v1/menu").status == 404)
            for id in ["1", "n.x", "0.a-%", "zzz"] {
                #expect(try overview.get("/api/v1/events?after=\(id)").status == 400, "\(id)")
            }
            let foreign = try RawClient(port: overview.port)
            foreign.send("GET /api/v1/stands HTTP/1.1\r\nHost: elsewhere:80\r\n\r\n")
            #expect(foreign.receive(until: "\r\n").hasPrefix("HTTP/1.1 421 "))
            let listeners = try (1...16).map { _ in try overview.listen(after: "0") }
            for listener in listeners { #expect(listener.receive(until: "\r\n").hasPrefix("HTTP/1.1 200 ")) }
            #expect(try overview.listen(after: "0").receive(until: "\r\n").hasPrefix("HTTP/1.1 503 "))
            withExtendedLifetime(listeners) {}
            try chain.kill(stand, SIGTERM)
            kill(overview.running.process.processIdentifier, SIGTERM)
            #expect(try chain.end(overview.running).status == 0)
        }
    }

    @Test(arguments: [
        (["--listen", "nowhere"], 64, "--listen must be ADDRESS:PORT such as 127.0.0.1:8787 or [::1]:0, found"),
        (["--listen", "off"], 64, "--listen must be ADDRESS:PORT"),
        (["--listen", "127.0.0.1:0", "--format", "json"], 64, "--listen serves a page, and takes no --format"),
        (["--listen", "127.0.0.1:0", "--stands", "missing.json"], 66, "missing.json: No such file or directory"),
        (["--listen", "1.2.3.4:1"], 73, "1.2.3.4:1: Cannot assign requested address"),
    ])
    func `a wrong address, a wrong list and what a page does not take are errors`(
        arguments: [String], status: Int32, message: String
    ) async throws {
        try await Program.withTemporaryFolder { folder in
            let ending = try Program.start(["watch"] + arguments, in: folder).wait()
            #expect(ending.status == status && ending.diagnostics.contains(message), "\(ending)")
        }
    }

    @Test func `what is known of the stands says which is away and why, and the most urgent comes first`() async throws
    {
        try await StandChain.with { chain in
            var stands = try ["corner", "north"].map { try chain.open($0, listen: "127.0.0.1:0") }
            let overview = try Overview(chain, ["corner", "north"].map(chain.socket))
            func rows() throws -> [JSONValue] { try overview.get("/api/v1/stands").json?["stands"]?.elements ?? [] }
            try eventually("both stands") { try rows().count { $0["phase"]?.text == "open" } == 2 }
            let row = try #require(try rows().first { $0["stand"]?.text == "north" })
            #expect(row["page"]?.text?.hasPrefix("http://127.0.0.1:") == true)
            #expect(row["levels"]?.elements.isEmpty == false && row["away"] == .null)
            try chain.kill(stands.removeLast())
            try eventually("north to be away") {
                let first = try rows()[0]
                return first["stand"]?.text == "north" && first["away"]?.text?.isEmpty == false
            }
            #expect(try overview.get("/api/v1/status").json == ["stands": 2, "away": 1])
            for stand in stands { try chain.kill(stand, SIGTERM) }
            try chain.kill(overview.running, SIGTERM)
        }
    }
}
