import JuiceStand
import StandService
import StandState
import TextFormats

/// `juicestand restock`: more fruit.
enum RestockCommand: Command {
    static let name = "restock"
    static let summary = "puts more fruit on the shelves of a running stand"
    static let operands = "FRUIT=N…"
    static let options = StockChange.options
    static let examples = [Example("juicestand restock banana=20 kiwi=10", "20 bananas and 10 kiwis more")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try StockChange.make(options, output, 1...StandChange.mostPieces)
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
        try StockChange.make(options, output, -StandChange.mostPieces...StandChange.mostPieces)
    }
}

/// What both have in common.
private enum StockChange {
    static let options =
        [Option("--if-tag", "TAG", "only if the stock's edit tag is still this one; exit status 1 otherwise")]
        + StandConversation.changing

    /// - Parameter range: Of the pieces; 0 changes nothing and is none of them.
    static func make(
        _ options: Options, _ output: Output, _ range: ClosedRange<Int>
    ) throws(CommandFailure) -> ExitStatus {
        let changes = try read(options, range)
        var conversation = try StandConversation(options, output)
        if let tag = try options.whole("--if-tag", 0...Int.max) {
            conversation = conversation.with("If-Match", "\"\(tag)\"")
        }
        let answer = try conversation.ask(.post, "stock/changes", ["changes": .object(changes)])
        let names = try names(changes.map(\.key), answer.json?["stock"], conversation)
        return try conversation.show(answer) { json in
            names.map { "\($0) \(json["stock"]?[$0]?.whole.map(Columns.grouped) ?? "unlimited")" }
                + ["edit tag \(json["editTag"]?.whole ?? 0)"]
        }
    }

    /// What the stand calls these fruits, which may have been called by their names in another language.
    private static func names(
        _ given: [String], _ levels: JSONValue?, _ conversation: StandConversation
    ) throws(CommandFailure) -> [String] {
        guard let levels, given.contains(where: { levels[$0] == nil }) else { return given }
        let shelves = try conversation.ask(.get, "stock").json?["stock"]?.elements ?? []
        return given.map { name in
            let shelf = shelves.first { shelf in
                guard case .object(let names)? = shelf["names"] else { return false }
                return names.contains { $0.value.text == name }
            }
            return levels[name] == nil ? shelf?["fruit"]?.text ?? name : name
        }
    }

    private static func read(
        _ options: Options, _ range: ClosedRange<Int>
    ) throws(CommandFailure) -> [JSONValue.Member] {
        let least = range.lowerBound < 0 ? "other than 0 from \(Columns.grouped(range.lowerBound))" : "from 1"
        let needs = "FRUIT=N, with N a whole number \(least) to \(Columns.grouped(range.upperBound))"
        guard !options.operands.isEmpty else { throw CommandFailure(.usage, "this needs \(needs), found none") }
        var changes: [JSONValue.Member] = []
        for operand in options.operands {
            let parts = operand.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, let pieces = Int(parts[1]), pieces != 0, range.contains(pieces)
            else { throw CommandFailure(.usage, "this needs \(needs), found \"\(operand)\"") }
            guard !changes.contains(where: { $0.key == parts[0] }) else {
                throw CommandFailure(.usage, "\"\(parts[0])\" is named twice")
            }
            changes.append(.init(key: parts[0], value: .integer(Int64(pieces))))
        }
        return changes
    }
}
