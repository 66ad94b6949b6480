import TextFormats

/// The commands for one use of the program, as `juicestand help` lists them.
struct CommandGroup {
    let title: String
    /// One command, or several that share a line with a text of its own.
    private let rows: [(text: String?, commands: [Command])]

    var commands: [Command] { rows.flatMap(\.commands) }

    /// A line for each row, all with the same columns.
    var lines: [String] {
        let table = rows.map { text, commands in
            (commands.map(\.name).joined(separator: ", "), text ?? commands[0].page.summary)
        }
        return HelpText.table(table, column: 26)
    }

    static let all = [
        CommandGroup(
            title: "Simulate a busy stand",
            rows: [
                (nil, [SimulateCommand.command]), (nil, [PlanCommand.command]), (nil, [FitCommand.command]),
                (nil, [ForecastCommand.command]),
                ("compares two results; merges those of shards", [DiffCommand.command, MergeCommand.command]),
                ("prints the menu, or the whole configuration", [MenuCommand.command, CheckConfigCommand.command]),
            ]),
        CommandGroup(
            title: "Compare wirings", rows: [(nil, [CompareCommand.command]), (nil, [WiringCommand.command])]),
        CommandGroup(
            title: "Watch a live stand",
            rows: [
                (nil, [RunCommand.command]), (nil, [WatchCommand.command]),
                ("prints the state, or the stock, of a running stand", [StatusCommand.command, StockCommand.command]),
                (
                    "orders juice; changes the stock",
                    [OrderCommand.command, StockChangeCommands.restock, StockChangeCommands.adjust]
                ),
                (
                    "stops the clock, or closes the stand",
                    [ControlCommands.pause, ControlCommands.resume, ControlCommands.stop]
                ),
                ("changes the arrival rate, or the configuration", [ControlCommands.rate, ControlCommands.reload]),
                ("audits a ledger; repairs a state directory", [VerifyCommand.command, RepairCommand.command]),
            ]),
    ]

    /// Commands about the program itself.
    static let others = [Completions.command, ManualPage.command, Program.versionCommand]
}
