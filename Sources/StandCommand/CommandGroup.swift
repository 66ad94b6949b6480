import TextFormats

/// The commands for one use of the program, as `juicestand help` lists them.
struct CommandGroup {
    let title: String
    private let rows: [Row]

    /// One command, or several that share a line with a text of its own.
    private struct Row {
        let commands: [any Command.Type]
        let text: String

        init(_ command: any Command.Type) { (commands, text) = ([command], command.summary) }
        init(_ commands: [any Command.Type], _ text: String) { (self.commands, self.text) = (commands, text) }
    }

    var commands: [any Command.Type] { rows.flatMap(\.commands) }

    /// A line for each row, all with the same columns.
    var lines: [String] {
        HelpText.table(rows.map { ($0.commands.map { $0.name }.joined(separator: ", "), $0.text) }, column: 26)
    }

    static let all = [
        CommandGroup(
            title: "Simulate a busy stand",
            rows: [
                Row(SimulateCommand.self), Row(PlanCommand.self), Row(FitCommand.self), Row(ForecastCommand.self),
                Row([DiffCommand.self, MergeCommand.self], "compares two results; merges those of shards"),
                Row([MenuCommand.self, CheckConfigCommand.self], "prints the menu, or the whole configuration"),
            ]),
        CommandGroup(title: "Compare wirings", rows: [Row(CompareCommand.self), Row(WiringCommand.self)]),
        CommandGroup(
            title: "Watch a live stand",
            rows: [
                Row(RunCommand.self), Row(WatchCommand.self),
                Row([StatusCommand.self, StockCommand.self], "prints the state, or the stock, of a running stand"),
                Row([OrderCommand.self, RestockCommand.self, AdjustCommand.self], "orders juice; changes the stock"),
                Row([PauseCommand.self, ResumeCommand.self, StopCommand.self], "stops the clock, or closes the stand"),
                Row([RateCommand.self, ReloadCommand.self], "changes the arrival rate, or the configuration"),
                Row([VerifyCommand.self, RepairCommand.self], "audits a ledger; repairs a state directory"),
            ]),
    ]

    /// Commands about the program itself.
    static let others: [any Command.Type] = [CompletionsCommand.self, ManCommand.self, VersionCommand.self]
}
