import JuiceStand

/// `juicestand check-config FILE`: validates a configuration and prints it with all defaults.
enum CheckConfigCommand: Command {
    static let name = "check-config"
    static let summary = "validates a configuration and prints it with all defaults filled in"
    static let operands = "[FILE]"
    static let discussion = """
        All errors are reported at once, one on each line, with line, column and key path. The exit status is
        then 78. Without FILE it reads the configuration that `run` would read, and `-` is standard input.
        --config FILE is the same as FILE. --format schema prints the JSON Schema of all configurations instead, which
        editors use to complete and check keys, and reads no file.
        """
    static let options = StandOptions.configuration + [Format.option]
    static let examples = [
        Example("juicestand check-config config/rush-hour.json", "check a file and see all its values"),
        Example("juicestand check-config --set makers=3 | jq .makers", "see what an option changes"),
        Example("juicestand check-config - < config/stand.json", "check what an editor has not saved yet"),
    ]

    private enum Format: String, CaseIterable {
        case text
        case json
        case schema

        static let option = Option(
            "--format", "text|json|schema", .choice(Format.self), default: "text",
            "output format; text and json print the same")
    }

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let format = options[Format.option]
        let files = options.operands + [options[StandOptions.config]].compactMap { $0 }
        guard files.count <= 1 else {
            throw CommandFailure(.usage, "check-config needs one FILE, found \(files.count)")
        }
        if format == .schema {
            guard files.isEmpty, !options.has(StandOptions.set) else {
                throw CommandFailure(
                    .usage, "--format schema takes no file and no --set: one schema describes all configurations")
            }
            output.print(ConfigurationSchema.document.pretty() + "\n")
            return .done
        }
        let settings = try StandOptions.readSettings(options, output, file: files.first)
        output.print(settings.resolved().pretty() + "\n")
        return .done
    }
}
