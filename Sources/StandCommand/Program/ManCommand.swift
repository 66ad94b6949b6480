/// `juicestand man`: prints the manual page.
enum ManCommand: Command {
    static let name = "man"
    static let summary = "prints the manual page"
    static let discussion = """
        One page in the format of man describes all commands and options. A package installs it as juicestand.1.
        """
    static let options: [any CommandOption] = []
    static let examples = [
        Example("juicestand man > juicestand.1", "for a package"),
        Example("juicestand man | man -l -", "read it without installing it"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        output.print(ManualPage.text)
        return .done
    }
}
