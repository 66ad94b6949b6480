import Foundation
import Platform
import TestSupport
import Testing

/// Stands in a folder, with a registry of their own. All methods block.
final class StandChain: Sendable {
    let folder: URL
    private let started = Guarded<[Program.Running]>([])

    init(folder: URL) { self.folder = folder }

    /// Calls `body` with a new folder, and ends the programs that still run afterwards.
    static func with(_ body: @escaping @Sendable (StandChain) throws -> Void) async throws {
        try await Program.withTemporaryFolder { folder in
            try await onItsOwnThread {
                let chain = StandChain(folder: folder)
                defer { chain.endAll() }
                try body(chain)
            }
        }
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }
    func socket(_ name: String) -> String { path("\(name).sock") }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
        return path(name)
    }

    /// The lines of a ledger, in which the stand's own name has the key `name`.
    func ledger(_ name: String) throws -> [String] {
        try String(contentsOfFile: path("\(name).jsonl"), encoding: .utf8).split(separator: "\n").map {
            String($0).replacing(
                "\"event\":\"opened\",\"stand\":\"\(name)\",", with: "\"event\":\"opened\",\"name\":\"\(name)\",")
        }
    }

    // MARK: - Programs

    func start(_ arguments: [String]) throws -> Program.Running {
        let running = try Program.start(arguments, variables: ["XDG_RUNTIME_DIR": folder.path])
        started.withLock { $0.append(running) }
        return running
    }

    /// Starts a stand with this socket and without a display.
    func run(_ name: String, _ arguments: [String]) throws -> Program.Running {
        let running = try start(["run", "--display", "none", "--socket", socket(name)] + arguments)
        try running.waitForStand(at: socket(name))
        return running
    }

    /// Opens a stand with a ledger, or resumes one.
    func open(
        _ name: String, _ arguments: String..., speed: Int = 300, listen: String = "off"
    ) throws -> Program.Running {
        let ledger = ["--ledger", path("\(name).jsonl")]
        let options = ["--set", "stand=\(name)", "--speed", "\(speed)", "--listen", listen]
        return try run(name, options + ledger + arguments)
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

    func endAll() {
        for running in started.withLock({ $0 }) where running.process.isRunning {
            running.process.terminate()
            // The outcome of the test is known.
            _ = try? running.wait()
        }
    }

    /// Pauses a stand; returns the number of its last event.
    func pause(_ name: String) throws -> Int {
        try eventually("\(name) to pause") { try ask("pause", "--socket", socket(name)).status == 0 }
        let status = try ask("status", "--format", "json", "--socket", socket(name)).output
        return try #require(status.firstMatch(of: #/"sequence":(\d+)/#).flatMap { Int($0.1) }, "\(status)")
    }

    /// Pauses the stands until the watch has printed all their events, and stops them. A closing stand does not wait
    /// for slow readers.
    func stop(_ names: [String], _ stands: [Program.Running], after watch: Program.Running) throws {
        for name in names {
            let last = try pause(name)
            try eventually("event \(last) of \(name)") {
                try lines(watch, of: name).contains { $0.hasPrefix("{\"seq\":\(last),") }
            }
        }
        for name in names { #expect(try ask("stop", "--socket", socket(name)).status == 0) }
        for stand in stands { #expect(try end(stand).status == 0) }
    }

    // MARK: - Lines

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

    /// Waits until more than `count` lines of a stand were printed.
    func wait(forMoreThan count: Int = 0, of name: String, in watch: Program.Running) throws {
        try eventually("lines of \(name)") { try lines(watch, of: name).count > count }
    }
}
