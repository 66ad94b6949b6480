import JuiceStand
import Platform
import TerminalView
import Terms
import TextFormats

/// The program `juicestand`: finds the command, runs it, and exits with its status.
@main
enum Program {
    static let commands = CommandGroup.all.flatMap(\.commands) + CommandGroup.others

    /// Raised with each release.
    static let version = "1.0"
    /// The date of the release, for the manual page.
    static let released = "2026-11-22"
    static let versionCommand = Command("version") { _, output throws(CommandFailure) in
        output.print("juicestand \(version)\n")
        return .done
    }

    static func main() {
        // A closed pipe must not kill the process: a ledger still has to be closed.
        SignalHandler.ignoreFailingWrites()
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
                throw CommandFailure(.usage, "help takes one command, topic or word, found \(arguments.count - 1)")
            }
            output.page(try arguments.dropFirst().first.map(help(about:)) ?? overview)
            return .done
        }
        let rest = Array(arguments.dropFirst())
        // Before anything reads options: the words may be half of a command line.
        if first == Completions.hiddenCommand { return Completions.complete(rest, output) }
        let command = try command(named: first == "--version" ? versionCommand.name : first)
        // After `--` even `--help` is an operand.
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            output.page(command.help)
            return .done
        }
        return try command.run(try Options(rest, of: command, among: commands), output)
    }

    private static func command(named name: String) throws(CommandFailure) -> Command {
        guard let command = (commands + [ProbeCommand.command]).first(where: { $0.name == name }) else {
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

    /// The help text of a command, the guide of a topic, or where a word occurs in them.
    private static func help(about name: String) throws(CommandFailure) -> String {
        if let command = commands.first(where: { $0.name == name }) { return command.help }
        if let topic = HelpTopic.named(name) {
            return topic.guide.lines.map { $0 + "\n" }.joined()
        }
        let texts =
            commands.map { ($0.name, $0.help.split(separator: "\n").map(String.init)) }
            + HelpTopic.all.map { ($0.name, $0.guide.lines) }
        let words = wordsOf(name)
        var found: [(name: String, text: String)] = []
        // Texts with more of the words come first.
        for count in stride(from: words.count, to: 0, by: -1) {
            for (name, lines) in texts where !found.contains(where: { $0.name == name }) {
                let line = lines.first { words.intersection(wordsOf($0)).count == count }
                if let line { found.append((name, line.trimmed)) }
            }
        }
        guard !found.isEmpty else {
            throw unknown("command, topic or word", name, among: commands.map { $0.name } + HelpTopic.all.map(\.name))
        }
        return (["\"\(name)\" occurs in the help of:"] + HelpText.table(found)).map { $0 + "\n" }.joined()
    }

    private static func wordsOf(_ text: String) -> Set<Substring> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" })
    }

    private static func unknown(_ kind: String, _ name: String, among names: [String]) -> CommandFailure {
        CommandFailure(.usage, "unknown \(kind) \"\(name)\"\(hint(name, among: names)) (juicestand help lists them)")
    }

    /// Notes on all commands, for the manual page.
    static let notes = """
        juicestand help COMMAND prints its options and examples; juicestand help TOPIC prints a guide. Results go to
        standard output, diagnostics to standard error. Exit status: 0 done, 1 an expectation or an audit failed,
        130 interrupted, 64 usage, 65 bad input, 66 input not found, 69 no stand reached, 73 cannot create output,
        74 input/output error, 75 state in use, 78 bad configuration.
        """

    /// Fits a terminal of 80 columns and 24 rows.
    private static var overview: String {
        let usage = "juicestand COMMAND [OPTIONS]  (more: juicestand help COMMAND, TOPIC or WORD)"
        let groups = CommandGroup.all.flatMap { ["\($0.title):"] + $0.lines }
        let others = CommandGroup.others.map { $0.name }.joined(separator: " ")
        let topics = Columns.flow(HelpTopic.all.map(\.name).joined(separator: " "), first: "Topics: ", rest: "  ")
        return ([usage] + groups + ["Other commands: \(others)"] + topics).map { $0 + "\n" }.joined()
    }
}

extension Words {
    /// In the user's language, as far as the terminal can show it.
    static let user = LiveTerminal.words
}
