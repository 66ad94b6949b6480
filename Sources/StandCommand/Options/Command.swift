import TextFormats

/// One of the program's commands.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// The operands as the usage line shows them, such as `JUICE [CUPS]`.
    static var operands: String { get }
    /// Paragraphs of the help text between the usage line and the options.
    static var discussion: String { get }
    static var options: [any CommandOption] { get }
    /// Complete command lines that work.
    static var examples: [Example] { get }

    /// Runs the command.
    ///
    /// - Returns: the exit status of a completed run; not ``ExitStatus/done`` if an expectation failed.
    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus
}

extension Command {
    static var operands: String { "" }
    static var discussion: String { "" }
}

/// A command as data, from which its help, completions and the manual page are made.
struct CommandRow: Sendable {
    let name: String
    let summary: String
    var operands = ""
    var discussion = ""
    let options: [any CommandOption]
    let examples: [Example]
    let run: @Sendable (Options, Output) throws(CommandFailure) -> ExitStatus

    var help: String {
        var lines =
            Columns.flow("juicestand \(name)\(operands.isEmpty ? "" : " " + operands): \(summary)") + [""]
        if !discussion.isEmpty { lines += HelpText.lines(of: discussion) + [""] }
        lines.append("Options:")
        lines += HelpText.table((options + [Options.help]).map { ($0.usage, $0.help) })
        if !examples.isEmpty {
            lines += ["", "Examples:"]
            for example in examples { lines += ["  # \(example.purpose)", "  \(example.line)"] }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension CommandRow {
    init(_ command: any Command.Type) {
        self.init(
            name: command.name, summary: command.summary, operands: command.operands,
            discussion: command.discussion,
            options: command.options, examples: command.examples
        ) { options, output throws(CommandFailure) in
            try command.run(options, output)
        }
    }
}

extension CommandOption {
    fileprivate var usage: String { placeholder.map { "\(name) \($0)" } ?? name }
}

/// A complete command line with its purpose, as shown in the help text.
struct Example {
    let line: String
    let purpose: String

    init(_ line: String, _ purpose: String) {
        self.line = line
        self.purpose = purpose
    }
}
