import JuiceStand
import Platform
import StandExperiments
import WiringComparison

/// `juicestand probe WIRING PROPERTY…`: what `compare` runs aside, since it may not survive. Not in the list of commands.
enum ProbeCommand: Command {
    static let name = ProbeProcess.command
    static let summary = "runs probes of one wiring, in this process; `compare` is what people use"
    static let operands = "WIRING PROPERTY…"
    static let options: [Option] = []
    static let examples: [Example] = []

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard let name = options.operands.first, let choice = WiringChoice(rawValue: name) else {
            throw CommandFailure(.usage, "probe needs the name of a wiring")
        }
        // A crash is to leave no file behind.
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        #else
            _ = unsafe setrlimit(RLIMIT_CORE, &limit)
        #endif
        let probe = Probe(choice)
        for name in options.operands.dropFirst() {
            guard let property = Property(rawValue: name) else {
                throw CommandFailure(.usage, "\"\(name)\" is no property")
            }
            alarm(ProbeProcess.alarm)
            output.print(ProbeProcess.Report.begun(property).line)
            output.print(ProbeProcess.Report.found(property, probe.find(property)).line)
        }
        return .done
    }
}
