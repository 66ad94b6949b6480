/// `juicestand completions SHELL`: prints completions for a shell.
enum CompletionsCommand: Command {
    static let name = "completions"
    static let operands = "bash|zsh|fish"
    static let discussion = """
        A shell that reads the output completes commands, options, names and files. A package installs it as juicestand
        for bash, as _juicestand for zsh, and as juicestand.fish for fish.
        """
    static let options: [Option] = []
    static let examples = [
        Example("source <(juicestand completions bash)", "in ~/.bashrc; for zsh likewise, after compinit"),
        Example("juicestand completions fish | source", "in the configuration of fish"),
    ]

    private enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish
    }

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard options.operands.count == 1, let shell = Shell(rawValue: options.operands[0]) else {
            throw CommandFailure(.usage, "completions needs one of bash, zsh and fish, found \(options.found)")
        }
        switch shell {
        case .bash: output.print(Completions.bash)
        case .zsh: output.print(Completions.zsh)
        case .fish: output.print(Completions.fish)
        }
        return .done
    }
}
