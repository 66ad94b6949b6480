import Foundation
import HTTPServer
import Platform
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// `juicestand watch --listen`: what its page of many stands shows.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct StandsPageTests {
    /// `juicestand watch --listen` of some stands.
    struct Overview {
        let running: Program.Running
        let url: String
        let port: UInt16

        init(_ chain: StandChain, _ targets: [String], port: UInt16 = 0) throws {
            let running = try chain.watch(targets + ["--listen", "127.0.0.1:\(port)"])
            try running.waitForOutput("\n")
            let said = try String(contentsOf: running.output, encoding: .utf8)
            let found = try #require(said.firstMatch(of: #/^page (http:\/\/127\.0\.0\.1:(\d+))\/\n$/#), "\(said)")
            self.running = running
            url = String(found.1)
            self.port = try #require(UInt16(found.2))
        }

        func get(_ path: String, method: HTTPMethod = .get) throws -> StandClient.Answer {
            try StandClient(#require(StandTarget(url)), timeout: 30).send(method, path)
        }
    }

    @Test func `a watch that is given the address of another watch says once that it can't follow it`() async throws {
        try await StandChain.with { chain in
            _ = try chain.open("corner")
            let overview = try Overview(chain, [chain.socket("corner")])
            let watch = try chain.watch([overview.url, chain.socket("corner"), "--format", "json", "--since", "0"])
            try chain.wait(forMoreThan: 10, of: "corner", in: watch)
            let reason = "it watches many stands; name those, or open its page"
            let said = try String(contentsOf: watch.diagnostics, encoding: .utf8)
            #expect(said == "juicestand: \(overview.url): \(reason); trying again\n")
        }
    }

    @Test func `the page of many stands refuses changes and other hosts`() async throws {
        try await StandChain.with { chain in
            _ = try chain.open("corner")
            let overview = try Overview(chain, [chain.socket("corner")])
            #expect(try overview.get("/api/v1/stands", method: .post).status == 405)
            #expect(try overview.get("/api/v1/menu").status == 404)
            let foreign = try RawClient(port: overview.port)
            foreign.send("GET /api/v1/stands HTTP/1.1\r\nHost: elsewhere:80\r\n\r\n")
            #expect(foreign.receive(until: "\r\n").hasPrefix("HTTP/1.1 421 "))
            kill(overview.running.process.processIdentifier, SIGTERM)
            #expect(try chain.end(overview.running).status == 0)
        }
    }

    @Test func `what is known of the stands says which is away and why, and the most urgent comes first`() async throws
    {
        try await StandChain.with { chain in
            let stands = try ["corner", "north"].map { try chain.open($0, listen: "127.0.0.1:0") }
            let overview = try Overview(chain, ["corner", "north"].map(chain.socket))
            func rows() throws -> [JSONValue] { try overview.get("/api/v1/stands").json?["stands"]?.elements ?? [] }
            try eventually("both stands") { try rows().count { $0["phase"]?.text == "open" } == 2 }
            let row = try #require(try rows().first { $0["stand"]?.text == "north" })
            #expect(row["page"]?.text?.hasPrefix("http://127.0.0.1:") == true)
            #expect(row["levels"]?.elements.isEmpty == false && row["away"] == .null)
            try chain.kill(stands[1])
            try eventually("north to be away") {
                let first = try rows()[0]
                return first["stand"]?.text == "north" && first["away"]?.text?.isEmpty == false
            }
            #expect(try overview.get("/api/v1/status").json == ["stands": 2, "away": 1])
        }
    }
}
