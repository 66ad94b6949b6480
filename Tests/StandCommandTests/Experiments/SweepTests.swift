import Foundation
import Platform
import TestSupport
import Testing

/// `simulate` with `--vary`, `--replications` and `--shard`, and `merge`, run as a user would.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct SweepTests {
    private static let short = ["simulate", "--for", "10m", "--no-timing", "--format", "json"]

    private static func json(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The varied keys of every run, as JSON.
    private static func sets(_ arguments: [String]) throws -> [String] {
        let ending = try Program.start(short + arguments).wait()
        #expect(ending.status == 0, "\(ending.diagnostics)")
        let runs = try #require(try json(ending.output)["runs"] as? [[String: Any]])
        return try runs.map {
            let data = try JSONSerialization.data(withJSONObject: try #require($0["set"]), options: [.sortedKeys])
            return String(decoding: data, as: UTF8.self)
        }
    }

    @Test func `every combination is a run, the last key varying fastest`() throws {
        #expect(
            try Self.sets(["--vary", "makers=2,1", "--vary", "queue.limit=5,\"unlimited\""]) == [
                #"{"makers":2,"queue.limit":5}"#, #"{"makers":2,"queue.limit":"unlimited"}"#,
                #"{"makers":1,"queue.limit":5}"#, #"{"makers":1,"queue.limit":"unlimited"}"#,
            ])
    }

    @Test func `commas inside brackets and quotes do not separate values`() throws {
        #expect(
            try Self.sets([
                "--vary",
                #"customers.cups=1,{"uniform": {"from": 1, "to": 3}},{"empirical": {"values": [1, 2], "weights": [3, 1]}}"#,
            ]) == [
                #"{"customers.cups":1}"#, #"{"customers.cups":{"uniform":{"from":1,"to":3}}}"#,
                #"{"customers.cups":{"empirical":{"values":[1,2],"weights":[3,1]}}}"#,
            ])
        #expect(try Self.sets(["--vary", #"stand="a,b",c"#]) == [#"{"stand":"a,b"}"#, #"{"stand":"c"}"#])
    }

    @Test func `a range has its ends and every step between them`() throws {
        #expect(try Self.sets(["--vary", "makers=1..3"]) == [#"{"makers":1}"#, #"{"makers":2}"#, #"{"makers":3}"#])
        #expect(try Self.sets(["--vary", "seed=1e2..1.02e2"]).count == 3)
        let key = "customers.arrivals.poisson.perSecond"
        #expect(
            try Self.sets([
                "--set", #"customers.arrivals={"poisson": {"perSecond": 1}}"#, "--vary", "\(key)=0.01..0.04/0.01",
            ])
                == ["0.01", "0.02", "0.03", "0.04"].map { #"{"\#(key)":\#($0)}"# })
        #expect(
            try Self.sets([
                "--set", #"customers.arrivals={"poisson": {"perSecond": 1}}"#, "--vary", "\(key)=1e-2..2e-2/5e-3",
            ])
                == ["0.01", "0.015", "0.02"].map { #"{"\#(key)":\#($0)}"# })
    }

    @Test func `merged shards equal the unsharded result, for any number of jobs`() async throws {
        try await Program.withTemporaryFolder { folder in
            let config = ["--config", Program.root.appending(path: "config/rush-hour.json").path]
            let what = config + ["--vary", "makers=2,3", "--replications", "3"]
            let whole = try Program.start(Self.short + what + ["--jobs", "1"], in: folder).wait()
            #expect(whole.status == 0)
            #expect(try Program.start(Self.short + what + ["--jobs", "3"], in: folder).wait().output == whole.output)
            for index in 1...4 {
                let part = try Program.start(
                    Self.short + what + ["--shard", "\(index)/4", "--output", "part\(index).json"], in: folder
                ).wait()
                #expect(part.status == 0)
            }
            let parts = [3, 1, 4, 2].map { "part\($0).json" }
            let merged = try Program.start(["merge", "--format", "json"] + parts, in: folder).wait()
            #expect(merged.status == 0)
            #expect(merged.output == whole.output)
            let some = try Program.start(["merge", "part1.json", "part4.json"], in: folder).wait()
            #expect(some.status == 65)
            #expect(some.diagnostics == "juicestand: part1.json: is one of 4 shards, and shards 2, 3 are missing\n")
        }
    }
}
