import Foundation
import Platform
import StandClient
import StandService
import TestSupport
import Testing

/// Runs the program that was built with these tests.
struct Program {
    /// The result of a run.
    struct Ending {
        var status: Int32
        var output: String
        var diagnostics: String
    }

    /// The executable, in the directory of the test bundle.
    static let executable: URL = {
        let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for folder in [bundle, bundle.deletingLastPathComponent(), root.appending(path: ".build/debug")] {
            let candidate = folder.appending(path: "juicestand")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        return root.appending(path: ".build/debug/juicestand")
    }()

    /// The root of the package, with `config`.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The content of a file of the package.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Runs the program and waits for its end.
    static func run(_ arguments: String..., in folder: URL = root) throws -> Ending {
        try start(arguments, in: folder).wait()
    }

    /// A running program. Its output goes to files, so that no pipe can fill up.
    struct Running {
        let process: Process
        let output: URL
        let diagnostics: URL

        func wait(within limit: DispatchTimeInterval = .seconds(600)) throws -> Ending {
            process.waitForExit(within: limit)
            defer {
                try? FileManager.default.removeItem(at: output)
                try? FileManager.default.removeItem(at: diagnostics)
            }
            return Ending(
                status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
                diagnostics: try String(contentsOf: diagnostics, encoding: .utf8))
        }

        /// Resident kilobytes.
        func memory() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            return try #require(status.firstMatch(of: #/VmRSS:\s+(\d+)/#).flatMap { Int($0.1) })
        }

        /// Waits until standard output, or its other file, contains `text`, or the program has ended.
        func waitForOutput(_ text: String, in file: URL? = nil) throws {
            try eventually("\"\(text)\" in the output") {
                try !process.isRunning || String(contentsOf: file ?? output, encoding: .utf8).contains(text)
            }
        }

        /// Waits until the program handles a signal itself, which would else end it. Linux only.
        func waitForHandler(of signal: Int32) async throws {
            let status = URL(filePath: "/proc/\(process.processIdentifier)/status")
            try await eventually("a handler of signal \(signal)") {
                let lines = try? String(contentsOf: status, encoding: .utf8).split(separator: "\n")
                let caught = lines?.first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
                return caught.flatMap { UInt64($0, radix: 16) }.map { $0 >> (UInt64(signal) - 1) & 1 == 1 } ?? false
            }
        }

        /// Waits until the stand at `socket` answers, or the program has ended.
        func waitForStand(at socket: String) throws {
            let client = StandClient(path: socket)
            try eventually("a stand at \(socket)") {
                !process.isRunning || (try? client.send(.get, "/api/v1/status").isSuccess) == true
            }
        }
    }

    /// Starts a line of shell, of which `$0` is the program and `$1` the first argument.
    static func shell(_ line: String, _ arguments: [String] = [], in folder: URL = root) throws -> Running {
        try start(["-c", line, executable.path] + arguments, by: URL(filePath: "/bin/sh"), in: folder)
    }

    /// - Parameters:
    ///   - executable: Another program.
    ///   - output: The standard output, instead of a file.
    ///   - variables: Variables of the environment, beside those of the tests.
    static func start(
        _ arguments: [String], by executable: URL = executable, in folder: URL = root, output: FileHandle? = nil,
        variables: [String: String] = [:], input: URL? = nil
    ) throws -> Running {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let files = (1...2).map { _ in FileManager.default.temporaryDirectory.appending(path: UUID().uuidString) }
        for file in files { try Data().write(to: file) }
        // The tests read English, wherever they run.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["JUICESTAND_LANGUAGE": "en"]) { $1 }.merging(variables) { $1 }
        process.standardOutput = try output ?? FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
        try process.run()
        return Running(process: process, output: files[0], diagnostics: files[1])
    }

    /// Calls `body` with a directory that is removed afterwards.
    static func withTemporaryFolder<Result>(
        in parent: String = FileManager.default.temporaryDirectory.path, _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let folder = URL(filePath: try TemporaryFolder.make(in: parent))
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
