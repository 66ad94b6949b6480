import Foundation
import TestSupport
import Testing

/// `juicestand simulate --from`, run as a user would.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct SimulateFromTests {
    /// Runs a stand until it is paused, and calls `body` with its state directory, its socket and its program.
    private func withPausedStand(
        _ body: @escaping @Sendable (String, String, Program.Running) throws -> Void
    ) async throws {
        try await StandChain.with { chain in
            let state = chain.path("state")
            let running = try chain.run("stand", ["--state", state, "--listen", "off", "--speed", "2000"])
            _ = try chain.pause("stand")
            try body(state, chain.socket("stand"), running)
        }
    }

    @Test func `a state and the socket of its stand give the same bytes`() async throws {
        try await withPausedStand { state, socket, running in
            func simulate(_ from: String, _ more: String...) throws -> Program.Ending {
                let option = from == socket ? "--socket" : "--state"
                return try Program.start(
                    [
                        "simulate", option, from, "--for", "30m", "--replications", "4", "--vary", "makers=2,3",
                        "--no-timing", "--format", "json",
                    ] + more
                ).wait()
            }
            let live = try simulate(socket)
            #expect(live.status == 0 && live.output.contains(#""from": {"#), "\(live.diagnostics)")
            #expect(try simulate(socket, "--jobs", "1").output == live.output)
            #expect(try simulate(socket, "--seed", "7").output != live.output)
            let used = try simulate(state)
            #expect(used.status == 75 && used.diagnostics.contains("with the socket of that stand"))
            running.process.terminate()
            _ = try running.wait()
            #expect(try simulate(state).output == live.output)
            let parts = try (1...2).map { index in
                let path = state + "-\(index).json"
                _ = try simulate(state, "--shard", "\(index)/2", "--output", path)
                return path
            }
            #expect(try Program.run("merge", parts[1], parts[0], "--format", "json").output == live.output)
        }
    }

    @Test func `the ledger of a future goes on from the state`() async throws {
        try await withPausedStand { state, socket, _ in
            let path = state + ".jsonl"
            let ending = try Program.run("simulate", "--socket", socket, "--for", "1h", "--ledger", path)
            #expect(ending.status == 0, "\(ending.diagnostics)")
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            #expect(lines.count > 100 && !lines[0].hasPrefix(#"{"seq":1,"#))
            #expect(lines.last?.contains(#""event":"closed""#) == true)
            let audit = try Program.run("verify", path)
            #expect(audit.status == 0, "\(audit.output)\(audit.diagnostics)")
        }
    }

    @Test func `what does not go with a state is refused`() async throws {
        try await withPausedStand { _, socket, _ in
            for (arguments, status, reason) in [
                (["--socket", socket, "--config", "config/stand.json"], 64, "no --config"),
                (["--socket", socket, "--vary", "fruits.banana.initial=1,2"], 1, "only counts at the opening"),
                (["--socket", socket, "--set", "maker=2"], 78, "did you mean"),
                (["--state", "/nonexistent"], 66, "/nonexistent: "),
            ] as [([String], Int32, String)] {
                let ending = try Program.start(["simulate"] + arguments).wait()
                #expect(ending.status == status && ending.diagnostics.contains(reason), "\(ending.diagnostics)")
            }
        }
    }

    @Test func `a stand that replays recorded orders names fit as the way`() async throws {
        try await StandChain.with { chain in
            _ = try chain.run("stand", ["--config", "config/bakery.json", "--listen", "off"])
            let ending = try Program.run("simulate", "--socket", chain.socket("stand"))
            #expect(ending.status == 64 && ending.diagnostics.contains("juicestand fit"), "\(ending.diagnostics)")
        }
    }
}
