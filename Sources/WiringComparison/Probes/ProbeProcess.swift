import Foundation
import JuiceStand

/// Runs one probe of one wiring in a process of its own, whose crash is evidence.
package enum ProbeProcess {
    /// The hidden command of the program that runs a probe: `juicestand probe WIRING PROPERTY`. It prints the finding as
    /// ``Finding/line``.
    package static let command = "probe"
    /// Seconds until an alarm ends a probe whose caller is gone.
    package static let alarm: UInt32 = 600
    /// The longest wall time of a probe. One that takes longer has no verdict: a busy machine may be the cause.
    private static let timeout = Duration.seconds(60)

    /// - Returns: nil if `goOn` or Ctrl-C ended it.
    static func find(_ property: Property, _ choice: WiringChoice, while goOn: () -> Bool) -> Finding? {
        let (ending, output) = ChildProcess.run(
            ChildProcess.ownPath, [command, choice.rawValue, property.rawValue], timeout: timeout, while: goOn)
        let lines = output.split(separator: "\n").map(String.init)
        let words =
            (lines.first { $0.contains("atal error:") || $0.hasPrefix("Fatal ") } ?? lines.first).map { ": \($0)" }
            ?? ""
        switch ending {
        case .exited(0):
            return lines.last.flatMap { Finding(line: $0) } ?? Finding(nil, "the probe said nothing\(words)")
        // Ctrl-C reaches both processes.
        case .interrupted, .killed(SIGINT): return nil
        // The mechanism itself can cause these. Any other signal came from outside.
        case .killed(let signal) where [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE].contains(signal):
            return Finding(false, "the process crashed with signal \(signal)\(words)")
        case .killed(let signal): return Finding(nil, "the process was ended by signal \(signal)")
        case .timedOut: return Finding(nil, "no verdict within \(timeout.components.seconds) s")
        case .exited(let status): return Finding(nil, "the probe's process ended with status \(status)\(words)")
        case .notStarted(let reason): return Finding(nil, "the probe's process could not be started: \(reason)")
        }
    }
}

extension Finding {
    /// One line of JSON.
    package var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Reads ``line``; nil for anything else, such as the last words of a program that crashes.
    package init?(line: String) {
        do { self = try JSONDecoder().decode(Finding.self, from: Data(line.utf8)) } catch { return nil }
    }
}
