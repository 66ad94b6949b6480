import Terms
import TextFormats

/// One of the program's commands.
protocol Command: SendableMetatype {
    static var name: String { get }
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

    /// One line for the list of commands.
    static func summary(_ words: Words) -> String { words.text("command.\(name)") }

    static var help: String {
        let words = Words.user
        var lines =
            Columns.flow("juicestand \(name)\(operands.isEmpty ? "" : " " + operands): \(summary(words))") + [""]
        if !discussion.isEmpty { lines += HelpText.lines(of: discussion, words) + [""] }
        lines.append(words(.options))
        lines += HelpText.table((options + [.help]).map { ($0.usage, words($0.help)) })
        if !examples.isEmpty {
            lines += ["", words(.examples)]
            for example in examples { lines += ["  # \(words.translated(example.purpose))", "  \(example.line)"] }
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
