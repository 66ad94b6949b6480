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
    static var options: [Option] { get }
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

    static var help: String {
        var lines = Columns.flow("juicestand \(name)\(operands.isEmpty ? "" : " " + operands): \(summary)") + [""]
        if !discussion.isEmpty { lines += HelpText.lines(of: discussion) + [""] }
        lines.append("Options:")
        lines += HelpText.table((options + [.help]).map { ($0.usage, $0.help) })
        if !examples.isEmpty {
            lines += ["", "Examples:"]
            for example in examples { lines += ["  # \(example.purpose)", "  \(example.line)"] }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Option {
    fileprivate var usage: String { value.map { "\(name) \($0)" } ?? name }
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
