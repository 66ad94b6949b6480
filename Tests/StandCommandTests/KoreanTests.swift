import Foundation
import JuiceStand
import StandService
import Terms
import TestSupport
import Testing
import TextFormats

/// The command line in Korean.
@Suite(.timeLimit(.minutes(60)))
struct KoreanTests {
    private static func run(_ arguments: [String], language: String = "ko") throws -> Program.Ending {
        let variables = ["JUICESTAND_LANGUAGE": language, "LC_ALL": "C.UTF-8"]
        return try Program.start(arguments, variables: variables).wait()
    }

    /// Words in Latin letters that are no names, units or what is typed.
    private static func english(_ text: String) -> [String] {
        let known: Set = [
            "corner", "north", "juicestand", "kiwi", "juice", "EUR", "ms", "ns", "http", "verbose", "format", "json",
            "JSON", "Lines", "banana", "mango", "pineapple", "strawberry", "makers", "profit", "revenue", "UTF", "log",
            "ledger", "notification", "config", "csv", "date", "time", "item", "throughput", "restock", "opened",
            "closed", "paused", "resumed", "Ctrl", "Esc", "Tab", "space", "help", "run", "state", "watch", "watching",
        ]
        // Metrics, keys, facts and files.
        let names = #/\/\S+|[A-Za-z]+(?:\.\w+)+|\b[A-Za-z]+[a-z][A-Z]\w*/#
        return text.replacing(names, with: "").matches(of: /[A-Za-z]{2,}/).map { String($0.output) }
            .filter { !known.contains($0) }
    }

    @Test func `the first screen of help is Korean and fits a terminal`() throws {
        let help = try Self.run(["help"])
        let lines = help.output.split(separator: "\n")
        #expect(help.status == 0 && lines.count < 24)
        for line in lines { #expect(TextWidth.columns(of: String(line)) <= 80, "\(line)") }
        for term in Term.all where term.key.hasPrefix("group.") || term.key.hasPrefix("commands.") {
            #expect(help.output.contains(term.korean), "\(term)")
        }
        let usage = try Self.run([])
        #expect(usage.status == 64 && usage.diagnostics == help.output)
    }

    /// A text of the help in both languages.
    private struct Translation {
        var english: String
        var korean: String

        /// Whether `text` is the Korean with anything in its blanks.
        func makes(_ text: String) -> Bool {
            let pieces = korean.split(separator: #/\{\d\}/#, omittingEmptySubsequences: false)
            guard pieces.count > 1 else { return text == korean }
            var rest = text.dropFirst(pieces[0].count)
            guard text.hasPrefix(pieces[0]), rest.hasSuffix(pieces[pieces.count - 1]) else { return false }
            for piece in pieces.dropFirst() where !piece.isEmpty {
                guard let place = rest.firstRange(of: piece) else { return false }
                rest = rest[place.upperBound...]
            }
            return true
        }
    }

    private static func translations() throws -> [Translation] {
        let list = Program.root.appending(path: "Sources/Terms/messages.tsv")
        let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        let help = lines.drop { !$0.hasPrefix("# Help") }.prefix { !$0.hasPrefix("# Reports") }
        return help.filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.split(separator: "\t").map(String.init)
            return Translation(english: parts[0], korean: parts[1])
        }
    }

    /// The texts of a help screen: paragraphs, the help of each option, and what each example is for.
    private static func texts(_ help: String) throws -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        let options = try #require(lines.firstIndex(of: "옵션:"))
        let last = try #require(lines.last { $0.hasPrefix("  --help") })
        let column = last.count - last.dropFirst("  --help".count).drop { $0 == " " }.count
        var texts: [String] = []
        for paragraph in lines[..<options].split(separator: "") {
            // A row of a table is names.
            texts.append(paragraph.filter { !$0.hasPrefix("  ") }.joined(separator: " "))
        }
        for line in lines[options...].dropFirst() {
            if line.hasPrefix("  # ") {
                texts.append(String(line.dropFirst(4)))
            } else if line.hasPrefix("  --") {
                texts.append(String(line.dropFirst(column)))
            } else if line.hasPrefix("    ") {
                texts[texts.count - 1] += " " + line.dropFirst(column)
            }
        }
        return texts
    }

