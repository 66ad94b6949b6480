import JuiceStand
import StandService
import TextFormats

/// `juicestand stock`: the stock of a running stand.
enum StockCommand: Command {
    static let name = "stock"
    static let summary = "prints the stock of a running stand"
    static let options = StandSession.readOptions
    static let examples = [
        Example("juicestand stock", "levels and fruit on order"),
        Example("juicestand stock --format json | jq .editTag", "the edit tag for --if-tag"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try options.refuseOperands()
        let session = try StandSession(options, output)
        return try session.print(try session.request(.get, "stock"), lines)
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
