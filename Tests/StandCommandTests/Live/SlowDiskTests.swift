import Foundation
import Platform
import TestSupport
import Testing

/// The program on a disk that takes a second for each write of the journal, which strace imitates.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct SlowDiskTests {
    private static let strace = URL(filePath: "/usr/bin/strace")

    /// Whether it is there and may trace programs.
    private static let canTrace: Bool = {
        do {
            let process = try Process.run(strace, arguments: ["-o", "/dev/null", "/bin/true"])
            process.waitUntilExit()
            return process.terminationStatus == 0
        } catch {
            return false
        }
    }()

    @Test(.enabled(if: canTrace, "strace is not installed, or may not trace"))
    func `nothing is journalled after the record of the end`() async throws {
        try await Program.withTemporaryFolder { folder in
            let trace = folder.appending(path: "trace")
            let journal = folder.resolvingSymlinksInPath().appending(path: "state/journal-000000000001").path
            let process = Process()
            process.executableURL = Self.strace
            process.arguments =
                [
                    "-f", "-qq", "-o", trace.path, "-P", journal, "-e", "trace=write,fdatasync",
                    "-e", "inject=write:delay_enter=1000000", Program.executable.path, "run", "--display", "none",
                    "--listen", "off", "--state", "state", "--socket", "socket",
                ]
            process.currentDirectoryURL = folder
            process.standardError = FileHandle.nullDevice
            try Data().write(to: trace)
            try process.run()
            // Calls of the journal so far, and the signal.
            func lines() throws -> [Substring] {
                try String(contentsOf: trace, encoding: .utf8).split(separator: "\n").filter {
                    $0.contains("write(") || $0.contains("fdatasync(") || $0.contains("--- SIGTERM")
                }
            }
            try eventually("the first line and two marks of time") {
                try !process.isRunning || lines().count { $0.contains("write(") } > 2
            }
            let children = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
            let child = String(decoding: try readFile(children), as: UTF8.self).split(separator: " ").first
            kill(try #require(child.flatMap { Int32($0) }), SIGTERM)
            try eventually("the end of the program") { !process.isRunning }
            #expect(process.terminationStatus == 0)
            let calls = try lines().drop { !$0.contains("--- SIGTERM") }
            // The last record is on the disk before the end.
            #expect(calls.last?.contains("fdatasync(") == true, "\(calls.joined(separator: "\n"))")
            #expect(calls.count { $0.contains("fdatasync(") } == 1)
        }
    }
}