    @Test func `the help of every command is Korean, and every Korean text is in one`() throws {
        let known = try Self.translations()
        var unused = Set(known.map(\.english))
        let summaries = Term.all.filter { $0.key.hasPrefix("command.") }
        #expect(summaries.count > 25 && known.count > 150)
        for term in summaries {
            let name = String(term.key.dropFirst("command.".count))
            let help = try Self.run([name, "--help"])
            #expect(help.status == 0)
            for line in help.output.split(separator: "\n") where !line.hasPrefix("  juicestand") {
                #expect(TextWidth.columns(of: String(line)) <= 80, "\(line)")
            }
            let texts = try Self.texts(help.output)
            #expect(texts[0].hasPrefix("juicestand \(name)") && texts[0].hasSuffix(": \(term.korean)"), "\(texts[0])")
            for text in texts.dropFirst() {
                let found = known.filter { $0.makes(text) }
                #expect(!found.isEmpty, "\(name): \(text)")
                for text in found { unused.remove(text.english) }
            }
        }
        #expect(unused == [])
    }

    @Test(arguments: [
        (["statsu"], 64, "알 수 없는 명령입니다: \"statsu\". 혹시 \"status\"입니까? (목록: juicestand help)"),
        (["order", "--foo"], 64, "알 수 없는 옵션입니다: --foo. 참고: juicestand order --help"),
        (["run", "--sped", "2"], 64, "알 수 없는 옵션입니다: --sped. 혹시 --speed입니까?"),
        (["stop", "--key"], 64, "--key 옵션에는 값이 필요합니다: --key KEY"),
        (["stop", "now"], 64, "필요 없는 인자입니다: \"now\". 참고: juicestand stop --help"),
        (["menu", "show", "딸기"], 64, "그런 쥬스가 없습니다: \"딸기\". 혹시 \"딸기쥬스\"입니까? (목록: juicestand menu)"),
        (["status", "--socket", "/no"], 69, "/no에서 운영 중인 가게가 없습니다. juicestand run으로 열 수 있습니다"),
    ])
    func `what people do wrong most is explained in Korean`(arguments: [String], status: Int32, text: String) throws {
        let ending = try Self.run(arguments)
        #expect(ending.status == status && ending.diagnostics == "juicestand: \(text)\n", "\(ending)")
    }

    @Test(arguments: [
        (
            ["run", "--duration", "x"],
            "--duration 값은 0보다 길고 292년 이하인 시간 길이여야 합니다 (예: 250ms, 30s, 5m, 8h, 2d): \"x\""
        ),
        (
            ["simulate", "--warm-up", "x"],
            "--warm-up 값은 292년 이하인 시간 길이여야 합니다 (예: 250ms, 30s, 5m, 8h, 2d) (또는 auto): \"x\""
        ),
        (["diff", "--confidence", "2", "a", "b"], "--confidence 값은 95%나 0.95처럼 50%부터 99.99%까지여야 합니다: \"2\""),
        (["menu", "--with", "kiwi"], "--with 옵션은 없어졌습니다. --only FRUIT를 쓰세요"),
        (["run", "--set", "makers"], "--set에는 KEY.PATH=VALUE가 필요합니다: \"makers\""),
        (["diff"], "diff에는 A.json과 B.json 두 파일이 필요합니다: 없음"),
        (["restock"], "restock에는 banana=20 같은 FRUIT=N이 필요하고, N은 1부터 1,000,000,000까지의 정수입니다: 없음"),
        (["simulate", "--expect", "wait.men<1"], "--expect: 알 수 없는 지표입니다: \"wait.men\". 혹시 \"wait.mean\"입니까?"),
        (
            ["plan", "--over", "makers=1..2", "--maximize", "servd"],
            "--maximize 'servd', 1번째 글자: 알 수 없는 지표입니다: \"servd\"…"
        ),
    ])
    func `what is wrong with options is said in Korean`(arguments: [String], text: String) throws {
        let ending = try Self.run(arguments)
        let isWhole = !text.hasSuffix("…")
        let line = "juicestand: " + (isWhole ? text + "\n" : String(text.dropLast()))
        #expect(ending.status == 64 && ending.diagnostics.hasPrefix(line), "\(ending)")
        #expect(!isWhole || ending.diagnostics == line, "\(ending)")
    }

