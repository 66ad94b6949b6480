import JuiceStand
import Platform
import StandService
import TextFormats

/// The program `juicestand`: finds the command, lets it work, and ends with its status.
@main
enum Program {
    private static let commands: [any Command.Type] = [
        RunCommand.self, WatchCommand.self, StatusCommand.self, StockCommand.self, OrderCommand.self,
        RestockCommand.self,
        AdjustCommand.self, RateCommand.self, PauseCommand.self, ResumeCommand.self, ReloadCommand.self,
        StopCommand.self, SimulateCommand.self, MergeCommand.self, CompareCommand.self, MenuCommand.self,
        VerifyCommand.self,
        CheckConfigCommand.self, RepairCommand.self, VersionCommand.self,
    ]

    static func main() {
        // A reader that goes away early is not the end of the process: a ledger is still to be closed.
        SignalWatch.ignoreFailingWrites()
        keepStandardDescriptors()
        let output = Output()
        do {
            let status = try run(Array(CommandLine.arguments.dropFirst()), output)
            try output.check()
            exit(status.rawValue)
        } catch {
            for message in error.messages {
                if error.isLocated { output.point(message) } else { output.warn(message) }
            }
            exit(error.status.rawValue)
        }
    }

    /// Takes the places of standard descriptors that were closed, so that no file the program opens becomes its standard output; writing to
    /// such a place fails, and is reported.
    private static func keepStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    private static func run(_ arguments: [String], _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard let first = arguments.first else {
            output.explain(overview)
            return .usage
        }
        if ["help", "--help", "-h"].contains(first) {
            if arguments.count > 2 {
                throw CommandFailure(.usage, "help is about one command, found \(arguments.count - 1)")
            }
            output.print(try arguments.dropFirst().first.map(command(named:))?.help ?? overview)
            return .done
        }
        let command = try command(named: first == "--version" ? VersionCommand.name : first)
        let rest = Array(arguments.dropFirst())
        // Options behind `--` are operands, and so is a `--help` there.
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            output.print(command.help)
            return .done
        }
        return try command.run(try Options(rest, command.options), output)
    }

    private static func command(named name: String) throws(CommandFailure) -> any Command.Type {
        if name == ProbeCommand.name { return ProbeCommand.self }
        guard let command = commands.first(where: { $0.name == name }) else {
            let names = commands.map { $0.name } + ["help"]
            let hint = nearest(name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw CommandFailure(.usage, "\"\(name)\" is no command\(hint) (see juicestand help)")
        }
        return command
    }

    private static var overview: String {
        let title = "juicestand: a juice stand under load, wired through a typed notification center"
        let list = HelpText.table(commands.map { ($0.name, $0.summary) })
        let rest = HelpText.lines(
            of: """
                juicestand help COMMAND tells more, with examples. Results go to standard output, diagnostics to
                standard error. Exit status: 0 done, 1 an expectation or an audit failed, 130 interrupted, 64 usage,
                65 bad input, 66 input not found, 69 no stand can be reached, 73 can't create, 74 input/output error,
                75 state in use, 78 bad configuration.
                """)
        return ([title, "", "Usage: juicestand COMMAND [OPTIONS]", ""] + list + [""] + rest).map { $0 + "\n" }.joined()
    }
}
