import Foundation
import Platform

/// Runs a program to its end, and ends it if it takes too long.
package enum ChildProcess {
    package enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        /// The program took longer than the timeout and was killed.
        case timedOut
        /// The caller stopped it.
        case interrupted
        case notStarted(reason: String)
    }

    /// This program.
    package static var ownPath: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            CommandLine.arguments[0]
        #endif
    }

    /// - Parameters:
    ///   - timeout: The longest wall time.
    ///   - goOn: Called every 50 ms. If it returns false, the program is killed.
    /// - Returns: How it ended, and what it printed on standard output and standard error.
    package static func run(
        _ path: String, _ arguments: [String], timeout: Duration, while goOn: () -> Bool
    ) -> (ending: Ending, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        // A crash is evidence here and needs no backtrace, and memory that is used after it was freed must look wrong.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no", "MALLOC_PERTURB_": "165"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        do { try process.run() } catch { return (.notStarted(reason: error.localizedDescription), "") }
        let output = Guarded(Data())
        let isSilent = DispatchSemaphore(value: 0)
        DispatchQueue(label: "output").async { [file = pipe.fileHandleForReading] in
            let data = file.readDataToEndOfFile()
            output.withLock { $0 = data }
            isSilent.signal()
        }
        let begun = ContinuousClock.now
        var early: Ending?
        while isSilent.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            if !goOn() { early = .interrupted }
            if ContinuousClock.now - begun > timeout { early = early ?? .timedOut }
            if early != nil { kill(process.processIdentifier, SIGKILL) }
        }
        process.waitUntilExit()
        let status = process.terminationStatus
        let ending = early ?? (process.terminationReason == .exit ? .exited(status) : .killed(signal: status))
        return (ending, output.withLock { String(decoding: $0, as: UTF8.self) })
    }
}
