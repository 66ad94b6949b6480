import TextFormats

/// One of the program's commands. Help, completions and the manual page are made of it and of its page.
struct Command: Sendable {
    let name: String
    let options: [any CommandOption]
    /// Returns the exit status of a completed run; not ``ExitStatus/done`` if an expectation failed.
    let run: @Sendable (Options, Output) throws(CommandFailure) -> ExitStatus

    init(
        _ name: String, _ options: [any CommandOption] = [],
        run: @escaping @Sendable (Options, Output) throws(CommandFailure) -> ExitStatus
    ) {
        self.name = name
        self.options = options
        self.run = run
    }

    var page: HelpPage { HelpPage(name) }

    var help: String {
        let page = page
        var lines = Columns.flow("juicestand \(page.usage): \(page.summary)") + [""]
        if !page.discussion.isEmpty { lines += HelpText.lines(of: page.discussion) + [""] }
        lines.append("Options:")
        lines += HelpText.table((options + [Options.help]).map { ($0.usage, $0.help) })
        if !page.examples.isEmpty { lines += ["", "Examples:"] }
        for example in page.examples { lines += ["  # \(example.purpose)", "  \(example.line)"] }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension CommandOption {
    fileprivate var usage: String { placeholder.map { "\(name) \($0)" } ?? name }
}
