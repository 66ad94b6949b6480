import Foundation
import JuiceStand
import Platform
import StandClient
import StandService
import TerminalView
import TestSupport
import Testing
import TextFormats

/// The commands that control a running stand, run as a user would.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct ClientTests {
    private static let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"

    /// Runs `body` with a stand without arrivals, and closes the stand with `stop`.
    private func withStand(_ body: (_ ask: (String...) throws -> Program.Ending) throws -> Void) async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let running = try Program.start([
                "run", "--display", "text", "--speed", "1000", "--listen", "off", "--socket", socket,
                "--set", "customers.arrivals.poisson.perSecond=0", "--set", "menu.kiwi juice.names.en=Kiwi Juice",
            ])
            try running.waitForOutput("event=listening socket=\(socket)\n")
            func ask(_ arguments: String...) throws -> Program.Ending {
                try Program.start(arguments + ["--socket", socket]).wait()
            }
            try body(ask)
            #expect(try ask("stop").output.hasPrefix("Closed at "))
            let ending = try running.wait()
            #expect(ending.status == 0 && ending.diagnostics == "")
            #expect(try ask("status").status == 69)
        }
    }

    @Test func `order prints the result, and what can be made instead`() async throws {
        try await withStand { ask in
            let placed = try ask("order", "banana juice")
            #expect(placed.status == 0)
            #expect(placed.output == "Banana juice is on its way, enjoy! (Order 1: a maker is preparing it.)\n")
            #expect(try ask("order", "kiwi juice", "2", "--wait").output == "Kiwi juice is ready, enjoy!\n")
            // In any case, in every language of the configuration, and with all its names.
            for (number, juice) in zip(3..., ["Banana Juice", "바나나쥬스", "바나나주스"]) {
                let said = try ask("order", juice).output
                #expect(said.hasPrefix("Banana juice is on its way, enjoy! (Order \(number): "))
            }
            #expect(try ask("order", "KIWI JUICE").output.hasPrefix("Kiwi juice is on its way, enjoy! (Order 6: "))
            let short = try ask("order", "strawberry juice", "100")
            #expect(short.status == 1)
            #expect(short.output.hasPrefix("Not enough fruit: 1,000 more strawberry needed.\n"))
        }
    }

    @Test func `order refuses an unknown juice before it reaches the stand, and suggests the nearest`() async throws {
        try await withStand { ask in
            let misspelt = try ask("order", "bananna juice")
            #expect(misspelt.status == 64 && misspelt.output == "")
            #expect(
                misspelt.diagnostics
                    == "juicestand: unknown juice \"bananna juice\"; did you mean \"banana juice\"? (juicestand menu lists them)\n"
            )
            #expect(
                try ask("order", "tea").diagnostics
                    == "juicestand: unknown juice \"tea\" (juicestand menu lists them)\n")
            let status = try ask("status").output
            #expect(status.contains("orders 0: ") && !status.contains("\npage "))
        }
    }

    @Test func `orders for an unknown juice are counted with the losses everywhere`() async throws {
        try await StandChain.with { chain in
            let socket = chain.socket("stand")
            let ledger = chain.path("ledger")
            let options = [
                "--listen", "127.0.0.1:0", "--ledger", ledger, "--expect", "customers.notOnMenu==2", "--verbose",
            ]
            let running = try chain.run("stand", ["--set", "customers.arrivals.poisson.perSecond=0"] + options)
            for juice in ["tea", "coffee"] {
                // The command `order` refuses them; other clients reach the stand.
                let answer = try StandClient(path: socket).send(
                    .post, "/api/v1/orders", content: ["juice": .string(juice), "cups": 1])
                #expect(answer.status == 422)
            }
            let status = try Program.run("status", "--socket", socket).output
            #expect(status.contains("orders 2: ") && status.contains("not on the menu 2)"), "\(status)")
            #expect(try Program.run("stop", "--socket", socket).status == 0)
            let ending = try running.wait()
            #expect(ending.status == 0)
            for row in ["customers  2 arrived, 0 still in the stand", "lost       2 (100%): not on the menu 2"] {
                #expect(ending.output.contains("\n  \(row)\n"), "\(ending.output)")
            }
            #expect(ending.output.contains(#/  customers\.notOnMenu +2\n/#))
            #expect(try Program.run("verify", ledger).output.contains(" 2 orders (0 served, 2 lost, 0 present)"))
        }
    }

    @Test func `restock and adjust change the stock; with --if-tag only if nobody edited it since`() async throws {
        try await withStand { ask in
            #expect(try ask("restock", "banana=20", "키위=10").output == "banana 100\nkiwi 90\nedit tag 1\n")
            #expect(try ask("adjust", "banana=-5", "kiwi=+1", "--if-tag", "1").output.hasPrefix("banana 95\nkiwi 91\n"))
            let late = try ask("adjust", "banana=-5", "--if-tag", "1")
            #expect(late.status == 1 && late.diagnostics.contains("its edit tag is now 2"))
            // The tag of a stand that nobody has edited.
            #expect(try ask("restock", "banana=5", "--if-tag", "0").status == 1)
            #expect(try ask("adjust", "banana=-1000").status == 1)
            #expect(try ask("restock", "banana=-1").status == 64)
            #expect(try ask("restock", "키위=1", "kiwi=1").status == 64)
            let unknown = try ask("restock", "키우=1")
            #expect(unknown.status == 64)
            #expect(unknown.diagnostics == "juicestand: unknown fruit \"키우\"; did you mean \"키위\"?\n")
            #expect(try ask("restock", "kiwi=1", "--key", "a").output == ask("restock", "kiwi=1", "--key", "a").output)
            #expect(try ask("stock").output.contains("\nkiwi              92\n"))
        }
    }

    @Test func `rate, pause, resume, reload and status print the result`() async throws {
        try await withStand { ask in
            #expect(try ask("rate", "2").output.hasPrefix("Arrival rate × 2 from "))
            #expect(try ask("pause").output.hasPrefix("Paused at "))
            #expect(try ask("status").output.contains(" is paused at "))
            #expect(
                try ask("order", "kiwi juice").output.hasSuffix(
                    ")\nThe stand is paused; the order waits for juicestand resume.\n"))
            #expect(try ask("pause").output.hasPrefix("The stand is already paused, at "))
            #expect(try ask("resume").output.hasPrefix("Resumed at "))
            #expect(try ask("resume").output.hasPrefix("The stand is not paused. It is "))
            #expect(try ask("resume", "--format", "json").output.hasPrefix(#"{"at":"#))
            #expect(try ask("reload").output == "Nothing changed.\n")
            let status = try ask("status", "--format", "json")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any])
            #expect(json["phase"] as? String == "open" && json["rate"] as? Double == 2)
        }
    }

    @Test func `a second stand uses a socket and a port of its own and logs them`() async throws {
        try await Program.withTemporaryFolder(in: "/tmp") { folder in
            // The default socket of these two alone: programs of other tests run at the same time.
            let variables = ["XDG_RUNTIME_DIR": folder.path]
            let other = ["run", "--display", "text", "--for", "1m", "--speed", "1000"]
            let first = try Program.start(["run", "--display", "text", "--speed", "1000"], variables: variables)
            try first.waitForOutput("event=listening")
            let status = try Program.start(["status"], variables: variables).wait().output
            #expect(status.contains("\nsocket \(folder.path)/juicestand.sock\npage http://127.0.0.1:"), "\(status)")
            // Another program of this machine may have the usual port, and give it up meanwhile.
            let hasPort = status.contains("page http://127.0.0.1:8787/")
            let second = try Program.start(other, variables: variables)
            let text = try second.wait()
            #expect(text.status == 0)
            #expect(text.diagnostics.contains("another stand uses ") && text.diagnostics.contains("need --socket /"))
            #expect(text.diagnostics.split(separator: "\n").count == 1, "\(text.diagnostics)")
            let page = try #require(text.output.firstMatch(of: /event=listening socket=.+ url=(\S+)/)?.1)
            #expect(page.hasPrefix("http://127.0.0.1:") && !(hasPort && page == "http://127.0.0.1:8787/"))
            try await onItsOwnThread {
                let third = try TerminalSession(["run"], variables)
                try third.wait { rows in
                    (!hasPort || rows.contains { $0.hasPrefix(" Port 8787 is taken. This stand listens on port ") })
                        && rows.contains { $0.hasPrefix("--socket /") }
                        && rows.contains { $0.hasPrefix("http://127.0.0.1:") }
                }
                kill(first.process.processIdentifier, SIGTERM)
                #expect(try first.wait().status == 0)
                let lost = try Program.start(["status"], variables: variables).wait()
                #expect(lost.status == 69)
                #expect(
                    lost.diagnostics.contains(
                        "no stand is running at \(folder.path)/juicestand.sock; another one is: add --socket \(folder.path)/juicestand-"
                    ), "\(lost.diagnostics)")
                third.type("qy")
                #expect(try third.end().status == 0)
            }
            let none = try Program.start(["status"], variables: variables).wait()
            #expect(none.diagnostics.contains("juicestand.sock; start one with juicestand run"), "\(none.diagnostics)")
        }
    }

    @Test(arguments: [
        ["restock", "kiwi=1"], ["rate", "2"], ["pause"], ["order", "kiwi juice"], ["reload"], ["stop"],
    ])
    func `a change whose answer is lost is retried once with the same idempotency key`(command: [String]) async throws {
        try await Program.withTemporaryFolder { folder in
            let path = folder.appending(path: "socket").path
            let server = try RawServer(path: path)
            let asking = try Program.start(command + ["--socket", path])
            // `order` reads the menu and the status first, and `pause` the status.
            let read = Array(repeating: Self.answer, count: ["order": 2, "pause": 1][command[0]] ?? 0)
            _ = server.answer(read)
            let answer = Self.answer
            let requests = server.answer(["", answer])
            #expect(try asking.wait().status == 0)
            let pattern = #/\r\nIdempotency-Key: ([0-9a-f]+-[0-9a-f]+)\r\n/#
            #expect(requests[0] == requests[1] && requests[0].firstMatch(of: pattern) != nil, "\(requests)")
            let again = try Program.start(command + ["--socket", path])
            #expect(server.answer(read + [answer]).last != requests[0])
            #expect(try again.wait().status == 0)
        }
    }

    @Test func `a lost connection is an input/output error and names the key to retry with`() async throws {
        try await Program.withTemporaryFolder { folder in
            let path = folder.appending(path: "socket").path
            let server = try RawServer(path: path)
            let asking = try Program.start(["order", "kiwi juice", "--key", "k", "--socket", path])
            _ = server.answer([Self.answer, Self.answer, "", ""])
            let ending = try asking.wait()
            #expect(ending.status == 74)
            #expect(
                ending.diagnostics
                    == "juicestand: the stand closed the connection twice before it answered (\(path)); the change may have been made: "
                    + "repeat the command with --key k to make it at most once\n")
        }
    }
}

