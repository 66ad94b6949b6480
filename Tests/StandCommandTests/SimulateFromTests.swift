import Foundation
import TestSupport
import Testing

/// `juicestand simulate --from`, run as a user would.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct SimulateFromTests {
    /// Runs a stand until it is paused, and calls `body` with its state directory, its socket and its program.
    private func withPausedStand(_ body: (String, String, Program.Running) async throws -> Void) async throws {
        try await Program.withTemporaryFolder { folder in
            let state = folder.appending(path: "state").path
            let socket = folder.appending(path: "socket").path
            let running = try Program.start([
                "run", "--state", state, "--socket", socket, "--listen", "off", "--speed", "2000", "--display", "none",
            ])
            defer { if running.process.isRunning { running.process.terminate() } }
            try running.waitForStand(at: socket)
            #expect(try Program.run("pause", "--socket", socket).status == 0)
            try await body(state, socket, running)
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
                    ] + more, in: Program.root
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
            let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
            #expect(lines.count > 100 && !lines[0].hasPrefix(#"{"seq":1,"#))
            #expect(lines.last?.contains(#""event":"closed""#) == true)
            let audit = try Program.run("verify", path)
            #expect(audit.status == 0, "\(audit.output)\(audit.diagnostics)")
        }
    }

    @Test func `what does not go with a state is refused`() async throws {
        try await withPausedStand { _, socket, _ in
            func refusal(_ arguments: String...) throws -> (status: Int32, reason: String) {
                let ending = try Program.start(["simulate", "--socket", socket] + arguments).wait()
                return (ending.status, ending.diagnostics)
            }
            let config = try refusal("--config", "config/stand.json")
            #expect(config.status == 64 && config.reason.contains("no --config"))
            let fixed = try refusal("--vary", "fruits.banana.initial=1,2")
            #expect(fixed.status == 1 && fixed.reason.contains("only counts at the opening"), "\(fixed.reason)")
            let unknown = try refusal("--set", "maker=2")
            #expect(unknown.status == 78 && unknown.reason.contains("did you mean"), "\(unknown.reason)")
        }
        let missing = try Program.run("simulate", "--state", "/nonexistent")
        #expect(missing.status == 66 && missing.diagnostics.contains("/nonexistent: "), "\(missing.diagnostics)")
    }

    @Test func `a stand that replays recorded orders names fit as the way`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let running = try Program.start([
                "run", "--config", "config/bakery.json", "--socket", socket, "--listen", "off", "--display", "none",
            ])
            try running.waitForStand(at: socket)
            let ending = try Program.run("simulate", "--socket", socket)
            #expect(ending.status == 64 && ending.diagnostics.contains("juicestand fit"), "\(ending.diagnostics)")
            running.process.terminate()
            _ = try running.wait()
        }
    }
}
