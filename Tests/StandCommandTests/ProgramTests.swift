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

    /// The exit status of each command line, the line, and what the program says on standard error after its name.
    private static let mistakes = #"""
        64 frobnicate -> unknown command "frobnicate" (juicestand help lists them)
        64 simulat -> unknown command "simulat"; did you mean "simulate"? (juicestand help lists them)
        64 run --ledger-rotate 1MB
        -> --ledger-rotate was removed; logrotate rotates the ledger (see config/logrotate/juicestand)
        64 menu --with kiwi -> --with was removed; use --only FRUIT
        64 run --speeed 2 -> unknown option --speeed; did you mean --speed?
        64 --sped 2
        -> missing command before --sped; did you mean "juicestand run --speed"? (juicestand help lists the commands)
        64 --verion -> unknown option --verion; did you mean --version?
        64 status --jsn -> unknown option --jsn; did you mean --format json?
        64 status --sped 2 -> unknown option --sped; see juicestand status --help
        64 run config/stand.json -> unexpected operand "config/stand.json"; did you mean --config config/stand.json?
        69 status --socket /nowhere/s -> no stand is running at /nowhere/s; start one with juicestand run
        64 order 2 'banana juice' -> the juice comes before the cups: order 'banana juice' 2
        64 run --speed 0 -> --speed must be a number above 0 and at most 1e9, found "0"
        64 run --speed -> --speed needs a value: --speed X
        64 run --duration soon
        -> --duration must be a duration above 0 and of at most 292 years, such as 250ms, 30s, 5m, 8h or 2d, found "soon"
        64 simulate --for -1s
        -> --for must be a duration above 0 and of at most 292 years, such as 250ms, 30s, 5m, 8h or 2d, found "-1s"
        64 simulate day -> unexpected operand "day"; see juicestand simulate --help
        64 simulate --format xml -> --format: unknown format "xml" (known: text, json, csv)
        64 simulate --expect wait.p95
        -> --expect needs a metric, one of <= >= == != < > and a number, a duration or a percentage, such as 'wait.p95<2m', found "wait.p95"
        64 simulate --expect 'wait.p59<9' -> --expect: unknown metric "wait.p59"; did you mean "wait.p95"?
        66 simulate --config none.json -> none.json: No such file or directory
        78 simulate --set makers=0 -> --set makers=0: makers: must be at least 1, "unlimited" or {"shifts": …}, found 0
        64 simulate --wiring foundation-message-main
        -> wiring: foundation-message-main cannot run a stand, only be compared: its messages can be posted from the main actor alone, and a stand runs on a queue of its own
        64 simulate --seed 99999999999999999999
        -> --seed must be a whole number from 0 to 9,223,372,036,854,775,807, found "99999999999999999999"
        78 simulate --set seed=99999999999999999999
        -> --set seed=99999999999999999999: seed: must be a whole number from 0 to 9223372036854775807, found 99999999999999999999
        64 run --speed 0x10 -> --speed must be a number above 0 and at most 1e9, found "0x10"
        64 simulate --expect 'wait.p95<0x10'
        -> --expect needs a metric, one of <= >= == != < > and a number, a duration or a percentage, such as 'wait.p95<2m', found "wait.p95<0x10"
        64 run --display live
        -> --display live can't run: standard output is not a terminal; use --display text
        64 run --display live --format json -> --display live can't show --format json; use --display text
        64 watch --format live
        -> --format live can't run: standard output is not a terminal; use --format text or json
        64 run --socket '' -> --socket must not be empty: --socket PATH
        64 run --state= -> --state must not be empty: --state DIR
        64 simulate -1 -> unexpected operand "-1"; see juicestand simulate --help
        64 rate -1 -> rate needs one FACTOR, 0 or from 0.001 to 1,000,000, found "-1"
        64 rate 0x2 -> rate needs one FACTOR, 0 or from 0.001 to 1,000,000, found "0x2"
        64 rate -> rate needs one FACTOR, 0 or from 0.001 to 1,000,000, found none
        64 order 'kiwi juice' 99999999999999999999
        -> CUPS must be a whole number from 1 to 10,000, found "99999999999999999999"
        64 order kiwi juice
        -> CUPS must be a whole number, found "juice"; a name with spaces needs quotes: order 'kiwi juice'
        64 restock =3
        -> restock needs FRUIT=N, such as banana=20, with N a whole number from 1 to 1,000,000,000, found "=3"
        64 restock kiwi=x=0
        -> restock needs FRUIT=N, such as banana=20, with N a whole number from 1 to 1,000,000,000, found "kiwi=x=0"
        64 forecast --for 1h -> unknown option --for; did you mean --in, the time to look ahead?
        64 forecast --in 1m --every 90s --socket /none
        -> every must be at most in and at least a 1,000th of it, found 90 s in 60 s
        64 simulate --expect 'fillRate>2m'
        -> --expect 'fillRate>2m': fillRate is compared with a number, or a percentage such as 90%
        64 forecast --change 'restock =3'
        -> the change "restock =3" must name fruit and pieces, such as restock banana=20
        64 plan --minimize cost.total --over makers=1..2 --where 'wait.p95<90%'
        -> --where 'wait.p95<90%', column 10: wait.p95 is compared with seconds, or a duration such as 2m
        64 adjust kiwi=0
        -> adjust needs FRUIT=N, such as banana=20, with N a whole number other than 0 from -1,000,000,000 to 1,000,000,000, found "kiwi=0"
        64 menu foo -> unknown menu command "foo" (known: show JUICE, recommend, similar JUICE…)
        64 menu 키위쥬스
        -> unknown menu command "키위쥬스"; did you mean "menu show '키위쥬스'"? (known: show JUICE, recommend, similar JUICE…)
        64 menu show banana
        -> unknown juice "banana"; did you mean "banana juice" or "strawberry banana juice"? (juicestand menu lists them)
        64 check-config a.json --config b.json -> check-config needs one FILE, found 2
        64 check-config --format schema a.json
        -> --format schema takes no file and no --set: one schema describes all configurations
        64 completions -> completions needs one of bash, zsh and fish, found none
        64 completions tcsh -> completions needs one of bash, zsh and fish, found "tcsh"
        64 help run stop -> help takes one command, topic or word, found 2
        64 version 2 -> unexpected operand "2"; see juicestand version --help
        73 simulate --ledger /nowhere/l -> /nowhere/l: No such file or directory
        66 verify none.jsonl -> none.jsonl: No such file or directory
        64 verify -> verify needs at least one FILE
        64 menu show 'mango juise'
        -> unknown juice "mango juise"; did you mean "mango juice"? (juicestand menu lists them)
        64 fit -> fit needs one FILE, found none
        66 fit none.csv -> none.csv: No such file or directory
        64 fit t.csv --hold-out 2 -> --hold-out must be a share such as 30%, found "2"
        64 fit till.csv --config shop.json
        -> unknown option --config; --config is a file to read; use --write to write a configuration
        64 fit none.csv --started a -> --started and --ended must be given together
        64 diff a.json -> diff needs two files, A.json and B.json, found "a.json"
        66 diff missing.json b.json -> missing.json: No such file or directory
        64 diff a.json b.json --confidence 2 -> --confidence must be from 50% to 99.99%, such as 95% or 0.95, found "2"
        64 plan -> plan needs --over, such as --over makers=1..6
        64 plan --over makers=1..3 -> plan needs either --minimize METRIC or --maximize METRIC
        64 plan --over makers=1..3 --minimize '15*queue.hour'
        -> --minimize '15*queue.hour', column 4: unknown metric "queue.hour"; did you mean "queue.hours"?
        64 plan --over makers=3..1 --minimize queue.hours
        -> --over needs a range of at most 1,000,000 numbers that rises by a step above 0, such as 1..9 or 0.5..2/0.25, found "3..1"
        64 plan --over makers=1..3 --minimize queue.hours --within -1
        -> --within must be a number from 0, or a percentage such as 1%, found "-1"
        64 menu --having sugar=free=1 -> unknown fruit "sugar=free" (known: strawberry, banana, kiwi, pineapple, mango)
        64 simulate --for 10m --vary makers -> --vary needs KEY.PATH=A,B,C or KEY.PATH=A..B, found "makers"
        64 simulate --for 10m --vary =1,2 -> --vary needs KEY.PATH=A,B,C or KEY.PATH=A..B, found "=1,2"
        64 simulate --for 10m --vary makers= -> --vary must not have an empty value, found "makers="
        64 simulate --for 10m --vary makers=1,,2 -> --vary must not have an empty value, found "makers=1,,2"
        64 simulate --for 10m --vary makers=1..1e9
        -> --vary needs a range of at most 1,000,000 numbers that rises by a step above 0, such as 1..9 or 0.5..2/0.25, found "1..1e9"
        64 simulate --for 10m --vary 'makers=1,2, 1' -> --vary makers has the value 1 twice; give each value once
        64 simulate --for 10m --vary makers=1 --vary makers=2
        -> --vary makers is given twice; give all values in one list
        64 simulate --for 10m --replications 0 -> --replications must be a whole number from 1 to 1,000,000, found "0"
        64 simulate --for 10m --precision wait.mean
        -> --precision needs a metric and a width, such as wait.mean=1%, found "wait.mean"
        64 simulate --for 10m --precision wait.mean=1% --shard 1/2
        -> --precision cannot be used with --shard: a shard does not know the interval of the whole
        64 simulate --for 10m --shard 3/2 -> --shard: the index must be from 1 to 2, found "3"
        64 simulate --for 10m --warm-up 10m -> --warm-up must be shorter than the run
        78 simulate --vary makers=0,1 --vary maker=1,2
        -> --vary makers=0: makers: must be at least 1, "unlimited" or {"shifts": …}, found 0
        -> --vary maker=1: maker: unknown key; did you mean "makers"?
        64 wiring --socket /nowhere --wiring closure
        -> --socket measures a stand that is running; it cannot be used with --wiring
        64 wiring --format svg -> --format: unknown format "svg" (known: text, mermaid, json)
        64 wiring here -> unexpected operand "here"; see juicestand wiring --help
        """#

    /// The command lines for a shell, their exit statuses, and the lines on standard error.
    private static let wrongInput: [(String, Int32, [String])] = {
        var found: [(String, Int32, [String])] = []
        for line in mistakes.split(separator: "\n") {
            let parts = line.components(separatedBy: "-> ")
            if let command = parts[0].firstMatch(of: #/^(\d\d) (.*\S)/#) {
                found.append((String(command.2), Int32(command.1) ?? 0, []))
            }
            if parts.count > 1 { found[found.count - 1].2.append("juicestand: \(parts[1])") }
        }
        return found
    }()

    @Test(arguments: wrongInput)
    func `wrong input is named, one problem a line, with its exit status`(
        command: String, status: Int32, lines: [String]
    ) throws {
        let ending = try Program.shell("\"$0\" \(command)").wait()
        #expect(ending.status == status)
        #expect(ending.diagnostics.split(separator: "\n").map(String.init).sorted() == lines.sorted())
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
        #expect(overview.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(overview)")
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

    @Test func `check-config reads standard input, an operand or an option`() async throws {
        try await Program.withTemporaryFolder { folder in
            let file = folder.appending(path: "stand.json")
            try #"{"makers": 7}"#.write(to: file, atomically: true, encoding: .utf8)
            let endings = [
                try Program.start(["check-config", "-"], input: file).wait(),
                try Program.run("check-config", file.path), try Program.run("check-config", "--config", file.path),
            ]
            for ending in endings {
                #expect(ending.status == 0 && ending.diagnostics == "" && ending.output == endings[0].output)
                #expect(ending.output.contains("\"makers\": 7"))
            }
            try #"{"makers": 0}"#.write(to: file, atomically: true, encoding: .utf8)
            let wrong = try Program.start(["check-config", "-"], input: file).wait()
            #expect(wrong.status == 78 && wrong.diagnostics.hasPrefix("-:1:12: makers: "), "\(wrong)")
        }
    }

    @Test func `every help fits 80 columns, and completions and the manual page name every command and option`() throws
    {
        func offered(_ words: String...) throws -> [String] {
            try Program.start(["__complete"] + words).wait().output.split(separator: "\n").map {
                String($0.prefix { $0 != "\t" })
            }
        }
        let commands = try Self.commands()
        #expect(try Set(offered("")) == Set(commands + ["help"]))
        let page = try Program.run("man").output.replacing("\\-", with: "-")
        var known: Set<String> = []
        for command in commands {
            let help = try Program.run(command, "--help").output
            let options = help.matches(of: #/(?m)^  (--[a-z-]+)/#).map { String($0.1) }
            known.formUnion(options)
            #expect(options.contains("--help"))
            #expect(try offered(command, "--") == options, "\(command)")
            for option in options where option != "--help" { #expect(page.contains(".BR \(option)"), "\(option)") }
            #expect(page.contains("\n.SS juicestand \(command)"), "\(command)")
            // Commands to copy may be wider. The default socket's path is one word, as long as that of the temporary folder.
            let text = help.split(separator: "\nExamples:\n").first ?? ""
            for line in text.split(separator: "\n") where !line.contains(StandSocket.standardPath) {
                #expect(line.count <= 80, "\(line)")
            }
        }
        #expect(known.count > 50)
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

    @Test func `shells that keep a word with an equals sign get it back before each value`() throws {
        #expect(try Program.run("__complete", "simulate", "--format=j").output == "--format=json\n")
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

    @Test func `a name of a file with control characters takes one line of a message`() throws {
        let ending = try Program.run("menu", "--config", "a\u{1b}[2J\nb.json")
        #expect(ending.status == 66 && ending.diagnostics.contains(#"a\u{1b}[2J\u{a}b.json"#), "\(ending)")
        #expect(ending.diagnostics.count { $0 == "\n" } == 1 && !ending.diagnostics.contains("\u{1b}"))
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

    @Test func `a failed expectation is named and gives exit status 1`() throws {
        let ending = try Program.run("simulate", "--expect", "customers.served > 10", "--expect", "wait.p95 < 0.001")
        #expect(ending.status == 1)
        #expect(ending.output.contains("✓ customers.served > 10, found"))
        #expect(ending.output.contains("✗ wait.p95 < 0.001 s, found "))
        #expect(ending.diagnostics == "juicestand: 1 of 2 expectations failed, marked with ✗ at the top\n")
        #expect(try Program.run("simulate", "--expect", "customers.served > 10").status == 0)
    }
}
