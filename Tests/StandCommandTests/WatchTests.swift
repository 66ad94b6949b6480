import Foundation
import JuiceStand
import Platform
import TestSupport
import Testing

/// `juicestand watch` with stands that are started, killed and restarted.
@Suite(.timeLimit(.minutes(60)))
struct WatchTests {
    /// A stand in a directory, which a test can start several times. All methods block.
    private struct Stand {
        let folder: URL
        var socket: String { folder.appending(path: "socket").path }
        var ledger: String { folder.appending(path: "ledger.jsonl").path }

        func run(_ arguments: String...) throws -> Program.Running {
            let running = try Program.start(
                [
                    "run", "--listen", "off", "--socket", socket, "--display", "none", "--speed", "300", "--state",
                    folder.appending(path: "state").path, "--ledger", ledger,
                ] + arguments)
            try running.waitForStand(at: socket)
            return running
        }

        func ask(_ arguments: String...) throws -> Program.Ending {
            try Program.start(arguments + ["--socket", socket]).wait()
        }

        func watch(_ arguments: String...) throws -> Program.Running {
            try Program.start(["watch"] + arguments + ["--socket", socket])
        }

        /// Pauses the stand until `copy` has printed its events after `earlier` lines; returns how many lines that makes.
        /// A closing stand does not wait for slow readers.
        func pause(for copy: Program.Running, after earlier: Int = 0) throws -> Int {
            try eventually("the stand to pause") { try ask("pause").status == 0 }
            let status = try ask("status", "--format", "json").output
            let events = try #require(status.firstMatch(of: #/"sequence":(\d+)/#).flatMap { Int($0.1) }, "\(status)")
            try WatchTests.wait(for: earlier + events, in: copy)
            return earlier + events
        }

        static func with<Result: Sendable>(_ body: @escaping @Sendable (Stand) throws -> Result) async throws -> Result
        {
            try await Program.withTemporaryFolder { folder in
                try await onItsOwnThread { try body(Stand(folder: folder)) }
            }
        }
    }

