import Foundation
import JuiceStand
import Platform
import StandClient
import StandService
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct ProgramTests {
    // MARK: - Wrong input

    @Test func `the help of all commands has at most 66 different options`() throws {
        let commands = try Self.commands()
        var options: Set<String> = []
        for command in Set(commands) {
            let help = try Program.run(command, "--help").output
            options.formUnion(help.matches(of: #/\n  (--[a-z-]+)/#).map { String($0.1) })
        }
        #expect(options.count > 50 && options.count <= 66, "\(options.count): \(options.sorted())")
    }

    @Test(arguments: [
        (["frobnicate"], 64, #"juicestand: unknown command "frobnicate" (juicestand help lists them)"#),
        (
            ["simulat"], 64,
            #"juicestand: unknown command "simulat"; did you mean "simulate"? (juicestand help lists them)"#
        ),
        (
            ["run", "--ledger-rotate", "1MB"], 64,
            "juicestand: --ledger-rotate was removed; logrotate rotates the ledger (see config/logrotate/juicestand)"
        ),
        (["menu", "--with", "kiwi"], 64, "juicestand: --with was removed; use --only FRUIT"),
        (["run", "--speeed", "2"], 64, "juicestand: unknown option --speeed; did you mean --speed?"),
        (
            ["--sped", "2"], 64,
            #"juicestand: missing command before --sped; did you mean "juicestand run --speed"? (juicestand help lists the commands)"#
        ),
        (["--verion"], 64, "juicestand: unknown option --verion; did you mean --version?"),
        (["status", "--jsn"], 64, "juicestand: unknown option --jsn; did you mean --format json?"),
        (["status", "--sped", "2"], 64, "juicestand: unknown option --sped; see juicestand status --help"),
        (
            ["run", "config/stand.json"], 64,
            #"juicestand: unexpected operand "config/stand.json"; did you mean --config config/stand.json?"#
        ),
        (
            ["status", "--socket", "/nowhere/s"], 69,
            "juicestand: no stand is running at /nowhere/s; start one with juicestand run"
        ),
        (["order", "2", "banana juice"], 64, "juicestand: the juice comes before the cups: order 'banana juice' 2"),
        (["run", "--speed", "0"], 64, #"juicestand: --speed must be a number above 0 and at most 1e9, found "0""#),
        (["run", "--speed"], 64, "juicestand: --speed needs a value: --speed X"),
        (
            ["run", "--duration", "soon"], 64,
            #"juicestand: --duration must be a duration above 0 and of at most 292 years, such as 250ms, 30s, 5m, 8h or 2d, found "soon""#
        ),
        (
            ["simulate", "--for", "-1s"], 64,
            #"juicestand: --for must be a duration above 0 and of at most 292 years, such as 250ms, 30s, 5m, 8h or 2d, found "-1s""#
        ),
        (["simulate", "day"], 64, #"juicestand: unexpected operand "day"; see juicestand simulate --help"#),
        (["simulate", "--format", "xml"], 64, #"juicestand: --format: unknown format "xml" (known: text, json, csv)"#),
        (
            ["simulate", "--expect", "wait.p95"], 64,
            "juicestand: --expect needs a metric, one of <= >= == != < > and a number, a duration or a percentage, such as 'wait.p95<2m', found \"wait.p95\""
        ),
        (
            ["simulate", "--expect", "wait.p59<9"], 64,
            #"juicestand: --expect: unknown metric "wait.p59"; did you mean "wait.p95"?"#
        ),
        (["simulate", "--config", "none.json"], 66, "juicestand: none.json: No such file or directory"),
        (
            ["simulate", "--set", "makers=0"], 78,
            #"juicestand: --set makers=0: makers: must be at least 1, "unlimited" or {"shifts": …}, found 0"#
        ),
        (
            ["simulate", "--wiring", "foundation-message-main"], 64,
            "juicestand: wiring: foundation-message-main cannot run a stand, only be compared: its messages can be posted from the main actor alone, and a stand runs on a queue of its own"
        ),
        (
            ["simulate", "--seed", "99999999999999999999"], 64,
            #"juicestand: --seed must be a whole number from 0 to 9,223,372,036,854,775,807, found "99999999999999999999""#
        ),
        (
            ["simulate", "--set", "seed=99999999999999999999"], 78,
            "juicestand: --set seed=99999999999999999999: seed: must be a whole number from 0 to 9223372036854775807, found 99999999999999999999"
        ),
        (
            ["run", "--speed", "0x10"], 64,
            #"juicestand: --speed must be a number above 0 and at most 1e9, found "0x10""#
        ),
        (
            ["run", "--for", "0x10"], 64,
            #"juicestand: --for must be a duration above 0 and of at most 292 years, such as 250ms, 30s, 5m, 8h or 2d, found "0x10""#
        ),
        (
            ["simulate", "--expect", "wait.p95<0x10"], 64,
            "juicestand: --expect needs a metric, one of <= >= == != < > and a number, a duration or a percentage, such as 'wait.p95<2m', found \"wait.p95<0x10\""
        ),
        (["run", "--socket", ""], 64, "juicestand: --socket must not be empty: --socket PATH"),
        (["run", "--state="], 64, "juicestand: --state must not be empty: --state DIR"),
        (["simulate", "-1"], 64, #"juicestand: unexpected operand "-1"; see juicestand simulate --help"#),
        (["rate", "-1"], 64, #"juicestand: rate needs one FACTOR, 0 or from 0.001 to 1,000,000, found "-1""#),
        (["rate", "0x2"], 64, #"juicestand: rate needs one FACTOR, 0 or from 0.001 to 1,000,000, found "0x2""#),
        (["rate"], 64, "juicestand: rate needs one FACTOR, 0 or from 0.001 to 1,000,000, found none"),
        (
            ["order", "kiwi juice", "99999999999999999999"], 64,
            #"juicestand: CUPS must be a whole number from 1 to 10,000, found "99999999999999999999""#
        ),
        (
            ["order", "kiwi juice", "two"], 64,
            #"juicestand: CUPS must be a whole number from 1 to 10,000, found "two""#
        ),
        (
            ["order", "kiwi", "juice"], 64,
            #"juicestand: CUPS must be a whole number, found "juice"; a name with spaces needs quotes: order 'kiwi juice'"#
        ),
        (
            ["restock", "=3"], 64,
            #"juicestand: restock needs FRUIT=N, such as banana=20, with N a whole number from 1 to 1,000,000,000, found "=3""#
        ),
        (
            ["restock", "kiwi=x=0"], 64,
            #"juicestand: restock needs FRUIT=N, such as banana=20, with N a whole number from 1 to 1,000,000,000, found "kiwi=x=0""#
        ),
        (
            ["forecast", "--for", "1h"], 64,
            "juicestand: unknown option --for; did you mean --in, the time to look ahead?"
        ),
        (
            ["simulate", "--expect", "fillRate>2m"], 64,
            "juicestand: --expect 'fillRate>2m': fillRate is compared with a number, or a percentage such as 90%"
        ),
        (
            ["simulate", "--expect", "fillRat>90%"], 64,
            #"juicestand: --expect: unknown metric "fillRat"; did you mean "fillRate"?"#
        ),
        (
            ["forecast", "--change", "restock =3"], 64,
            #"juicestand: the change "restock =3" must name fruit and pieces, such as restock banana=20"#
        ),
        (
            ["plan", "--minimize", "cost.total", "--over", "makers=1..2", "--where", "wait.p95<90%"], 64,
            "juicestand: --where 'wait.p95<90%', column 10: wait.p95 is compared with seconds, or a duration such as 2m"
        ),
        (
            ["adjust", "kiwi=0"], 64,
            #"juicestand: adjust needs FRUIT=N, such as banana=20, with N a whole number other than 0 from -1,000,000,000 to 1,000,000,000, found "kiwi=0""#
        ),
        (
            ["menu", "foo"], 64,
            #"juicestand: unknown menu command "foo" (known: show JUICE, recommend, similar JUICE…)"#
        ),
        (
            ["menu", "키위쥬스"], 64,
            #"juicestand: unknown menu command "키위쥬스"; did you mean "menu show '키위쥬스'"? (known: show JUICE, recommend, similar JUICE…)"#
        ),
        (
            ["menu", "show", "banana"], 64,
            #"juicestand: unknown juice "banana"; did you mean "banana juice" or "strawberry banana juice"? (juicestand menu lists them)"#
        ),
        (["check-config", "a.json", "--config", "b.json"], 64, "juicestand: check-config needs one FILE, found 2"),
        (
            ["check-config", "--format", "schema", "a.json"], 64,
            "juicestand: --format schema takes no file and no --set: one schema describes all configurations"
        ),
        (["completions"], 64, "juicestand: completions needs one of bash, zsh and fish, found none"),
        (["completions", "tcsh"], 64, #"juicestand: completions needs one of bash, zsh and fish, found "tcsh""#),
        (["help", "run", "stop"], 64, "juicestand: help takes one command, topic or word, found 2"),
        (["version", "2"], 64, #"juicestand: unexpected operand "2"; see juicestand version --help"#),
        (["simulate", "--ledger", "/nowhere/l"], 73, "juicestand: /nowhere/l: No such file or directory"),
        (["verify", "none.jsonl"], 66, "juicestand: none.jsonl: No such file or directory"),
        (["verify"], 64, "juicestand: verify needs at least one FILE"),
        (
            ["menu", "show", "mango juise"], 64,
            #"juicestand: unknown juice "mango juise"; did you mean "mango juice"? (juicestand menu lists them)"#
        ),
        (["fit"], 64, "juicestand: fit needs one FILE, found none"),
        (["fit", "none.csv"], 66, "juicestand: none.csv: No such file or directory"),
        (["fit", "t.csv", "--hold-out", "2"], 64, #"juicestand: --hold-out must be a share such as 30%, found "2""#),
        (
            ["fit", "till.csv", "--config", "shop.json"], 64,
            "juicestand: unknown option --config; --config is a file to read; use --write to write a configuration"
        ),
        (["fit", "none.csv", "--started", "a"], 64, "juicestand: --started and --ended must be given together"),
        (["diff", "a.json"], 64, #"juicestand: diff needs two files, A.json and B.json, found "a.json""#),
        (["diff", "missing.json", "b.json"], 66, "juicestand: missing.json: No such file or directory"),
        (
            ["diff", "a.json", "b.json", "--confidence", "2"], 64,
            #"juicestand: --confidence must be from 50% to 99.99%, such as 95% or 0.95, found "2""#
        ),
        (["plan"], 64, "juicestand: plan needs --over, such as --over makers=1..6"),
        (
            ["plan", "--over", "makers=1..3"], 64,
            "juicestand: plan needs either --minimize METRIC or --maximize METRIC"
        ),
        (
            ["plan", "--over", "makers=1..3", "--minimize", "15*queue.hour"], 64,
            #"juicestand: --minimize '15*queue.hour', column 4: unknown metric "queue.hour"; did you mean "queue.hours"?"#
        ),
        (
            ["plan", "--over", "makers=3..1", "--minimize", "queue.hours"], 64,
            #"juicestand: --over needs a range of at most 1,000,000 numbers that rises by a step above 0, such as 1..9 or 0.5..2/0.25, found "3..1""#
        ),
        (
            ["plan", "--over", "makers=1..3", "--minimize", "queue.hours", "--within", "-1"], 64,
            #"juicestand: --within must be a number from 0, or a percentage such as 1%, found "-1""#
        ),
        (
            ["menu", "--having", "sugar=free=1"], 64,
            #"juicestand: unknown fruit "sugar=free" (known: strawberry, banana, kiwi, pineapple, mango)"#
        ),
        (
            ["menu", "--having", "grape=1"], 64,
            #"juicestand: unknown fruit "grape" (known: strawberry, banana, kiwi, pineapple, mango)"#
        ),
    ])
    func `wrong input gives one line that names the problem, and its exit status`(
        arguments: [String], status: Int32, message: String
    )
        throws
    {
        let ending = try Program.start(arguments).wait()
        #expect(ending.status == status)
        #expect(ending.diagnostics == message + "\n")
        #expect(ending.output == "")
    }

    @Test(arguments: [
        ("telepathy", #"unknown wiring "telepathy""#),
        ("notificaton", #"unknown wiring "notificaton"; did you mean "notification"?"#),
    ])
    func `an unknown wiring is answered with those that a stand can run under`(name: String, problem: String) throws {
        let wirings = WiringChoice.allCases.filter { $0.refusal == nil }.map(\.rawValue).joined(separator: ", ")
        let ending = try Program.run("simulate", "--wiring", name)
        #expect(ending.status == 64 && ending.output == "")
        #expect(ending.diagnostics == "juicestand: --wiring: \(problem) (known: \(wirings))\n")
    }

    @Test func `all errors of a configuration are reported at once, with line and column`() async throws {
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
                    stand.json:2:3: maker: unknown key; did you mean "makers"?
                    stand.json:3:50: menu.banana juice.recipe.banana: must be at least 1, found 0
                    stand.json:4:29: customers.patience: must be seconds or a duration such as "30s" or "8h", found "soon"

                    """)
        }
    }

    // MARK: - Output

    @Test func `help goes to standard output and describes every command`() throws {
        let ending = try Program.run("help")
        #expect(ending.status == 0)
        let commands = try Self.commands()
        for command in ["run", "simulate", "menu", "verify", "check-config"] {
            #expect(commands.contains(command))
            let help = try Program.run(command, "--help")
            #expect(help.status == 0 && help.output.contains("Examples:") && help.output.contains("Options:"))
            #expect(try Program.run("help", command).output == help.output)
        }
        let nothing = try Program.run()
        #expect(nothing.status == 64 && nothing.output == "" && nothing.diagnostics == ending.output)
    }

    /// The commands that `juicestand help` lists.
    private static func commands() throws -> [String] {
        let overview = try Program.run("help").output.split(separator: "Topics:")[0]
        return overview.matches(of: #/\n(?:  |Other commands: )([a-z, -]+?)(?:  |\n)/#)
            .flatMap { $0.1.split { $0 == "," || $0 == " " }.map(String.init) }
    }

    private static func topics() throws -> [String] {
        try Program.run("help").output.split(separator: "Topics: ")[1].split { $0 == " " || $0 == "\n" }.map(
            String.init)
    }

    @Test func `help is one screen of 80 columns and 24 rows, with each command once, by use`() throws {
        let overview = try Program.run("help").output
        // The last row is the prompt's.
        #expect(overview.count { $0 == "\n" } <= 23)
        let commands = try Self.commands()
        #expect(commands.count == 27 && Set(commands).count == 27)
        let titles = overview.matches(of: #/\n([A-Z][a-z ]+):\n/#).map { String($0.1) }
        #expect(titles == ["Simulate a busy stand", "Compare wirings", "Watch a live stand"])
    }

    @Test func `help finds a word in the texts of commands and topics`() throws {
        func names(_ text: String) -> [String] { text.matches(of: #/\n  ([a-z-]+)  /#).map { String($0.1) } }
        let found = try Program.run("help", "Percentile")
        #expect(found.status == 0)
        #expect(found.output.hasPrefix("\"Percentile\" occurs in the help of:\n"))
        #expect(!names(found.output).isEmpty)
        for name in names(found.output) {
            #expect(try Program.run("help", name).output.lowercased().contains("percentile"), "\(name)")
        }
        // Another word finds no less.
        let opening = try Set(names(Program.run("help", "opening").output))
        let hours = try Set(names(Program.run("help", "opening hours").output))
        #expect(opening.count > 1 && opening.isSubset(of: hours))
        // A part of a word is not the word.
        #expect(try Program.run("help", "percenti").status == 64)
    }

    @Test(arguments: [
        ("cat -n", 20, "     1\tjuicestand COMMAND"), ("cat -n", 40, "juicestand COMMAND"),
        ("no-such-pager", 20, "juicestand COMMAND"),
    ])
    func `a text that is higher than the terminal goes through the pager`(
        pager: String, rows: Int, start: String
    ) throws {
        let session = try TerminalSession(["help"], ["PAGER": pager], .init(columns: 80, rows: rows))
        #expect(try session.end().status == 0)
        #expect(String(decoding: session.bytes, as: UTF8.self).hasPrefix(start))
    }

    @Test func `help fits 80 columns, except for commands to copy and a long path`() throws {
        let commands = try Self.commands()
        #expect(commands.count >= 20)
        for text in [["help"]] + commands.map({ [$0, "--help"] }) {
            let help = try Program.start(text).wait().output.split(separator: "\nExamples:\n").first ?? ""
            // The default socket's path is one word, as long as that of the temporary folder.
            for line in help.split(separator: "\n") where !line.contains(StandSocket.standardPath) {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test func `every guide is a help topic and prints its text`() throws {
        let topics = try Self.topics()
        let folder = Program.root.appending(path: "Sources/EmbeddedBytes")
        let list = try String(contentsOf: folder.appending(path: "EmbeddedBytes.c"), encoding: .utf8)
        var guides: [String: String] = [:]
        for entry in list.matches(of: #/\{"(\w+)\.md".*\n#embed "(.+)" suffix/#) {
            guides[String(entry.1)] = String(entry.2)
        }
        // The keys are those of the display's own table.
        #expect(Set(topics) == Set(guides.keys).union(["keys"]))
        #expect(try Program.run("help", "keys").output.hasPrefix("Keys of the live display\n\n"))
        for topic in topics where topic != "keys" {
            let path = try #require(guides[topic])
            let markdown = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            let text = try Program.run("help", topic)
            #expect(text.status == 0)
            let title = try #require(markdown.split(separator: "\n").first).dropFirst(2)
            #expect(text.output.hasPrefix(title + "\n\n"))
            for heading in markdown.matches(of: #/\n## (.+)\n/#) { #expect(text.output.contains("\n\(heading.1)\n")) }
            for mark in ["``", "**", "<doc:", "<!--", "](", "\n#", "\n@", "\n|"] {
                #expect(!text.output.contains(mark), "\(topic): \(mark)")
            }
            // Code, which may be wider, is indented by four spaces.
            for line in text.output.split(separator: "\n") where !line.hasPrefix("    ") {
                #expect(line.count <= 80, "\(topic): \(line)")
            }
        }
        // The name of a part leads to the guide that has it.
        let parts = [
            "state": "server", "security": "server", "decisions": "experiments", "rules": "configuration",
            "ledger": "results", "scripts": "code", "locks": "code",
        ]
        for (part, whole) in parts {
            #expect(try Program.run("help", part).output == Program.run("help", whole).output)
        }
        let unknown = try Program.run("help", "watchin")
        #expect(unknown.status == 64)
        #expect(
            unknown.diagnostics
                == "juicestand: unknown command, topic or word \"watchin\"; did you mean \"watching\"? (juicestand help lists them)\n"
        )
    }

    @Test func `version and --version print one line`() throws {
        let ending = try Program.run("--version")
        #expect(ending.status == 0 && ending.diagnostics == "")
        #expect(ending.output.wholeMatch(of: #/juicestand \d+\.\d+\n/#) != nil, "\(ending.output)")
        #expect(try Program.run("version").output == ending.output)
        #expect(try Self.commands().contains("version"))
    }

    @Test func `check-config reads standard input`() async throws {
        try await Program.withTemporaryFolder { folder in
            let file = folder.appending(path: "stand.json")
            for (text, status, line) in [
                (#"{"makers": 7}"#, 0 as Int32, ""), (#"{"makers": 0}"#, 78, "-:1:12: makers: "),
            ] {
                try text.write(to: file, atomically: true, encoding: .utf8)
                let ending = try Program.start(["check-config", "-"], input: file).wait()
                #expect(ending.status == status)
                #expect(ending.output.contains("\"makers\": 7") == (status == 0), "\(ending)")
                #expect(ending.diagnostics.hasPrefix(line), "\(ending)")
            }
        }
    }

    @Test func `completions and the manual page name every command and option`() throws {
        func offered(_ words: String...) throws -> [String] {
            try Program.start(["__complete"] + words).wait().output.split(separator: "\n").map {
                String($0.prefix { $0 != "\t" })
            }
        }
        let commands = try Self.commands()
        #expect(commands.count > 20)
        #expect(try Set(offered("")) == Set(commands + ["help"]))
        let page = try Program.run("man").output.replacing("\\-", with: "-")
        for command in commands {
            let options = try Program.run(command, "--help").output.matches(of: #/(?m)^  (--[a-z-]+)/#).map {
                String($0.1)
            }
            #expect(options.contains("--help"))
            #expect(try offered(command, "--") == options, "\(command)")
            for option in options where option != "--help" { #expect(page.contains(".BR \(option)"), "\(option)") }
            #expect(page.contains("\n.SS juicestand \(command)"), "\(command)")
        }
    }

    @Test(arguments: [
        ("sim", ["simulate"]), ("help exper", ["experiments"]), ("completions fi", ["fish"]),
        ("simulate --format c", ["csv"]), ("simulate --format=c", ["csv"]),
        ("run --wiring mult", ["multicast-delegate"]),
        ("verify led", ["ledger.jsonl"]), ("run --state fol", ["folder"]), ("run --state led", []), ("nothing --", []),
    ])
    func `bash completes commands, options, values, topics and paths`(line: String, words: [String]) async throws {
        try await Program.withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "ledger.jsonl"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "folder"), withIntermediateDirectories: false)
            let script = folder.appending(path: "bash.sh")
            // Bash gives the words of the line to the function, with the equals sign as a word.
            let typed = line.replacing("=", with: " = ").split(separator: " ").joined(separator: " ")
            let stub = try Program.run("completions", "bash").output
            let call = """
                COMP_WORDS=('\(Program.executable.path)' \(typed)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _juicestand; printf '%s\\n' "${COMPREPLY[@]}"

                """
            try (stub + call).write(to: script, atomically: true, encoding: .utf8)
            let bash = try Program.start(["--norc", script.path], by: URL(filePath: "/bin/bash"), in: folder)
            #expect(try bash.wait().output.split(separator: "\n").map(String.init) == words)
        }
    }

    @Test func `check-config takes its file as operand or option`() throws {
        let operand = try Program.run("check-config", "config/bakery.json")
        let option = try Program.run("check-config", "--config", "config/bakery.json")
        #expect(operand.status == 0 && option.status == 0 && operand.output == option.output)
    }

    @Test func `the built-in configuration is config/stand.json`() async throws {
        let here = try Program.run("check-config")
        let elsewhere = try await Program.withTemporaryFolder { try Program.run("check-config", in: $0) }
        #expect(here.status == 0 && here.output.count > 1000)
        #expect(elsewhere.output == here.output)
    }

    @Test(arguments: [["menu"], ["simulate", "--for", "1h"], ["simulate", "--for", "1h", "--format", "csv"]])
    func `hidden characters in names are shown as escapes`(command: [String]) async throws {
        try await Program.withTemporaryFolder { folder in
            let name = "corner\u{202E}"
            let text =
                #"{"stand": "\#(name)", "fruits": {"\#(name)": {}}, "menu": {"\#(name)": {"recipe": {"\#(name)": 1}}}}"#
            try text.write(to: folder.appending(path: "c.json"), atomically: true, encoding: .utf8)
            let ending = try Program.start(command + ["--config", "c.json"], in: folder).wait()
            #expect(ending.status == 0 && ending.output.contains(#"corner\u{202e}"#))
            #expect(!ending.output.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test(arguments: [
        (["menu", "--makeable", "--only", "kiwi"], "mango kiwi juice (망키쥬스)  2 mango, 1 kiwi"),
        (["menu", "show", "strawberry juice", "--having", "strawberry=10"], "✗ 16 strawberry, 10 in hand, 6 missing"),
        (["menu", "recommend", "--having", "banana=3,kiwi=1"], "✓ banana juice (바나나쥬스)"),
        (["menu", "similar", "mango juice"], "0.500  mango kiwi juice"),
        (["menu", "--only", "mixed"], "strawberry banana juice (딸바쥬스)"),
        (["menu", "show", "키위쥬스", "--having", "키위=2"], "✗ 3 kiwi, 2 in hand, 1 missing"),
        (["menu", "show", "kiwi juice", "--having", "kiwi=3"], "  1 cup can be made\n"),
        (
            ["menu", "show", "kiwi juice", "--set", "menu.kiwi juice.preparation=45"],
            "  takes     45 s a cup, in the mean\n"
        ),
        (["menu", "recommend", "--having", "banana=3,kiwi=1"], "(바나나쥬스)           enough for 1 cup"),
        (["menu", "recommend", "--having", "banana=3,kiwi=1"], "(키위쥬스)               2 missing"),
    ])
    func `menu filters, shows recipes and recommends`(arguments: [String], expected: String) throws {
        let ending = try Program.start(arguments).wait()
        #expect(ending.status == 0)
        #expect(ending.output.contains(expected), "\(ending.output)")
    }

    @Test func `JSON results are one document with the same bytes in every run`() throws {
        let first = try Program.run("simulate", "--format", "json", "--no-timing")
        #expect(first.status == 0 && first.diagnostics == "")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any])
        #expect(object["schema"] as? String == "juicestand.simulation/1")
        #expect(try Program.run("simulate", "--format", "json", "--no-timing").output == first.output)
        #expect(try Program.run("simulate", "--format", "json", "--no-timing", "--seed", "7").output != first.output)
    }

    @Test func `a failed expectation is named and gives exit status 1`() throws {
        let ending = try Program.run("simulate", "--expect", "customers.served > 10", "--expect", "wait.p95 < 0.001")
        #expect(ending.status == 1)
        #expect(ending.output.contains("✓ customers.served > 10, found"))
        #expect(ending.output.contains("✗ wait.p95 < 0.001 s, found "))
        #expect(ending.diagnostics == "juicestand: 1 of 2 expectations failed, marked with ✗ at the top\n")
        #expect(try Program.run("simulate", "--expect", "customers.served > 10").status == 0)
    }
}
