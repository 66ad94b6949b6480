/// `juicestand version`, also `juicestand --version`.
enum VersionCommand: Command {
    static let name = "version"
    static let summary = "prints the version"
    static let options: [any CommandOption] = []
    static let examples = [Example("juicestand version", "for a bug report")]

    /// Raised with each release.
    static let version = "1.0"
    /// The date of the release, for the manual page.
    static let released = "2026-11-22"

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        output.print("juicestand \(version)\n")
        return .done
    }
}
