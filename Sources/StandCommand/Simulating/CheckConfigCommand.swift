import JuiceStand

/// `juicestand check-config FILE`: validates a configuration and prints it with all defaults.
enum CheckConfigCommand {
    static let command = Command("check-config", StandOptions.configuration + [Format.option], run: run)

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
