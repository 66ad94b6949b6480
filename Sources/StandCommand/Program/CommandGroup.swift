import TextFormats

/// The commands for one use of the program, as `juicestand help` lists them.
struct CommandGroup {
    let title: String
    private let rows: [Row]

    /// One command, or several that share a line with a text of its own.
    private struct Row {
        let commands: [CommandRow]
        let text: String

        init(_ command: any Command.Type) { self.init(command.summary, command) }

        init(_ text: String, _ commands: any Command.Type...) { self.init(text, commands.map { CommandRow($0) }) }

        init(_ text: String, _ commands: [CommandRow]) {
            self.text = text
            self.commands = commands
        }
    }

    var commands: [CommandRow] { rows.flatMap(\.commands) }

    /// A line for each row, all with the same columns.
    var lines: [String] {
        HelpText.table(rows.map { ($0.commands.map { $0.name }.joined(separator: ", "), $0.text) }, column: 26)
    }

    static let all = [
        CommandGroup(
            title: "Simulate a busy stand",
            rows: [
                Row(SimulateCommand.self), Row(PlanCommand.self), Row(FitCommand.self), Row(ForecastCommand.self),
                Row("compares two results; merges those of shards", DiffCommand.self, MergeCommand.self),
                Row("prints the menu, or the whole configuration", MenuCommand.self, CheckConfigCommand.self),
            ]),
        CommandGroup(title: "Compare wirings", rows: [Row(CompareCommand.self), Row(WiringCommand.self)]),
        CommandGroup(
            title: "Watch a live stand",
            rows: [
                Row(RunCommand.self), Row(WatchCommand.self),
                Row("prints the state, or the stock, of a running stand", StatusCommand.self, StockCommand.self),
                Row("orders juice; changes the stock", OrderCommand.self, RestockCommand.self, AdjustCommand.self),
                Row(
                    "stops the clock, or closes the stand",
                    [ControlCommands.pause, ControlCommands.resume, ControlCommands.stop]),
                Row("changes the arrival rate, or the configuration", [ControlCommands.rate, ControlCommands.reload]),
                Row("audits a ledger; repairs a state directory", VerifyCommand.self, RepairCommand.self),
            ]),
    ]

    /// Commands about the program itself.
    static let others = [
        CommandRow(CompletionsCommand.self), CommandRow(ManCommand.self), CommandRow(VersionCommand.self),
    ]
}