    private static func lines(_ url: URL) throws -> [Substring] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    }

    /// Waits until a program has printed `count` lines.
    private static func wait(for count: Int, in running: Program.Running) throws {
        try eventually("\(count) lines") {
            try !running.process.isRunning
                || Data(contentsOf: running.output).count { $0 == UInt8(ascii: "\n") } >= count
        }
    }

    @Test func `watch follows a restarted stand without gaps or duplicates`() async throws {
        try await Stand.with { stand in
            var running = try stand.run()
            let all = try stand.watch("--format", "json", "--since", "0")
            let text = try stand.watch("--format", "text", "--since", "0")
            // Both follow the stand before it is killed.
            try Self.wait(for: 40, in: all)
            try Self.wait(for: 1, in: text)
            for ending in [SIGKILL, SIGTERM] {
                kill(running.process.processIdentifier, ending)
                _ = try running.wait()
                running = try stand.run()
                let seen = try Self.lines(all.output).count
                try Self.wait(for: seen + 10, in: all)
            }
            for copy in [all, text] { _ = try stand.pause(for: copy) }
            #expect(try stand.ask("stop").status == 0)
            _ = try running.wait()
            let json = try all.wait()
            let words = try text.wait()
            #expect(json.status == 0 && words.status == 0)
            // Byte for byte, with `closed` as the last line.
            #expect(try json.output == String(contentsOfFile: stand.ledger, encoding: .utf8))
            #expect(json.output.split(separator: "\n").last?.contains(#""event":"closed""#) == true)
            let numbers = words.output.split(separator: "\n").map { line in
                line.split(separator: " ").first { $0.hasPrefix("seq=") }.flatMap { Int($0.dropFirst(4)) } ?? 0
            }
            #expect(numbers == Array(1..<numbers.count + 1))
            #expect(numbers.count == json.output.split(separator: "\n").count)
            #expect(json.diagnostics.contains("lost the connection to the stand: "))
            #expect(json.diagnostics.contains("reconnected; continuing after event "))
        }
    }

    @Test func `watch recognizes a different stand at the same socket`() async throws {
        try await Stand.with { stand in
            var running = try stand.run()
            let copy = try stand.watch("--format", "json", "--since", "0")
            let first = try stand.pause(for: copy)
            kill(running.process.processIdentifier, SIGTERM)
            _ = try running.wait()
            // The same socket and another ledger; the stand is far ahead before `watch` reconnects.
            let second = stand.folder.appending(path: "second.jsonl").path
            running = try Program.start([
                "run", "--listen", "off", "--socket", stand.socket, "--display", "none", "--speed", "100000",
                "--seed", "7", "--ledger", second,
            ])
            try Self.wait(for: first + 1000, in: copy)
            _ = try stand.pause(for: copy, after: first)
            try eventually("the stand to stop") { try stand.ask("stop").status == 0 }
            _ = try running.wait()
            let ending = try copy.wait()
            #expect(ending.status == 0 && ending.diagnostics.contains("a different stand answers"))
            let ledgers = try [stand.ledger, second].map { try String(contentsOfFile: $0, encoding: .utf8) }
            #expect(ending.output == ledgers.joined())
        }
    }

    @Test func `--only and --since select events, and watch ends with the stand`() async throws {
        try await Stand.with { stand in
            let running = try stand.run("--set", "customers.arrivals.poisson.perSecond=0")
            #expect(try stand.ask("order", "banana juice").status == 0)
            #expect(try stand.ask("order", "strawberry juice", "1000").status == 1)
            #expect(try stand.ask("restock", "kiwi=3").status == 0)
            let watching = [
                try stand.watch("--format", "json", "--since", "0", "--only", "lost,restock,opened"),
                try stand.watch("--format", "text", "--since", "0", "--only", "stock"),
                try stand.watch("--format", "json", "--since", "1", "--only", "stand,orderPlaced"),
            ]
            // Each follows the stand before it is stopped.
            for (watch, count) in zip(watching, [2, 2, 1]) { try Self.wait(for: count, in: watch) }
            #expect(try stand.ask("stop").status == 0)
            let endings = try watching.map { try $0.wait() }
            _ = try running.wait()
            func events(_ ending: Program.Ending) -> [String] {
                ending.output.matches(of: #/"event":"(\w+)"/#).map { String($0.1) }
            }
            #expect(endings.map(\.status) == [0, 0, 0] && endings.map(\.diagnostics) == ["", "", ""])
            #expect(events(endings[0]) == ["opened", "orderLost"])
            #expect(endings[1].output.contains(#/^at=\d\d:\d\d:\d\d level=info event=/#))
            #expect(
                endings[1].output.contains(
                    #" event=stockChanged seq=3 fruit="banana" from=80 to=78 cause=order order=1"#))
            #expect(endings[1].output.contains(#" fruit="kiwi" from=80 to=83 cause=edit"#))
            #expect(events(endings[2]) == ["orderPlaced", "closed"])
        }
    }

    @Test func `events that the stand no longer has are reported, and watch continues`() async throws {
        try await Stand.with { stand in
            let arguments = ["run", "--listen", "off", "--socket", stand.socket, "--display", "none", "--speed", "300"]
            let running = try Program.start(arguments)
            try running.waitForStand(at: stand.socket)
            // Without a reader and a ledger, old events are dropped.
            try eventually("an event after the first") {
                try !stand.ask("status", "--format", "json").output.contains(#""sequence":1,"#)
            }
            let watching = try stand.watch("--format", "json", "--since", "0")
            try Self.wait(for: 1, in: watching)
            let first = try #require(try Self.lines(watching.output).first)
            let number = try #require(first.firstMatch(of: #/^\{"seq":(\d+),/#).flatMap { Int($0.1) })
            #expect(number > 1)
            // Also to a watch that prints other events.
            let closing = try stand.watch("--format", "json", "--since", "0", "--only", "closed")
            try eventually("the same report") {
                try String(contentsOf: closing.diagnostics, encoding: .utf8)
                    .contains(#/^juicestand: the stand no longer has event.* 1( to \d+)?; continuing with event \d+\n/#)
            }
            _ = try stand.pause(for: watching, after: 1 - number)
            #expect(try stand.ask("stop").status == 0)
            #expect(
                try watching.wait().diagnostics
                    == "juicestand: the stand no longer has events 1 to \(number - 1); continuing with event \(number)\n"
            )
            #expect(try closing.wait().output.split(separator: "\n").count == 1)
            _ = try running.wait()
        }
    }

    @Test func `a closed pipe ends watch without an error, also while nothing happens`() async throws {
        try await Stand.with { stand in
            let running = try stand.run("--set", "customers.arrivals.poisson.perSecond=0")
            let line = #"{ "$0" watch --format json --since 0 --socket "$1"; echo "status $?" >&2; } | head -n 1"#
            let ending = try Program.shell(line, [stand.socket]).wait()
            #expect(ending.diagnostics == "status 0\n")
            #expect(ending.output.contains(#""event":"opened""#))
            kill(running.process.processIdentifier, SIGTERM)
            _ = try running.wait()
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends watch without an error, after a complete line`(signal: Int32) async throws {
        try await Stand.with { stand in
            let running = try stand.run()
            let watching = try stand.watch("--format", "json", "--since", "0")
            try Self.wait(for: 5, in: watching)
            kill(watching.process.processIdentifier, signal)
            let ending = try watching.wait()
            #expect(ending.status == 0 && ending.diagnostics == "" && ending.output.hasSuffix("}\n"))
            kill(running.process.processIdentifier, SIGTERM)
            _ = try running.wait()
        }
    }

    @Test func `a missing stand and unknown events are errors`() async throws {
        try await Stand.with { stand in
            #expect(try stand.watch("--format", "text").wait().status == 69)
            let misspelt = try stand.watch("--only", "alert").wait()
            #expect(misspelt.status == 64)
            #expect(
                misspelt.diagnostics
                    == "juicestand: --only: unknown event \"alert\"; did you mean \"alerts\"? (see juicestand watch --help)\n"
            )
            #expect(try stand.watch("--since", "-1").wait().status == 64)
        }
    }
}
