import Foundation
import JuiceStand
import Platform
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// `juicestand watch` with several stands, and the registry of running stands.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct ManyStandsTests {
    // MARK: - Lines

    @Test func `a stand that is killed and resumed is away once, loses no line, and holds back no other`() async throws
    {
        try await StandChain.with { chain in
            let names = ["corner", "north"]
            let north = try chain.open("north", listen: "127.0.0.1:0")
            var stands = [try chain.open("corner", "--state", chain.path("corner.state")), north]
            let status = try chain.ask("status", "--format", "json", "--socket", chain.socket("north")).output
            let url = try #require(status.firstMatch(of: #/"url":"([^"]+)"/#)?.1)
            let targets = [chain.socket("corner"), String(url), "--since", "0"]
            let watch = try chain.watch(targets + ["--format", "json"])
            let text = try chain.watch(targets + ["--format", "text", "--only", "opened,closed"])
            try eventually("both openings") {
                try String(contentsOf: text.output, encoding: .utf8).matches(of: #/event=opened/#).count == 2
            }
            for round in 1...2 {
                let seen = try chain.lines(watch, of: "corner").count
                try chain.wait(forMoreThan: seen + 10, of: "corner", in: watch)
                try chain.kill(stands[0])
                let others = try chain.lines(watch, of: "north").count
                try chain.wait(forMoreThan: others + 10, of: "north", in: watch)
                stands[0] = try chain.open("corner", "--state", chain.path("corner.state"))
                try eventually("the text to go on") {
                    try String(contentsOf: text.diagnostics, encoding: .utf8).matches(of: #/reconnected/#).count
                        == round
                }
            }
            // One that only stops is not away, and holds back no other.
            kill(stands[0].process.processIdentifier, SIGSTOP)
            let others = try chain.lines(watch, of: "north").count
            try chain.wait(forMoreThan: others + 20, of: "north", in: watch)
            kill(stands[0].process.processIdentifier, SIGCONT)
            try chain.stop(names, stands, after: watch)
            let ending = try chain.end(watch)
            let words = try chain.end(text).output
            #expect(ending.status == 0)
            for name in names {
                let found = StandChain.lines(ending.output, of: name)
                #expect(try found == chain.ledger(name), "\(name)")
                #expect(found.last?.contains(#""event":"closed""#) == true)
            }
            #expect(ending.output.split(separator: "\n").allSatisfy { $0.hasPrefix(#"{"stand":""#) })
            #expect(words.split(separator: "\n").count == 4, "\(words)")
            #expect(words.contains(#/(?m)^at=\S+ stand=north level=info event=opened seq=1 /#))
            let said = ending.diagnostics.split(separator: "\n")
            #expect(said.filter { $0.hasSuffix("; trying again") }.count == 2, "\(ending.diagnostics)")
            #expect(said.filter { $0.contains("reconnected; continuing after event ") }.count == 2)
            #expect(said.allSatisfy { $0.hasPrefix("juicestand: corner (\(chain.socket("corner"))): ") })
        }
    }

    @Test func `events that a stand no longer has are reported, and watch continues`() async throws {
        try await StandChain.with { chain in
            let corner = chain.socket("corner")
            let running = try chain.run("corner", ["--listen", "off", "--speed", "300"])
            let file = try chain.write(
                #"[{"targets": ["\#(corner)"], "labels": {"stand": "the corner"}}]"#, to: "stands.json")
            // Without a reader and a ledger, old events are dropped.
            try eventually("an event after the first") {
                try !chain.ask("status", "--format", "json", "--socket", corner).output.contains(#""sequence":1,"#)
            }
            // Also to a watch that prints other events.
            let closed = ["--since", "0", "--only", "closed"]
            let listed = try ["json", "text"].map { try chain.watch(["--stands", file, "--format", $0] + closed) }
            let all = try chain.watch([corner, "--format", "json", "--since", "0"])
            let single = try chain.watch([corner, "--format", "json"] + closed)
            for watch in listed + [all] { try watch.waitForOutput("\n") }
            try single.waitForOutput("\n", in: single.diagnostics)
            #expect(try chain.ask("stop", "--socket", corner).status == 0)
            _ = try chain.end(running)
            let lines = try listed.map { try chain.end($0).output }
            #expect(
                lines[0].contains(
                    #/^\{"stand":"the corner","event":"missed","from":1,"to":\d+,"why":"the stand no longer has them"\}\n/#
                ), "\(lines[0])")
            #expect(
                lines[1].contains(
                    #/^at=\S+ stand="the corner" level=warning event=missed from=1 to=\d+ why="the stand no/#),
                "\(lines[1])")
            #expect(lines[0].split(separator: "\n").count == 2)
            let whole = try chain.end(all)
            let first = try #require(whole.output.firstMatch(of: #/^\{"seq":(\d+),/#).flatMap { Int($0.1) })
            let report =
                "juicestand: the stand no longer has events 1 to \(first - 1); continuing with event \(first)\n"
            #expect(first > 1 && whole.diagnostics == report)
            let ending = try chain.end(single)
            #expect(
                ending.diagnostics.contains(#/^juicestand: the stand no longer has event.* 1( to \d+)?; continuing/#))
            #expect(ending.output.split(separator: "\n").count == 1)
        }
    }

    // MARK: - Lists of stands

    @Test func `targets of a file come and go, and one that is back goes on where it was`() async throws {
        try await StandChain.with { chain in
            let names = ["corner", "north"]
            let stands = try names.map { try chain.open($0) }
            func list(_ names: [String]) throws -> String {
                let targets = names.map { "\"\(chain.socket($0))\"" }.joined(separator: ", ")
                return try chain.write("[{\"targets\": [\(targets)]}]", to: "stands.json")
            }
            let watch = try chain.watch(["--stands", list(names), "--format", "json", "--since", "0"])
            for name in names { try chain.wait(forMoreThan: 10, of: name, in: watch) }
            _ = try list(["north"])
            // It is left out once none of its lines come while the other has many.
            try eventually("corner to be left out") {
                let corner = try chain.lines(watch, of: "corner")
                let north = try chain.lines(watch, of: "north")
                try chain.wait(forMoreThan: north.count + 30, of: "north", in: watch)
                return try chain.lines(watch, of: "corner").count == corner.count
            }
            _ = try chain.write("[{]", to: "stands.json")
            try watch.waitForOutput("\n", in: watch.diagnostics)
            // Long enough for the list to be read again.
            func pass() throws {
                let start = try chain.lines(watch, of: "north").count
                try chain.wait(forMoreThan: start + 90, of: "north", in: watch)
            }
            try pass()
            try FileManager.default.removeItem(atPath: chain.path("stands.json"))
            try watch.waitForOutput("No such file", in: watch.diagnostics)
            try pass()
            _ = try list(names)
            try chain.stop(names, stands, after: watch)
            let ending = try chain.end(watch)
            #expect(ending.status == 0)
            // Each version of the list is named once.
            #expect(
                ending.diagnostics.wholeMatch(
                    of: #/\S+stands\.json:1:\d+: .*; the stands stay as they were\n.*: No such file.*\n/#) != nil,
                "\(ending.diagnostics)")
            for name in names {
                #expect(try StandChain.lines(ending.output, of: name) == chain.ledger(name), "\(name)")
            }
        }
    }

    @Test func `a new label in the list is the stand's name from then on`() async throws {
        try await StandChain.with { chain in
            let stands = try ["corner", "north"].map { try chain.open($0) }
            func list(_ labels: String...) throws -> String {
                let groups = zip(["corner", "north"], labels).map { name, label in
                    "{\"targets\": [\"\(chain.socket(name))\"], \"labels\": {\"stand\": \"\(label)\"}}"
                }
                return try chain.write("[\(groups.joined(separator: ", "))]", to: "stands.json")
            }
            let watch = try chain.watch(["--stands", list("a", "b"), "--format", "json", "--since", "0"])
            func wait(for names: String...) throws {
                for name in names { try chain.wait(of: name, in: watch) }
            }
            try wait(for: "a", "b")
            _ = try list("c", "b")
            try wait(for: "c")
            _ = try list("b", "b")
            try wait(for: "b@\(chain.socket("corner"))")
            for stand in stands { try chain.kill(stand, SIGTERM) }
            let output = try chain.end(watch).output
            let found = ["a", "c", "b@\(chain.socket("corner"))"].flatMap { StandChain.lines(output, of: $0) }
            #expect(try found == chain.ledger("corner"))
            #expect(try StandChain.lines(output, of: "b") == chain.ledger("north"))
        }
    }

    @Test func `another stand at the same socket is followed under its own name`() async throws {
        try await StandChain.with { chain in
            _ = try chain.open("corner")
            let watch = try chain.watch(["--all", "--format", "json", "--since", "0"])
            for (name, seed) in [("east", "5"), ("west", "6")] {
                let stand = try chain.open("shared", "--set", "stand=\(name)", "--seed", seed)
                try eventually("the first line of \(name)") {
                    try chain.lines(watch, of: name).first?.hasPrefix("{\"seq\":1,") == true
                }
                try chain.kill(stand, SIGTERM)
                try FileManager.default.removeItem(atPath: chain.path("shared.jsonl"))
            }
        }
    }

    /// A wait for them would be longer than a second, and so would a search for each among all.
    @Test func `thousands of registered stands that do not answer are listed`() async throws {
        try await StandChain.with { chain in
            _ = try chain.open("corner")
            let folder = chain.path("juicestand")
            try eventually("the stand to be registered") { FileManager.default.fileExists(atPath: folder) }
            var kept: [DiskFile] = []
            for number in 1...2000 {
                let path = "\(folder)/\(number)-x.json"
                let text = "{\"stand\":\"s\(number)\",\"socket\":\"\(folder)/\(number).sock\"}\n"
                let file = try DiskFile(path, .replacing)
                try file.append(Array(text.utf8))
                // A lock is the sign of life.
                if number % 4 == 0 {
                    try file.lockOrThrow()
                    kept.append(file)
                }
            }
            let list = try chain.ask("status").output.split(separator: "\n")
            #expect(list.first == "501 stands are running; --socket PATH shows one of them:")
            #expect(list.filter { $0.contains("no answer") }.count == 500)
            #expect(list.contains { $0.contains(#/^ *corner +open /#) })
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 501)
            withExtendedLifetime(kept) {}
        }
    }

    @Test func `running stands are registered, listed, and followed together`() async throws {
        try await StandChain.with { chain in
            #expect(try chain.ask("watch", "--all", "--format", "json").status == 69)
            let corner = try chain.open("corner")
            #expect(try chain.ask("status").status == 69)
            let north = try chain.open("north")
            let south = try chain.open("south")
            let list = try chain.ask("status").output.split(separator: "\n")
            #expect(list.first == "3 stands are running; --socket PATH shows one of them:")
            #expect(list.dropFirst().map { $0.split(separator: " ").first } == ["corner", "north", "south"])
            #expect(list.last?.contains(#/south +open +\d\d:\d\d:\d\d +\S+south\.sock$/#) == true, "\(list)")
            let json = try #require(JSONValue(parsing: Array(chain.ask("status", "--format", "json").output.utf8)))
            #expect(json["stands"]?.elements.map { $0["phase"]?.text } == ["open", "open", "open"])
            #expect(json["stands"]?.elements.last?["socket"]?.text == chain.socket("south"))
            // A killed stand leaves its file behind, and the next reader removes it. A stopped one is alive.
            try chain.kill(north)
            kill(south.process.processIdentifier, SIGSTOP)
            func registered() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: chain.path("juicestand")).count
            }
            #expect(try registered() == 3)
            #expect(try chain.ask("status").output.contains(#/south +no answer/#))
            #expect(try registered() == 2)
            kill(south.process.processIdentifier, SIGCONT)
            let watch = try chain.watch(["--all", "--format", "json"])
            for name in ["corner", "south"] { try chain.wait(of: name, in: watch) }
            let west = try chain.open("west")
            try chain.wait(of: "west", in: watch)
            for stand in [corner, south, west] { try chain.kill(stand, SIGTERM) }
            #expect(try chain.end(watch).status == 0)
            #expect(try registered() == 0)
        }
    }

    @Test(arguments: [
        (["--stands", "missing.json"], 66, "missing.json: No such file or directory"),
        (["--stands", "bad.json"], 65, #"bad.json:1:14: expected HOST:PORT or the path of a socket, found 'nowhere'"#),
        (["--stands", "object.json"], 65, #"object.json:1:1: expected a list of objects with "targets""#),
        (["--stands", "label.json"], 65, "label.json:1:38: expected a text as label"),
        (["a.sock", "b.sock", "--since", "5"], 64, "--since takes only 0 with several stands"),
        (["a.sock", "--at", "5s", "--format", "json"], 64, "--at prints the display once, and takes no --format"),
        (["https://127.0.0.1:8787"], 64, "TARGET must be the path of a socket or http://HOST:PORT"),
        (["127.0.0.1:8787"], 64, "TARGET must be the path of a socket or http://HOST:PORT"),
        (["http://127.0.0.1"], 64, "TARGET must be the path of a socket or http://HOST:PORT"),
        (["http://127.0.0.1:1"], 69, "cannot reach the stand at http://127.0.0.1:1: Connection refused"),
        (["--socket", "/nowhere/s"], 69, "/nowhere/s"),
        (
            ["--only", "alert"], 64,
            #"--only: unknown event "alert"; did you mean "alerts"? (see juicestand watch --help)"#
        ),
        (["--since", "-1"], 64, "--since"),
        (["--listen", "nowhere"], 64, "--listen must be ADDRESS:PORT such as 127.0.0.1:8787 or [::1]:0, found"),
        (["--listen", "off"], 64, "--listen must be ADDRESS:PORT"),
        (["--listen", "127.0.0.1:0", "--format", "json"], 64, "--listen serves a page, and takes no --format"),
        (["--listen", "127.0.0.1:0", "--stands", "missing.json"], 66, "missing.json: No such file or directory"),
        (["--listen", "1.2.3.4:1"], 73, "1.2.3.4:1: Cannot assign requested address"),
    ])
    func `a wrong list, target or option is an error`(arguments: [String], status: Int32, message: String) async throws
    {
        try await StandChain.with { chain in
            _ = try chain.write(#"[{"targets":["nowhere"]}]"#, to: "bad.json")
            _ = try chain.write(#"[{"targets":["/a"],"labels":{"stand":5}}]"#, to: "label.json")
            _ = try chain.write(#"{"targets":[]}"#, to: "object.json")
            let ending = try Program.start(["watch"] + arguments, in: chain.folder).wait()
            #expect(ending.status == status && ending.diagnostics.contains(message), "\(ending)")
        }
    }

    // MARK: - Table

    @Test func `the table opens a stand and comes back, and filters by name`() async throws {
        try await StandChain.with { chain in
            let stands = try ["corner", "north", "south"].map { try chain.open($0) }
            let session = try TerminalSession(["watch"] + ["corner", "north", "south"].map(chain.socket))
            try session.wait { rows in
                rows[0] == " 3 stands"
                    && ["corner", "north", "south"].allSatisfy { name in
                        rows.contains { $0.hasPrefix(" \(name) ") && $0.hasSuffix("%") }
                    }
            }
            session.type("/ort\r")
            try session.wait { $0[0] == " 3 stands  1 with \"ort\"" && $0[2].hasPrefix(" north ") && $0[3] == "" }
            // What the table knows of a stand is shown before the stand answers.
            kill(stands[1].process.processIdentifier, SIGSTOP)
            session.type("\r")
            try session.wait { $0[0].hasPrefix(" north  open ") }
            kill(stands[1].process.processIdentifier, SIGCONT)
            try session.wait { $0[1].hasPrefix("─ Stock") }
            // Esc leads back from the help first.
            session.type("?")
            try session.wait { $0.contains { $0.hasPrefix("─ Keys") } }
            session.type("\u{1b}")
            try session.wait { $0[1].hasPrefix("─ Stock") }
            session.type("\u{1b}")
            try session.wait { $0[0] == " 3 stands  1 with \"ort\"" }
            kill(stands[0].process.processIdentifier, SIGKILL)
            session.type("\u{1b}")
            try session.wait { $0[0] == " 3 stands  1 away" && $0[2].contains(/^ corner +away *$/) }
            session.type("q")
            #expect(try session.end().status == 0)
        }
    }

    // MARK: - Peers that are no stands

    /// Answers with the status of a stand, and with this to the request for its events.
    private static func events(_ text: String) -> @Sendable (String) -> String {
        let status = #"HTTP/1.1 200 OK\#r\#n\#r\#n{"opens": "2026-01-01", "seed": 1, "sequence": 0, "stand": "x"}"#
        return { $0.contains("/events ") ? "HTTP/1.1 200 OK\r\n\r\n" + text : status }
    }

    private static func line(_ number: Int) -> String {
        "id: \(number)\ndata: {\"seq\":\(number),\"at\":0.000000000,\"event\":\"paused\"}\n\n"
    }

    private static func gap(_ after: Int, _ first: Int) -> String {
        "event: gap\ndata: {\"after\":\(after),\"first\":\(first)}\n\n"
    }

    /// The status of a stand with one more figure.
    private static func status(_ figure: String) -> String {
        "HTTP/1.1 200 OK\r\n\r\n{\"opens\": \"2026-01-01\", \"seed\": 1, \"sequence\": 0, \"stand\": \"x\", \(figure)}"
    }

    private static let peers: [(name: String, answer: @Sendable (String) -> String, reason: String, lines: Int)] = [
        ("garbage", { _ in "\u{0}\u{1b}[2Jgarbage\r\n\r\n" }, "not a juice stand: no HTTP answer", 0),
        (
            "endless", events("data: " + String(repeating: "x", count: 2 << 20)),
            "a line that it sends is longer than 1 MB", 0
        ),
        ("gap", events(gap(5, 6)), "it reports a gap without events", 0),
        // The line for events 1 and 2, which are missing, and event 3.
        ("old", events(line(3) + gap(0, 3)), "it reports a gap up to event 3 after event 3", 2),
        ("length", { _ in "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}" }, "not a juice stand: no HTTP answer", 0),
        ("number", events(line(9_007_199_254_740_993)), "it sends no lines of a ledger", 0),
        (
            "wait",
            events("id: 1\ndata: {\"seq\":1,\"at\":0.000000000,\"event\":\"orderServed\",\"wait\":1e308}\n\n"),
            "it sends no lines of a ledger", 0
        ),
        ("time", { _ in status(#""time": 1e308"#) }, "'time' must be a number from 0 to", 0),
        ("queue", { _ in status(#""queue": -1"#) }, "'queue' must be a number from 0 to", 0),
        (
            "redirect", { _ in "HTTP/1.1 301 Moved\r\nLocation: https://elsewhere/\r\n\r\n" },
            "it redirects to https://elsewhere/; name that address", 0
        ),
        ("back", events(line(1) + line(2) + line(1)), "it sends event 1 after event 2", 2),
        ("tls", { _ in "\u{15}\u{3}\u{1}" }, "it speaks TLS", 0),
        ("text", events("id: 1\ndata: {\"seq\":1,\u{1b}[2J}\n\n"), "it sends no lines of a ledger", 0),
        (
            "delete",
            events("id: 1\ndata: {\"seq\":1,\"at\":0.000000000,\"event\":\"opened\",\"stand\":\"\u{7F}\"}\n\n"),
            "it sends no lines of a ledger", 0
        ),
        (
            "other", events("id: 1\ndata: {\"seq\":2,\"at\":0.000000000,\"event\":\"paused\"}\n\n"),
            "it sends no lines of a ledger", 0
        ),
        ("status", { _ in "HTTP/1.1 200 OK\r\n\r\n[]" }, "the status has no opening date and seed", 0),
        ("page", { _ in "HTTP/1.1 404 Not Found\r\n\r\n" }, "it answers with status 404", 0),
    ]

    @Test func `what answers unlike a stand is named once, and the stands are followed as before`() async throws {
        try await StandChain.with { chain in
            let isOver = Guarded(false)
            let paths = Self.peers.map { chain.socket($0.name) } + [chain.socket("slow")]
            let answers = Self.peers.map(\.answer) + [Self.events(Self.line(1) + Self.line(2))]
            for (path, answer) in zip(paths, answers) {
                let server = try RawServer(path: path)
                Thread {
                    while !isOver.withLock({ $0 }) {
                        // A slow stand is still a stand.
                        if path.hasSuffix("slow.sock") {
                            server.answerByteByByte(answer)
                        } else {
                            server.answer { answer($0) }
                        }
                    }
                }.start()
            }
            defer {
                isOver.withLock { $0 = true }
                for path in paths { _ = try? StandClient(path: path, timeout: 1).send(.get, "/") }
            }
            let corner = try chain.open("corner")
            let watch = try chain.watch([chain.socket("corner")] + paths + ["--format", "json", "--since", "0"])
            try eventually("every peer to be named") {
                let said = try String(contentsOf: watch.diagnostics, encoding: .utf8)
                return Self.peers.allSatisfy { said.contains("/\($0.name).sock") }
            }
            // Long enough for each to be tried again.
            let seen = try chain.lines(watch, of: "corner").count
            try chain.wait(forMoreThan: seen + 100, of: "corner", in: watch)
            try eventually("the lines of the slow one") { try chain.lines(watch, of: "x@\(paths.last!)").count == 2 }
            try chain.kill(corner, SIGTERM)
            kill(watch.process.processIdentifier, SIGTERM)
            let ending = try chain.end(watch)
            let said = ending.diagnostics.split(separator: "\n")
            for peer in Self.peers {
                let about = said.filter { $0.contains("/\(peer.name).sock") }
                #expect(about.count == 1 && about[0].contains(peer.reason), "\(peer.name): \(about)")
                #expect(StandChain.lines(ending.output, of: "x@\(chain.socket(peer.name))").count == peer.lines)
            }
            let found = StandChain.lines(ending.output, of: "corner")
            #expect(try found == Array(chain.ledger("corner").prefix(found.count)))
        }
    }

    @Test func `peers that send without end take little memory`() async throws {
        try await StandChain.with { chain in
            let lines = (1...60_000).map(Self.line).joined()
            let endless = "data: " + String(repeating: "x", count: 32 << 20)
            let answers = ["lines": Self.events(lines), "endless": Self.events(endless)]
            for (name, answer) in answers {
                let server = try RawServer(path: chain.socket(name))
                Thread {
                    // The status, and the stream.
                    for _ in 0..<2 { server.answer { answer($0) } }
                }.start()
            }
            _ = try chain.open("corner")
            let watch = try chain.watch([chain.socket("corner")] + ["--format", "json", "--since", "0"])
            let many = try chain.watch(
                ["corner", "lines", "endless"].map(chain.socket) + ["--format", "json", "--since", "0"])
            let name = "x@\(chain.socket("lines"))"
            // Searched as bytes: there are some 15 MB of them.
            let last = Data("{\"stand\":\"\(name)\",\"seq\":60000,".utf8)
            try eventually("the last line") { try Data(contentsOf: many.output).range(of: last) != nil }
            try many.waitForOutput("is longer than 1 MB", in: many.diagnostics)
            // A line that is not complete is kept, up to 1 MB.
            let more = try many.memory() - watch.memory()
            #expect(more < 8 << 10, "\(more) kB")
        }
    }
}
