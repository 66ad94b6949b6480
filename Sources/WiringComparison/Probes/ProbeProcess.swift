import JuiceStand
import Platform

/// Runs the probes of one wiring in another process, whose crash is evidence.
///
/// The process names each probe before it begins it, so that the caller knows which one crashed. Another process then
/// runs the rest.
package struct ProbeProcess {
    /// The hidden command of the program that runs probes: `juicestand probe WIRING PROPERTY…`.
    package static let command = "probe"
    /// Seconds after which the system ends a probe without a caller.
    package static let alarm: UInt32 = 600

    let choice: WiringChoice
    /// The longest wall time of one probe. One that takes longer has no verdict: a busy machine may be the cause.
    let timeout: Duration

    /// The findings; fewer if `goOn` ended it.
    func run(_ properties: [Property], while goOn: () -> Bool, begun: (Property) -> Void) -> [Property: Finding] {
        var findings: [Property: Finding] = [:]
        var left = properties
        while !left.isEmpty, goOn() {
            var current: Property?
            var lastWords: String?
            let process = ChildProcess(
                path: ChildProcess.ownPath, arguments: [Self.command, choice.rawValue] + left.map(\.rawValue),
                timeout: timeout)
            let ending = process.run(while: goOn) { line in
                switch Report(line) {
                case .begun(let property):
                    current = property
                    lastWords = nil
                    begun(property)
                case .found(let property, let finding):
                    findings[property] = finding
                    current = nil
                case nil: if lastWords == nil || line.contains("atal error:") { lastWords = line }
                }
            }
            // Ctrl-C reaches both processes.
            if ending == .interrupted || ending == .killed(signal: SIGINT) || !goOn() { break }
            let missing = left.filter { findings[$0] == nil }
            guard let victim = current ?? missing.first else { break }
            findings[victim] = finding(of: ending, lastWords)
            left = missing.filter { $0 != victim }
        }
        return findings
    }

    private func finding(of ending: ChildProcess.Ending, _ lastWords: String?) -> Finding {
        let words = lastWords.map { ": \($0)" } ?? ""
        switch ending {
        // The mechanism itself can cause these. Any other signal came from outside.
        case .killed(let signal) where [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE].contains(signal):
            return Finding(false, "the process crashed with signal \(signal)\(words)")
        case .killed(let signal): return Finding(nil, "the process was ended by signal \(signal)")
        case .timedOut: return Finding(nil, "no verdict within \(timeout.components.seconds) s")
        case .exited(let status): return Finding(nil, "the probe's process ended with status \(status)\(words)")
        case .notStarted(let reason): return Finding(nil, "the probe's process could not be started: \(reason)")
        case .interrupted: return Finding(nil, "interrupted")
        }
    }

    /// One line of such a process.
    package enum Report {
        case begun(Property)
        case found(Property, Finding)

        /// nil for any other line, such as the last words of a program that crashes.
        init?(_ line: String) {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 2, let property = Property(rawValue: parts[1]) else { return nil }
            if parts[0] == "begun" {
                self = .begun(property)
            } else if parts[0] == "found", parts.count == 6 {
                var finding = Finding(Bool(parts[2]), parts[3], tried: Int(parts[4]))
                if !parts[5].isEmpty { finding.option = parts[5] }
                self = .found(property, finding)
            } else {
                return nil
            }
        }

        package var line: String {
            switch self {
            case .begun(let property): "begun\t\(property.rawValue)\n"
            case .found(let property, let finding):
                [
                    "found", property.rawValue, finding.holds.map { "\($0)" } ?? "null", finding.evidence,
                    finding.tried.map { "\($0)" } ?? "", finding.option ?? "",
                ].joined(separator: "\t") + "\n"
            }
        }
    }
}
