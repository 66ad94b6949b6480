import JuiceStand
import StandService
import TextFormats

/// `juicestand stock`: what is on the shelves.
enum StockCommand: Command {
    static let name = "stock"
    static let summary = "what is on the shelves of a running stand"
    static let options = StandConversation.asking
    static let examples = [
        Example("juicestand stock", "what is there?"),
        Example("juicestand stock --format json | jq .editTag", "the tag for a change with --if-tag"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let conversation = try StandConversation(options, output)
        return try conversation.show(try conversation.ask(.get, "stock"), lines)
    }

    private static func lines(_ stock: JSONValue) -> [String] {
        let shelves = stock["stock"]?.elements ?? []
        let width = Columns.width(of: shelves.compactMap { $0["fruit"]?.text })
        return shelves.map { shelf in
            let level = shelf["level"]?.whole
            var line = "\(Columns.left(shelf["fruit"]?.text ?? "", width)) "
            line += Columns.right(level.map(Columns.grouped) ?? "unlimited", 9)
            if let level, let mark = shelf["lowStock"]?.whole, level <= mark { line += "  low" }
            if let onOrder = shelf["onOrder"]?.whole, onOrder > 0 { line += "  +\(Columns.grouped(onOrder)) on order" }
            return line
        } + ["edit tag \(stock["editTag"]?.whole ?? 0)"]
    }
}
