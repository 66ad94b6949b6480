import Foundation
import Testing

struct ProgramTests {
    // MARK: - Wrong input

    @Test(arguments: [
        (["frobnicate"], 64, #"juicestand: "frobnicate" is no command (see juicestand help)"#),
        (["simulat"], 64, #"juicestand: "simulat" is no command; did you mean "simulate"? (see juicestand help)"#),
        (["run", "--speeed", "2"], 64, "juicestand: --speeed is not an option here; did you mean --speed?"),
        (["run", "--speed", "0"], 64, #"juicestand: --speed must be a number above 0 and at most 1e9, found "0""#),
        (["run", "--speed"], 64, "juicestand: --speed needs a value: --speed X"),
        (
            ["run", "--duration", "soon"], 64,
            #"juicestand: --duration must be a duration such as 250ms, 30s, 5m, 8h or 2d, found "soon""#
        ),
        (
            ["simulate", "--for", "-1s"], 64,
            #"juicestand: --for must be a duration such as 250ms, 30s, 5m, 8h or 2d, found "-1s""#
        ),
        (["simulate", "day"], 64, #"juicestand: "day" is not expected here; see --help"#),
        (["simulate", "--format", "xml"], 64, #"juicestand: --format must be one of text, json, csv, found "xml""#),
        (
            ["simulate", "--expect", "wait.p95"], 64,
            "juicestand: --expect needs a metric, an operator and a number, such as 'wait.p95<120', found \"wait.p95\""
        ),
        (
            ["simulate", "--expect", "wait.p59<9"], 64,
            #"juicestand: --expect: this stand has no metric "wait.p59"; did you mean wait.p50?"#
        ),
        (["simulate", "--config", "none.json"], 66, "juicestand: none.json: No such file or directory"),
        (
            ["simulate", "--set", "makers=0"], 78,
            #"--set makers=0: makers: must be at least 1 or "unlimited", found 0"#
        ),
        (
            ["simulate", "--wiring", "telepathy"], 64,
            "juicestand: --wiring must be one of direct, delegate, multicast-delegate, closure, notification, foundation-notification, foundation-message, foundation-message-main, observation, async-stream, found \"telepathy\""
        ),
        (["simulate", "--ledger", "/nowhere/l"], 73, "juicestand: /nowhere/l: No such file or directory"),
        (["verify", "none.jsonl"], 66, "juicestand: none.jsonl: No such file or directory"),
        (["verify"], 64, "juicestand: verify needs at least one FILE"),
        (
            ["menu", "show", "mango juise"], 64,
            #"juicestand: "mango juise" is not on the menu; did you mean "mango juice"?"#
        ),
        (["menu", "--with", "grape"], 64, #"juicestand: "grape" is a fruit nobody stocks"#),
    ])
    func `wrong input gets one clear line and its exit status`(arguments: [String], status: Int32, message: String)
        throws
    {
        let ending = try Program.start(arguments).wait()
        #expect(ending.status == status)
        #expect(ending.diagnostics == message + "\n")
        #expect(ending.output == "")
    }

    @Test func `all errors of a configuration are reported at once, each with its place`() async throws {
        try await Program.withTemporaryFolder { folder in
            let text = """
                {
                  "maker": 2,
                  "menu": {"banana juice": {"recipe": {"banana": 0}}},
                  "customers": {"patience": "soon"},
                }
                """
            try text.write(to: folder.appending(path: "stand.json"), atomically: true, encoding: .utf8)
            let ending = try Program.run("check-config", "stand.json", in: folder)
            #expect(ending.status == 78)
            #expect(
                ending.diagnostics == """
                    stand.json:2:3: maker: is not a known key; did you mean "makers"?
                    stand.json:3:50: menu.banana juice.recipe.banana: must be at least 1, found 0
                    stand.json:4:29: customers.patience: must be seconds or a duration such as "30s" or "8h", found "soon"

                    """)
        }
    }

    // MARK: - What it prints

    @Test func `help is on standard output and tells every command`() throws {
        let ending = try Program.run("help")
        #expect(ending.status == 0)
        for command in ["run", "simulate", "menu", "verify", "check-config"] {
            #expect(ending.output.contains("  \(command) "))
            let help = try Program.run(command, "--help")
            #expect(help.status == 0 && help.output.contains("Examples:") && help.output.contains("Options:"))
            #expect(try Program.run("help", command).output == help.output)
        }
        let nothing = try Program.run()
        #expect(nothing.status == 64 && nothing.output == "" && nothing.diagnostics == ending.output)
    }

    @Test func `the built-in configuration is the file in config`() async throws {
        let here = try Program.run("check-config")
        let elsewhere = try await Program.withTemporaryFolder { try Program.run("check-config", in: $0) }
        #expect(here.status == 0 && here.output.count > 1000)
        #expect(elsewhere.output == here.output)
    }

    @Test(arguments: ["stand", "rush-hour", "bakery"])
    func `a resolved configuration resolves to itself`(name: String) async throws {
        let resolved = try Program.run("check-config", "config/\(name).json")
        #expect(resolved.status == 0)
        try await Program.withTemporaryFolder { folder in
            let text = resolved.output
            try text.write(to: folder.appending(path: "again.json"), atomically: true, encoding: .utf8)
            #expect(try Program.run("check-config", "again.json", in: folder).output == text)
        }
    }

    @Test(arguments: [
        (["menu", "--makeable", "--with", "kiwi"], "mango kiwi juice (망키쥬스)  2 mango, 1 kiwi"),
        (["menu", "show", "strawberry juice", "--having", "strawberry=10"], "✗ 16 strawberry, 10 in hand, 6 missing"),
        (["menu", "recommend", "--having", "banana=3,kiwi=1"], "✓ banana juice (바나나쥬스)"),
        (["menu", "similar", "mango juice"], "0.500  mango kiwi juice"),
        (["menu", "--category", "mixed"], "strawberry banana juice (딸바쥬스)"),
    ])
    func `the menu answers`(arguments: [String], expected: String) throws {
        let ending = try Program.start(arguments).wait()
        #expect(ending.status == 0)
        #expect(ending.output.contains(expected), "\(ending.output)")
    }

    @Test func `results as JSON are one document, the same bytes every time`() throws {
        let first = try Program.run("simulate", "--format", "json", "--no-timing")
        #expect(first.status == 0 && first.diagnostics == "")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any])
        #expect(object["schema"] as? String == "juicestand.simulation/1")
        #expect(try Program.run("simulate", "--format", "json", "--no-timing").output == first.output)
        #expect(try Program.run("simulate", "--format", "json", "--no-timing", "--seed", "7").output != first.output)
    }

    @Test func `an expectation that fails is named and gives exit status 1`() throws {
        let ending = try Program.run("simulate", "--expect", "customers.served > 10", "--expect", "wait.p95 < 0.001")
        #expect(ending.status == 1)
        #expect(ending.output.contains("✓ customers.served > 10, found"))
        #expect(ending.output.contains("✗ wait.p95 < 0.0010"))
        #expect(try Program.run("simulate", "--expect", "customers.served > 10").status == 0)
    }
}
