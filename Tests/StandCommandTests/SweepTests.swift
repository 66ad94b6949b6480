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

    @Test(arguments: [
        (["--vary", "makers"], 64, "juicestand: --vary needs KEY.PATH=A,B,C or KEY.PATH=A..B, found \"makers\""),
        (["--vary", "=1,2"], 64, "juicestand: --vary needs KEY.PATH=A,B,C or KEY.PATH=A..B, found \"=1,2\""),
        (["--vary", "makers="], 64, "juicestand: --vary must not have an empty value, found \"makers=\""),
        (["--vary", "makers=1,,2"], 64, "juicestand: --vary must not have an empty value, found \"makers=1,,2\""),
        (
            ["--vary", "makers=1..1e9"], 64,
            "juicestand: --vary needs a range of at most 1,000,000 numbers that rises by a step above 0, such as 1..9 or 0.5..2/0.25, found \"1..1e9\""
        ),
        (["--vary", "makers=1,2, 1"], 64, "juicestand: --vary makers has the value 1 twice; give each value once"),
        (
            ["--vary", "makers=1", "--vary", "makers=2"], 64,
            "juicestand: --vary makers is given twice; give all values in one list"
        ),
        // All errors, each once although there are four combinations.
        (
            ["--vary", "makers=0,1", "--vary", "maker=1,2"], 78,
            """
            juicestand: --vary makers=0: makers: must be at least 1, "unlimited" or {"shifts": …}, found 0
            juicestand: --vary maker=1: maker: unknown key; did you mean "makers"?
            """
        ),
        (
            ["--replications", "0"], 64,
            "juicestand: --replications must be a whole number from 1 to 1,000,000, found \"0\""
        ),
        (
            ["--precision", "wait.mean"], 64,
            "juicestand: --precision needs a metric and a width, such as wait.mean=1%, found \"wait.mean\""
        ),
        (
            ["--precision", "wait.mean=1%", "--shard", "1/2"], 64,
            "juicestand: --precision cannot be used with --shard: a shard does not know the interval of the whole"
        ),
        (["--shard", "3/2"], 64, "juicestand: --shard: the index must be from 1 to 2, found \"3\""),
        (["--warm-up", "10m"], 64, "juicestand: --warm-up must be shorter than the run"),
    ])
    func `wrong sweep and shard options give one line and exit status`(
        arguments: [String], status: Int32, message: String
    ) throws {
        let ending = try Program.start(["simulate", "--for", "10m"] + arguments).wait()
        #expect(ending.status == status)
        #expect(
            Set(ending.diagnostics.split(separator: "\n")) == Set(message.split(separator: "\n")),
            "\(ending.diagnostics)")
        #expect(ending.output == "")
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