    @Test func `all problems of a configuration and of its trace are said in Korean`() async throws {
        try await Program.withTemporaryFolder { folder in
            func write(_ name: String, _ text: String) throws -> String {
                let path = folder.appending(path: name).path
                try Data(text.utf8).write(to: URL(filePath: path))
                return path
            }
            let missing = folder.appending(path: "none.json").path
            let bad = try write(
                "bad.json", #"{"makers": 0.5, "sed": 1, "queue": {"limit": -1}, "fruits": {"kiwi": {"colour": "red"}}}"#
            )
            let torn = try write("torn.json", #"{"makers": 2,, }"#)
            _ = try write("orders.csv", "time,item\n1,kiwi juice\n2,tea\n")
            let arrivals = #"{"trace": {"file": "orders.csv", "time": "time", "juice": "item"}}"#
            let trace = try write("trace.json", "{\"customers\": {\"arrivals\": \(arrivals)}}")
            func problems(_ path: String, _ status: Int32) throws -> [String] {
                let ending = try Self.run(["check-config", path])
                #expect(ending.status == status, "\(ending)")
                return ending.diagnostics.replacing(folder.path + "/", with: "").split(separator: "\n").map(String.init)
            }
            #expect(try problems(missing, 66) == ["juicestand: none.json: 그런 파일이나 폴더가 없습니다"])
            #expect(try problems(folder.path, 66)[0].hasSuffix(": 일반 파일이어야 합니다: 폴더"))
            #expect(
                try problems(bad, 78) == [
                    #"bad.json:1:12: makers: 1부터 1000000까지의 정수여야 합니다 (또는 "unlimited", {"shifts": …}): 0.5"#,
                    #"bad.json:1:17: sed: 알 수 없는 키입니다. 혹시 "seed"입니까?"#,
                    #"bad.json:1:46: queue.limit: 0 이상이어야 합니다 (또는 "unlimited"): -1"#,
                    "bad.json:1:61: fruits: 메뉴를 따로 적지 않으면 기본 메뉴에 드는 과일이 있어야 합니다: "
                        + "strawberry, banana, pineapple, mango",
                    "bad.json:1:81: fruits.kiwi.colour: \"#e4344b\" 같은 색이어야 합니다: \"red\"",
                ])
            #expect(try problems(torn, 78) == ["torn.json:1:14: 키나 '}'가 필요합니다: ','"])
            #expect(
                try problems(trace, 65) == [
                    #"orders.csv:3:3: 알 수 없는 품목입니다: "tea". 메뉴의 쥬스나 "map"의 키여야 합니다"#
                ])
        }
    }

    @Test func `what a stand refuses is said in Korean`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let file = folder.appending(path: "stand.json")
            try Data("{}".utf8).write(to: file)
            let running = try Program.start(
                ["run", "--config", file.path, "--display", "none", "--listen", "off", "--socket", socket],
                variables: ["JUICESTAND_LANGUAGE": "ko", "LC_ALL": "C.UTF-8"])
            try running.waitForStand(at: socket)
            func refusal(_ arguments: String...) throws -> String {
                try Self.run(arguments + ["--socket", socket]).diagnostics
            }
            #expect(try refusal("adjust", "kiwi=-50") == "juicestand: kiwi이(가) 40개 모자랍니다\n")
            #expect(try refusal("restock", "kiwii=5") == "juicestand: 그런 과일이 없습니다: \"kiwii\". 혹시 \"kiwi\"입니까?\n")
            try Data(#"{"queue": {"limit": -1}}"#.utf8).write(to: file)
            let problem = "queue.limit: 0 이상이어야 합니다 (또는 \"unlimited\"): -1"
            #expect(try refusal("reload") == "juicestand: \(file.path):1:21: \(problem)\n")
            _ = try Self.run(["stop", "--socket", socket])
            _ = try running.wait()
        }
    }

    @Test func `menu has no English but names, and the same JSON`() throws {
        let detail = try Self.run(["menu", "show", "키위쥬스", "--having", "키위=2"]).output
        #expect(Self.english(detail) == [], "\(detail)")
        #expect(detail.contains("✗ 키위 3개, 재고 2개, 1개 부족") && detail.contains("한 잔에 평균 40초"))
        let json = try ["ko", "en"].map { try Self.run(["menu", "--format", "json"], language: $0).output }
        #expect(json[0] == json[1])
    }

    @Test func `reports have no English but names, and the same JSON`() async throws {
        try await Program.withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path }
            let hour = ["simulate", "--for", "1h", "--no-timing"]
            let several = hour + ["--replications", "20"]
            let sweep = hour + ["--vary", "makers=1,2", "--replications", "3"]
            let reports = [
                hour + ["--ledger", path("ledger.jsonl")], ["verify", path("ledger.jsonl")],
                sweep + ["--expect", "wait.p95<60", "--precision", "wait.mean=90%"],
                several + ["--output", path("a.json")], several + ["--set", "makers=3", "--output", path("b.json")],
                several + ["--set", "stand=north", "--output", path("c.json")],
                ["diff", path("a.json"), path("b.json")], ["merge", "--chain", path("a.json"), path("c.json")],
                ["plan", "--minimize", "makers.onDuty.hours", "--where", "wait.p95<120", "--over", "makers=1..3"],
                ["fit", "config/bakery-sample.csv"], ["wiring", "--for", "1m"], ["help", "keys"],
            ]
            for arguments in reports {
                let report = try Self.run(arguments).output
                #expect(report.contains(/[가-힣]/) && Self.english(report) == [], "\(arguments): \(report)")
            }
            let json = try ["ko", "en"].map { try Self.run(sweep + ["--format", "json"], language: $0).output }
            #expect(json[0] == json[1])
        }
    }

    @Test func `a running stand answers in Korean, and its summary is Korean`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let variables = ["JUICESTAND_LANGUAGE": "ko", "LC_ALL": "C.UTF-8"]
            let running = try Program.start(
                ["run", "--display", "none", "--speed", "1000", "--listen", "off", "--socket", socket],
                variables: variables)
            try running.waitForStand(at: socket)
            func ask(_ arguments: String...) throws -> Program.Ending {
                try Self.run(arguments + ["--socket", socket])
            }
            let commands = [
                try ask("status"), try ask("stock"), try ask("pause"), try ask("pause"), try ask("resume"),
                try ask("rate", "2"),
                try ask("forecast", "--in", "10m", "--replications", "20", "--change", "restock kiwi=5"),
            ]
            for ending in commands {
                let text = ending.output.replacing(socket, with: "")
                #expect(ending.status == 0 && text.contains(/[가-힣]/) && Self.english(text) == [], "\(ending)")
            }
            #expect(try ask("order", "키위쥬스", "1", "--wait").output == "Kiwi juice 나왔습니다! 맛있게 드세요!\n")
            let status = try ask("status", "--format", "json").output
            #expect(status.contains(#""phase":"open""#) && !status.contains(/[가-힣]/))
            #expect(try ask("stop").output.contains("에 영업을 마쳤습니다."))
            let ending = try running.wait()
            let summary = ending.output.drop { !$0.isNewline }
            #expect(ending.status == 0 && summary.contains("모든 지표:"))
            #expect(Self.english(String(summary)) == [], "\(summary)")
        }
    }
}
