import JuiceStand
import StandService
import TerminalView
import TextFormats

/// `juicestand status`: the state of a running stand.
enum StatusCommand: Command {
    static let name = "status"
    static let summary = "the state of a running stand"
    static let options = StandConversation.asking
    static let examples = [
        Example("juicestand status", "how is it going?"),
        Example("juicestand status --format json | jq .served", "one figure for a script"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let conversation = try StandConversation(options, output)
        return try conversation.show(try conversation.ask(.get, "status"), lines)
    }

    private static func lines(_ status: JSONValue) -> [String] {
        func count(_ key: String) -> String { Columns.grouped(status[key]?.whole ?? 0) }
        func lost(_ key: String) -> Int { status["lost"]?[key]?.whole ?? 0 }
        func factor(_ key: String) -> String { Columns.readable(status[key]?.seconds ?? 1) }
        let reasons = [
            ("line full", "queueFull"), ("sold out", "soldOut"), ("impatient", "ranOutOfPatience"),
            ("not on menu", "notOnMenu"),
        ]
        let lostInAll = Columns.grouped(reasons.map { lost($0.1) }.reduce(0, +))
        let busy = status["busyMakers"]?.whole ?? 0
        let makers = status["makers"]?.whole.map { "\(Columns.grouped(busy)) of \(Columns.counted($0, "maker"))" }
        let causes = status["causes"]?.elements.compactMap(\.text) ?? []
        return [
            "\(status["stand"]?.text ?? "") is \(status["phase"]?.text ?? ""), stand time "
                + "\(SpanText.clock(status["time"]?.seconds ?? 0)), speed \(factor("speed")), customers × \(factor("rate"))",
            "orders \(count("orders")): served \(count("served")), in the stand \(count("present")), lost \(lostInAll) ("
                + reasons.map { "\($0.0) \(Columns.grouped(lost($0.1)))" }.joined(separator: ", ") + ")",
            "in line \(count("queue")), \(makers ?? Columns.counted(busy, "maker")) at work, "
                + "alerts of low stock \(count("lowStockAlerts")), event \(count("sequence"))",
        ] + (causes.isEmpty ? [] : causes.map { "not ready: \($0)" })
    }
}

extension Options {
    /// - Throws: where a command that takes no operands was given one.
    func refuseOperands() throws(CommandFailure) {
        guard let operand = operands.first else { return }
        throw CommandFailure(.usage, "\"\(operand)\" is not expected here; see --help")
    }
}
