import JuiceStand
import Platform
import StandExperiments
import WiringComparison

/// `juicestand probe WIRING PROPERTY`: runs a probe, which may crash, in a process of its own. `compare` starts it;
/// `help` does not list it.
enum ProbeCommand {
    static let command = Command(ProbeProcess.command, run: run)

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
        guard options.operands.count == 2, let property = Property(rawValue: options.operands[1]) else {
            throw CommandFailure(.usage, "probe needs one PROPERTY after the wiring")
        }
        alarm(ProbeProcess.alarm)
        output.print(Probe(choice).find(property).line + "\n")
        return .done
    }
}
