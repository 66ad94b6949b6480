import Foundation
import Platform
import TestSupport
import Testing

/// `juicestand watch` with a stand that is started, killed and restarted.
@Suite(.timeLimit(.minutes(60)))
struct WatchTests {
    /// Opens the stand of a test, or resumes it.
    private static func open(_ chain: StandChain) throws -> Program.Running {
        try chain.open("corner", "--state", chain.path("state"))
    }

    private static func watch(_ chain: StandChain, _ arguments: String...) throws -> Program.Running {
        try chain.watch(arguments + ["--socket", chain.socket("corner")])
    }

    /// Pauses the stand until `copy` has printed its events after `earlier` lines; returns how many lines that makes.
    /// A closing stand does not wait for slow readers.
    private static func pause(_ chain: StandChain, for copy: Program.Running, after earlier: Int = 0) throws -> Int {
        let events = try chain.pause("corner")
        try wait(for: earlier + events, in: copy)
        return earlier + events
    }

    /// Waits until a program has printed `count` lines.
    private static func wait(for count: Int, in running: Program.Running) throws {
        try eventually("\(count) lines") {
            try !running.process.isRunning
                || Data(contentsOf: running.output).count { $0 == UInt8(ascii: "\n") } >= count
        }
    }

    @Test func `watch follows a restarted stand without gaps or duplicates`() async throws {
        try await StandChain.with { chain in
            var running = try Self.open(chain)
            let all = try Self.watch(chain, "--format", "json", "--since", "0")
            let text = try Self.watch(chain, "--format", "text", "--since", "0")
            // Both follow the stand before it is killed.
            try Self.wait(for: 40, in: all)
            try Self.wait(for: 1, in: text)
            for ending in [SIGKILL, SIGTERM] {
                try chain.kill(running, ending)
                running = try Self.open(chain)
                let seen = try String(contentsOf: all.output, encoding: .utf8).split(separator: "\n").count
                try Self.wait(for: seen + 10, in: all)
            }
            for copy in [all, text] { _ = try Self.pause(chain, for: copy) }
            #expect(try chain.ask("stop", "--socket", chain.socket("corner")).status == 0)
            let json = try chain.end(all)
            let words = try chain.end(text)
            #expect(json.status == 0 && words.status == 0)
            // Byte for byte, with `closed` as the last line.
            #expect(try json.output == String(contentsOfFile: chain.path("corner.jsonl"), encoding: .utf8))
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
        try await StandChain.with { chain in
            let running = try Self.open(chain)
            let copy = try Self.watch(chain, "--format", "json", "--since", "0")
            let first = try Self.pause(chain, for: copy)
            try chain.kill(running, SIGTERM)
            // The same socket and another ledger; the stand is far ahead before `watch` reconnects.
            let second = chain.path("second.jsonl")
            _ = try chain.run("corner", ["--listen", "off", "--speed", "100000", "--seed", "7", "--ledger", second])
            try Self.wait(for: first + 1000, in: copy)
            _ = try Self.pause(chain, for: copy, after: first)
            try eventually("the stand to stop") {
                try chain.ask("stop", "--socket", chain.socket("corner")).status == 0
            }
            let ending = try chain.end(copy)
            #expect(ending.status == 0 && ending.diagnostics.contains("a different stand answers"))
            let ledgers = try [chain.path("corner.jsonl"), second].map {
                try String(contentsOfFile: $0, encoding: .utf8)
            }
            #expect(ending.output == ledgers.joined())
        }
    }

    @Test func `--only and --since select events, and watch ends with the stand`() async throws {
        try await StandChain.with { chain in
            let socket = chain.socket("corner")
            _ = try chain.open("corner", "--set", "customers.arrivals.poisson.perSecond=0")
            #expect(try chain.ask("order", "banana juice", "--socket", socket).status == 0)
            #expect(try chain.ask("order", "strawberry juice", "1000", "--socket", socket).status == 1)
            #expect(try chain.ask("restock", "kiwi=3", "--socket", socket).status == 0)
            let watching = [
                try Self.watch(chain, "--format", "json", "--since", "0", "--only", "lost,restock,opened"),
                try Self.watch(chain, "--format", "text", "--since", "0", "--only", "stock"),
                try Self.watch(chain, "--format", "json", "--since", "1", "--only", "stand,orderPlaced"),
            ]
            // Each follows the stand before it is stopped.
            for (watch, count) in zip(watching, [2, 2, 1]) { try Self.wait(for: count, in: watch) }
            #expect(try chain.ask("stop", "--socket", socket).status == 0)
            let endings = try watching.map { try chain.end($0) }
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

    @Test func `a closed pipe ends watch without an error, also while nothing happens`() async throws {
        try await StandChain.with { chain in
            _ = try chain.open("corner", "--set", "customers.arrivals.poisson.perSecond=0")
            let line = #"{ "$0" watch --format json --since 0 --socket "$1"; echo "status $?" >&2; } | head -n 1"#
            let ending = try Program.shell(line, [chain.socket("corner")]).wait()
            #expect(ending.diagnostics == "status 0\n")
            #expect(ending.output.contains(#""event":"opened""#))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends watch without an error, after a complete line`(signal: Int32) async throws {
        try await StandChain.with { chain in
            _ = try chain.open("corner")
            let watching = try Self.watch(chain, "--format", "json", "--since", "0")
            try Self.wait(for: 5, in: watching)
            kill(watching.process.processIdentifier, signal)
            let ending = try chain.end(watching)
            #expect(ending.status == 0 && ending.diagnostics == "" && ending.output.hasSuffix("}\n"))
        }
    }
}
