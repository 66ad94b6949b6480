/// One of the program's commands.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What stands behind the name on a command line.
    static var operands: String { get }
    /// What one needs to know beyond the options.
    static var discussion: String { get }
    static var options: [Option] { get }
    /// Command lines that work, each with what it is for.
    static var examples: [Example] { get }

    /// Does the job.
    ///
    /// - Returns: the exit status where the job was done, which may still say that an expectation failed.
    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus
}

extension Command {
    static var operands: String { "" }
    static var discussion: String { "" }

    static var help: String {
        var lines = HelpText.lines(of: "juicestand \(name)\(operands.isEmpty ? "" : " " + operands): \(summary)") + [""]
        if !discussion.isEmpty { lines += HelpText.lines(of: discussion) + [""] }
        lines.append("Options:")
        lines += HelpText.table((options + [Option("--help", nil, "this text")]).map { ($0.usage, $0.help) })
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

/// A command line that works, and what it is for.
struct Example {
    let line: String
    let purpose: String

    init(_ line: String, _ purpose: String) {
        self.line = line
        self.purpose = purpose
    }
}
