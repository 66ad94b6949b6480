import Foundation
import Platform
import TestSupport
import Testing

/// Stands in a folder, with a registry of their own. All methods block.
struct StandChain {
    let folder: URL

    func path(_ name: String) -> String { folder.appending(path: name).path }
    func socket(_ name: String) -> String { path("\(name).sock") }

    /// The lines of a ledger, in which the stand's own name has the key `name`.
    func ledger(_ name: String) throws -> [String] {
        try String(contentsOfFile: path("\(name).jsonl"), encoding: .utf8).split(separator: "\n").map {
            String($0).replacing(
                "\"event\":\"opened\",\"stand\":\"\(name)\",", with: "\"event\":\"opened\",\"name\":\"\(name)\",")
        }
    }

    private func start(_ arguments: [String]) throws -> Program.Running {
        try Program.start(arguments, variables: ["XDG_RUNTIME_DIR": folder.path])
    }

    /// Opens a stand, or resumes one.
    func open(_ name: String, _ arguments: String..., listen: String = "off") throws -> Program.Running {
        let running = try start(
            [
                "run", "--listen", listen, "--socket", socket(name), "--display", "none", "--speed", "300",
                "--set", "stand=\(name)", "--ledger", path("\(name).jsonl"),
            ] + arguments)
        try running.waitForStand(at: socket(name))
        return running
    }

    func watch(_ arguments: [String]) throws -> Program.Running { try start(["watch"] + arguments) }

    func ask(_ arguments: String...) throws -> Program.Ending { try end(start(arguments)) }

    func end(_ running: Program.Running) throws -> Program.Ending {
        try eventually("the program to end") { !running.process.isRunning }
        return try running.wait()
    }

    func kill(_ running: Program.Running, _ signal: Int32 = SIGKILL) throws {
        Platform.kill(running.process.processIdentifier, signal)
        _ = try end(running)
    }

    /// Pauses the stands until the watch has printed all their events, and stops them. A closing stand does not wait
    /// for slow readers.
    func stop(_ names: [String], _ stands: [Program.Running], after watch: Program.Running) throws {
        for name in names {
            #expect(try ask("pause", "--socket", socket(name)).status == 0)
            let status = try ask("status", "--format", "json", "--socket", socket(name)).output
            let last = try #require(status.firstMatch(of: #/"sequence":(\d+)/#)?.1)
            try eventually("event \(last) of \(name)") {
                try lines(watch, of: name).contains { $0.hasPrefix("{\"seq\":\(last),") }
            }
        }
        for name in names { #expect(try ask("stop", "--socket", socket(name)).status == 0) }
        for stand in stands { #expect(try end(stand).status == 0) }
    }

    /// The lines of a stand that were printed, without its name.
    func lines(_ watch: Program.Running, of name: String) throws -> [String] {
        try Self.lines(String(contentsOf: watch.output, encoding: .utf8), of: name)
    }

    static func lines(_ output: String, of name: String) -> [String] {
        let start = "{\"stand\":\"\(name)\","
        // Without the last piece, which may not be whole.
        return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .filter { $0.hasPrefix(start) }.map { "{" + $0.dropFirst(start.count) }
    }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
        return path(name)
    }

    static func with(_ body: @escaping @Sendable (StandChain) throws -> Void) async throws {
        try await Program.withTemporaryFolder { folder in
            try await onItsOwnThread { try body(StandChain(folder: folder)) }
        }
    }
}
