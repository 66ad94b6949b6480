import Terms
import TextFormats

/// The commands for one use of the program, as `juicestand help` lists them.
struct CommandGroup {
    private let key: String
    private let rows: [Row]

    /// One command, or several that share a line with a text of its own.
    private struct Row {
        let commands: [any Command.Type]

        init(_ commands: any Command.Type...) { self.commands = commands }

        var text: String {
            commands.count == 1 ? commands[0].summary(.user) : Words.user.text("commands.\(commands[0].name)")
        }
    }

    var title: String { Words.user.text("group.\(key)") }
    var commands: [any Command.Type] { rows.flatMap(\.commands) }

    /// A line for each row, all with the same columns.
    var lines: [String] {
        HelpText.table(rows.map { ($0.commands.map { $0.name }.joined(separator: ", "), $0.text) }, column: 26)
    }

    static let all = [
        CommandGroup(
            key: "simulate",
            rows: [
                Row(SimulateCommand.self), Row(PlanCommand.self), Row(FitCommand.self), Row(ForecastCommand.self),
                Row(DiffCommand.self, MergeCommand.self),
                Row(MenuCommand.self, CheckConfigCommand.self),
            ]),
        CommandGroup(key: "compare", rows: [Row(CompareCommand.self), Row(WiringCommand.self)]),
        CommandGroup(
            key: "watch",
            rows: [
                Row(RunCommand.self), Row(WatchCommand.self),
                Row(StatusCommand.self, StockCommand.self),
                Row(OrderCommand.self, RestockCommand.self, AdjustCommand.self),
                Row(PauseCommand.self, ResumeCommand.self, StopCommand.self),
                Row(RateCommand.self, ReloadCommand.self),
                Row(VerifyCommand.self, RepairCommand.self),
            ]),
    ]

    /// Commands about the program itself.
    static let others: [any Command.Type] = [CompletionsCommand.self, ManCommand.self, VersionCommand.self]
}