/// Where the token is printed.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct TokenTests {
    @Test(arguments: ["text", "live"])
    func `a terminal shows the page's link with the token in one piece`(display: String) async throws {
        try await StandChain.with { chain in
            let socket = chain.socket("stand")
            let session = try TerminalSession(
                ["run", "--listen", "127.0.0.1:0", "--socket", socket, "--display", display],
                ["JUICESTAND_LANGUAGE": "en"])
            // A frame of the display ends with this.
            try session.wait(for: display == "text" ? "event=listening" : "\u{1b}[?2026l")
            let token = try String(contentsOfFile: socket + ".token", encoding: .utf8).dropLast()
            kill(session.process.processIdentifier, SIGTERM)
            let ending = try session.end()
            let text = String(decoding: session.bytes, as: UTF8.self)
            #expect(text.contains(try Regex("http://127\\.0\\.0\\.1:[0-9]+/#token=\(token)")), "\(text)")
            #expect(ending.status == 0 && !ending.diagnostics.contains(token))
            #expect(ending.diagnostics.contains("event=listening") == (display == "live"), "\(ending.diagnostics)")
            if display == "live" {
                // After the display the terminal shows neither the token nor the address.
                let parts = text.components(separatedBy: TerminalScreen.leave)
                #expect(text.hasPrefix(TerminalScreen.enter) && parts.count == 2, "\(text)")
                #expect(parts.last?.contains("http") == false, "\(text)")
            }
        }
    }

    @Test(arguments: ["text", "json"])
    func `without a display standard error says where the stand listens`(format: String) async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let running = try Program.start([
                "run", "--display", "none", "--format", format, "--listen", "127.0.0.1:0", "--socket", socket,
                "--duration", "1s",
            ])
            let ending = try running.wait()
            let lines = ending.diagnostics.split(separator: "\n")
            let expected =
                format == "json"
                ? #""event":"listening","socket":"\#(socket)","url":"# : "event=listening socket=\(socket) url="
            #expect(
                lines.count { $0.contains(expected) && $0.contains(socket + ".token") } == 1, "\(ending.diagnostics)")
            #expect(!ending.output.contains("listening"))
        }
    }

    @Test func `without a terminal the token is only in a file of mode 0600 that the log names`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let running = try Program.start(["run", "--display", "text", "--listen", "127.0.0.1:0", "--socket", socket])
            let file = socket + ".token"
            try running.waitForOutput("tokenFile=\(file)\n")
            let token = try String(contentsOfFile: file, encoding: .utf8).dropLast()
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(token.count == 40 && mode == 0o600)
            kill(running.process.processIdentifier, SIGTERM)
            let ending = try running.wait()
            #expect(!ending.output.contains(token) && !ending.diagnostics.contains(token))
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
