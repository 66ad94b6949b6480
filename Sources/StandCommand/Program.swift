import JuiceStand
import Platform
import StandService
import TextFormats

/// The program `juicestand`: finds the command, runs it, and exits with its status.
@main
enum Program {
    static let commands: [any Command.Type] = [
        RunCommand.self, WatchCommand.self, StatusCommand.self, StockCommand.self, OrderCommand.self,
        RestockCommand.self,
        AdjustCommand.self, RateCommand.self, PauseCommand.self, ResumeCommand.self, ReloadCommand.self,
        StopCommand.self, SimulateCommand.self, MergeCommand.self, FitCommand.self, ForecastCommand.self,
        PlanCommand.self,
        DiffCommand.self, CompareCommand.self, WiringCommand.self, MenuCommand.self,
        VerifyCommand.self,
        CheckConfigCommand.self, RepairCommand.self, CompletionsCommand.self, ManCommand.self, VersionCommand.self,
    ]

    static func main() {
        // A closed pipe must not kill the process: a ledger still has to be closed.
        SignalWatch.ignoreFailingWrites()
        keepStandardDescriptors()
        let output = Output()
        do {
            let status = try run(Array(CommandLine.arguments.dropFirst()), output)
            try output.check()
            exit(status.rawValue)
        } catch {
            for problem in error.problems { output.warn(problem) }
            exit(error.status.rawValue)
        }
    }

    /// Opens a read-only file for each standard descriptor that was closed.
    ///
    /// Else a file that the program opens later could become its standard output. Writes to these descriptors fail, and
    /// the failure is reported.
    private static func keepStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    private static func run(_ arguments: [String], _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard let first = arguments.first else {
            output.printDiagnostics(overview)
            return .usage
        }
        if ["help", "--help", "-h"].contains(first) {
            if arguments.count > 2 {
                throw CommandFailure(.usage, "help takes one command or topic, found \(arguments.count - 1)")
            }
            output.print(try arguments.dropFirst().first.map(help(about:)) ?? overview)
            return .done
        }
        let command = try command(named: first == "--version" ? VersionCommand.name : first)
        let rest = Array(arguments.dropFirst())
        // After `--` even `--help` is an operand.
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            output.print(command.help)
            return .done
        }
        return try command.run(try Options(rest, of: command.name, command.options), output)
    }

    private static func command(named name: String) throws(CommandFailure) -> any Command.Type {
        if name == ProbeCommand.name { return ProbeCommand.self }
        guard let command = commands.first(where: { $0.name == name }) else {
            if name.hasPrefix("-") { throw missingCommand(before: name) }
            throw unknown("command", name, among: commands.map { $0.name } + ["help"])
        }
        return command
    }

    /// The error for an option in the place of the command; suggests a command that has it.
    private static func missingCommand(before argument: String) -> CommandFailure {
        let name = String(argument.prefix { $0 != "=" })
        let own = ["--help", "--version"]
        let known = commands.flatMap { $0.options.map(\.name) }
        let option = known.contains(name) ? name : nearest(name, among: own + known)
        if let option, own.contains(option) {
            return CommandFailure(.usage, "unknown option \(name); did you mean \(option)?")
        }
        let owner = commands.first { $0.options.contains { $0.name == option } }
        let hint = owner.map { "; did you mean \"juicestand \($0.name) \(option ?? "")\"?" } ?? ""
        return CommandFailure(.usage, "missing command before \(name)\(hint) (juicestand help lists the commands)")
    }

    /// The help text of a command, or the guide of a topic.
    private static func help(about name: String) throws(CommandFailure) -> String {
        if let command = commands.first(where: { $0.name == name }) { return command.help }
        guard let topic = HelpTopic.all.first(where: { $0.name == name }) else {
            throw unknown("command or topic", name, among: commands.map { $0.name } + HelpTopic.all.map(\.name))
        }
        return topic.guide.lines.map { $0 + "\n" }.joined()
    }

    private static func unknown(_ kind: String, _ name: String, among names: [String]) -> CommandFailure {
        CommandFailure(.usage, "unknown \(kind) \"\(name)\"\(hint(name, among: names)) (juicestand help lists them)")
    }

    /// What holds for all commands.
    static let notes = """
        juicestand help COMMAND prints its options and examples; juicestand help TOPIC prints a guide. Results go to
        standard output, diagnostics to standard error. Exit status: 0 done, 1 an expectation or an audit failed,
        130 interrupted, 64 usage, 65 bad input, 66 input not found, 69 no stand reached, 73 cannot create output,
        74 input/output error, 75 state in use, 78 bad configuration.
        """

    private static var overview: String {
        let title = "juicestand: runs and simulates a juice stand under load"
        let list = HelpText.table(commands.map { ($0.name, $0.summary) })
        let topics = HelpText.table(HelpTopic.all.map { ($0.name, $0.title) })
        let rest = HelpText.lines(of: notes)
        return
            ([title, "", "Usage: juicestand COMMAND [OPTIONS]", "", "Commands:"] + list + ["", "Topics:"] + topics
            + [""] + rest).map { $0 + "\n" }.joined()
    }
}
