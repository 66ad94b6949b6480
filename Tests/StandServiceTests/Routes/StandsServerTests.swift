import HTTPServer
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// The page of many stands, as its script asks for it.
@Suite(.serialized, .onItsOwnThread)
struct StandsServerTests {
    @Test func `the page says why the list can't be read, until it can be`() throws {
        let folder = try TemporaryFolder()
        let targets = try StandTargets(named: [], file: folder.write("[]", to: "stands.json"), takesAll: false)
        let server = try StandsServer(targets, at: #require(NetworkAddress("127.0.0.1:0")))
        defer { server.stop() }
        let client = try StandClient(#require(StandTarget("http://\(server.address)")))
        func problem() throws -> JSONValue? { try client.send(.get, "/api/v1/stands").json?["problem"] }
        #expect(try problem() == .null)
        _ = try folder.write("[{]", to: "stands.json")
        try eventually("the problem") { try problem()?.text?.contains("stands.json:1:") == true }
        _ = try folder.write(#"[{"targets": ["/nowhere"]}]"#, to: "stands.json")
        try eventually("the new list") { try problem() == .null }
    }
}
