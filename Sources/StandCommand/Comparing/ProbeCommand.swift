import JuiceStand
import Platform
import StandExperiments
import WiringComparison

/// `juicestand probe WIRING PROPERTY…`: runs probes that may crash in a process of their own. `compare` starts it;
/// `help` does not list it.
enum ProbeCommand: Command {
    static let name = ProbeProcess.command
    static let summary = "runs probes of one wiring in this process; used by compare"
    static let operands = "WIRING PROPERTY…"
    static let options: [any CommandOption] = []
    static let examples: [Example] = []

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard let name = options.operands.first, let choice = WiringChoice(rawValue: name) else {
            throw CommandFailure(
                .usage, "probe needs a WIRING, found \(options.operands.first.map { "\"\($0)\"" } ?? "none")")
        }
        // A crash must not leave a core file.
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        #else
            _ = unsafe setrlimit(RLIMIT_CORE, &limit)
        #endif
        let probe = Probe(choice)
        for name in options.operands.dropFirst() {
            guard let property = Property(rawValue: name) else {
                throw CommandFailure(.usage, "unknown property \"\(name)\"")
            }
            alarm(ProbeProcess.alarm)
            output.print(ProbeProcess.Report.begun(property).line)
            output.print(ProbeProcess.Report.found(property, probe.find(property)).line)
        }
        return .done
    }
}
