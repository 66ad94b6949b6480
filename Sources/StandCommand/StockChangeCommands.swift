import JuiceStand
import StandService

/// `juicestand restock`: more fruit.
enum RestockCommand: Command {
    static let name = "restock"
    static let summary = "puts more fruit on the shelves of a running stand"
    static let operands = "FRUIT=N…"
    static let options = StockChange.options
    static let examples = [Example("juicestand restock banana=20 kiwi=10", "20 bananas and 10 kiwis more")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try StockChange.make(options, output, needs: "FRUIT=N, with N a whole number from 1") { $0 > 0 }
    }
}

/// `juicestand adjust`: differences of both signs.
enum AdjustCommand: Command {
    static let name = "adjust"
    static let summary = "changes the stock of a running stand by differences, all or none"
    static let operands = "FRUIT=±N…"
    static let options = StockChange.options
    static let examples = [
        Example("juicestand adjust banana=-2 kiwi=+3", "two bananas fewer, three kiwis more"),
        Example("juicestand adjust banana=-2 --if-tag 7", "unless somebody has changed the stock since tag 7"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try StockChange.make(options, output, needs: "FRUIT=±N, with N a whole number other than 0") { $0 != 0 }
    }
}

/// What both have in common.
private enum StockChange {
    static let options =
        [Option("--if-tag", "TAG", "only if the stock's edit tag is still this one; exit status 1 otherwise")]
        + StandConversation.changing

    static func make(
        _ options: Options, _ output: Output, needs: String, _ isFit: (Int) -> Bool
    ) throws(CommandFailure) -> ExitStatus {
        guard !options.operands.isEmpty else { throw CommandFailure(.usage, "this needs \(needs)") }
        var changes: [JSONValue.Member] = []
        for operand in options.operands {
            let parts = operand.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let pieces = Int(parts[1]), isFit(pieces) else {
                throw CommandFailure(.usage, "this needs \(needs), found \"\(operand)\"")
            }
            guard !changes.contains(where: { $0.key == parts[0] }) else {
                throw CommandFailure(.usage, "\(parts[0]) is named twice")
            }
            changes.append(.init(key: String(parts[0]), value: .integer(Int64(pieces))))
        }
        var conversation = try StandConversation(options, output)
        if let tag = try options.value("--if-tag") {
            guard UInt64(tag) != nil else {
                throw CommandFailure(.usage, "--if-tag must be a whole number, found \"\(tag)\"")
            }
            conversation = conversation.with("If-Match", "\"\(tag)\"")
        }
        let answer = try conversation.ask(.post, "stock/changes", ["changes": .object(changes)])
        return try conversation.show(answer) { json in
            changes.map { change in
                "\(change.key) \(json["stock"]?[change.key]?.whole.map(Columns.grouped) ?? "unlimited")"
            } + ["edit tag \(json["editTag"]?.whole ?? 0)"]
        }
    }
}
