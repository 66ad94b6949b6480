import Foundation
import Platform

/// Runs a program, reads its output line by line, and ends it if it is silent for too long.
package struct ChildProcess {
    package enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        /// It printed no line within the timeout and was ended.
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

    let path: String
    let arguments: [String]
    /// The longest wall time between two lines.
    let timeout: Duration

    package init(path: String, arguments: [String], timeout: Duration) {
        self.path = path
        self.arguments = arguments
        self.timeout = timeout
    }

    /// Runs the program to its end; standard output and standard error come as one.
    ///
    /// - Parameters:
    ///   - goOn: Asked several times a second.
    ///   - line: Called with each line.
    package func run(while goOn: () -> Bool, line: (String) -> Void) -> Ending {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        // A crash is evidence here and needs no backtrace, and memory that is used after it was freed must look wrong.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no", "MALLOC_PERTURB_": "165"]) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, output)
        do { try process.run() } catch { return .notStarted(reason: error.localizedDescription) }
        let early = follow(output.fileHandleForReading.fileDescriptor, while: goOn, line)
        if early != nil { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        let status = process.terminationStatus
        return early ?? (process.terminationReason == .exit ? .exited(status) : .killed(signal: status))
    }

    /// - Returns: why the program must be ended; nil if its output came to an end.
    private func follow(_ descriptor: Int32, while goOn: () -> Bool, _ line: (String) -> Void) -> Ending? {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var heard = ContinuousClock.now
        while true {
            guard goOn() else { return .interrupted }
            guard ContinuousClock.now - heard < timeout else { return .timedOut }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, 50) > 0 else { continue }
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 {
                if !pending.isEmpty { line(String(decoding: pending, as: UTF8.self)) }
                return nil
            }
            guard count > 0 else { continue }
            heard = .now
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                line(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
    }
}
