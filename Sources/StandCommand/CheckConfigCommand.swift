import JuiceStand

/// `juicestand check-config FILE`: what a configuration says, every default filled in.
enum CheckConfigCommand: Command {
    static let name = "check-config"
    static let summary = "validates a configuration and prints it resolved, defaults filled in"
    static let operands = "[FILE]"
    static let discussion = """
        All errors of the file are reported at once, one a line, with line, column and key path; the exit status
        is then 78. Without FILE it reads what `run` would; --config FILE is the same as FILE.
        """
    static let options = StandOptions.configuration + [Format.option]
    static let examples = [
        Example("juicestand check-config config/rush-hour.json", "is it right, and what does it come to?"),
        Example("juicestand check-config --set makers=3 | jq .makers", "what does an option change?"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        // A configuration is JSON for people and for programs.
        let _: Format = try options.choice("--format", default: .text)
        let files = options.operands + options.all("--config")
        guard files.count <= 1 else {
            throw CommandFailure(.usage, "one FILE is checked at a time, found \(files.count)")
        }
        let settings = try StandOptions.readSettings(options, output, file: files.first)
        output.print(settings.resolved().pretty() + "\n")
        return .done
    }
}
