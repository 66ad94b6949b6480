import JuiceStand
import NotificationBus
import Platform

/// Probes run by a process of their own, whose death is evidence.
///
/// The process says which probe it begins before it begins, so that whoever reads knows which one it died of; the others
/// are then run by another.
package struct ProbeProcess {
    /// The hidden command of the program that runs probes: `juicestand probe WIRING PROPERTY…`.
    package static let command = "probe"
    /// How long one probe may wait, and how much processor time it may use.
    private static let patience = Duration.seconds(20)
    /// Seconds after which the system ends a probe, should nobody be there any more to do so.
    package static let alarm: UInt32 = 600

    let choice: WiringChoice

    /// What the probes found, in the order of `properties`; fewer where `goOn` said no.
    func run(_ properties: [Property], while goOn: () -> Bool, begun: (Property) -> Void) -> [Property: Finding] {
        var findings: [Property: Finding] = [:]
        var left = properties
        while !left.isEmpty, goOn() {
            var current: Property?
            var lastWords: String?
            let process = ChildProcess(
                path: ChildProcess.ownPath, arguments: [Self.command, choice.rawValue] + left.map(\.rawValue),
                patience: Self.patience)
            let ending = process.run(while: goOn) { line in
                switch Report(line) {
                case .begun(let property):
                    current = property
                    lastWords = nil
                    begun(property)
                case .found(let property, let finding):
                    findings[property] = finding
                    current = nil
                case nil:
                    if lastWords == nil || line.contains("atal error:") { lastWords = line }
                }
            }
            // Ctrl-C reaches this process and that one alike.
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
        // Its own clock, which is no evidence: it had moved all the while, on a machine that gave it little time.
        case .killed(signal: SIGALRM):
            return Finding(holds: nil, evidence: "it had not ended after \(Self.alarm / 60) minutes")
        case .killed(let signal):
            return Finding(holds: false, evidence: "the process died of signal \(signal)\(words)")
        case .hung:
            return Finding(
                holds: false, evidence: "it did not end: \(Self.patience.components.seconds) s of waiting or of work")
        case .exited(let status):
            return Finding(holds: nil, evidence: "the probe's process ended with status \(status)\(words)")
        case .notStarted(let reason):
            return Finding(holds: nil, evidence: "the probe's process could not be started: \(reason)")
        case .interrupted:
            return Finding(holds: nil, evidence: "interrupted")
        }
    }

    /// One line of such a process.
    package enum Report {
        case begun(Property)
        case found(Property, Finding)

        /// nil for a line that is none, as a dying program writes them.
        init?(_ line: String) {
            let parts = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 2, let property = Property(rawValue: parts[1]) else { return nil }
            if parts[0] == "begun" {
                self = .begun(property)
            } else if parts[0] == "found", parts.count == 4 {
                self = .found(property, Finding(holds: Bool(parts[2]), evidence: parts[3]))
            } else {
                return nil
            }
        }

        package var line: String {
            switch self {
            case .begun(let property): "begun\t\(property.rawValue)\n"
            case .found(let property, let finding):
                "found\t\(property.rawValue)\t\(finding.holds.map { "\($0)" } ?? "null")\t\(finding.evidence)\n"
            }
        }
    }
}
