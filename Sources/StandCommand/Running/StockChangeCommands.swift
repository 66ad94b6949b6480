import JuiceStand
import StandClient
import StandExperiments
import StandState
import Terms
import TextFormats

/// The commands that change the stock of a running stand.
enum StockChangeCommands {
    static let restock = Command("restock", options) { options, output throws(CommandFailure) in
        try make("restock", options, output, 1...StandChange.mostPieces)
    }

    static let adjust = Command("adjust", options) { options, output throws(CommandFailure) in
        try make("adjust", options, output, -StandChange.mostPieces...StandChange.mostPieces)
    }

    private static let tag = Option(
        "--if-tag", "TAG", .whole(0...Int.max),
        "changes the stock only if its edit tag is still TAG, else exits with status 1")
    private static let options = [tag] + StandSession.changeOptions

    /// - Parameter range: The allowed pieces. 0 is always refused.
    private static func make(
        _ command: String, _ options: Options, _ output: Output, _ range: ClosedRange<Int>
    ) throws(CommandFailure) -> ExitStatus {
        let changes = try read(command, options, range)
        let session = try StandSession(options, output, words: .user)
        let condition = options[tag].map { [(name: "If-Match", value: "\"\($0)\"")] }
        let answer = try session.request(
            .post, "stock/changes", ["changes": .object(changes)], fields: condition ?? [])
        let fruits = try fruits(changes.map(\.key), answer.document(ChangedStock.self), session)
        let names = answer.isSuccess ? try session.names() : [:]
        let words = Words.user
        return try session.print(answer) { (changed: ChangedStock) in
            fruits.map { fruit in
                let name = names[fruit] ?? fruit
                guard let level = changed.stock[fruit] ?? nil else { return "\(name) \(words(.unlimited))" }
                return words(.levelNow, name, Columns.grouped(level))
            } + [words(.editTag, "\(changed.editTag)")]
        }
    }

    /// The stand's own names of fruits that may have been given by a name in another language.
    private static func fruits(
        _ given: [String], _ changed: ChangedStock?, _ session: StandSession
    ) throws(CommandFailure) -> [String] {
        guard let changed, !changed.stock.members.isEmpty, given.contains(where: { changed.stock[$0] == nil }) else {
            return given
        }
        let shelves = try session.get("stock", StockDocument.self)?.shelves ?? []
        return given.map { name in
            if changed.stock[name] != nil { return name }
            let shelf = shelves.first { shelf in
                shelf.names.members.contains { $0.value == name } || FruitFace.koreanNames[shelf.fruit] == name
            }
            return shelf?.fruit ?? name
        }
    }

    private static func read(
        _ command: String, _ options: Options, _ range: ClosedRange<Int>
    ) throws(CommandFailure) -> [JSONValue.Member] {
        let least = range.lowerBound < 0 ? "other than 0 from \(Columns.grouped(range.lowerBound))" : "from 1"
        let needs: String =
            "FRUIT=N, such as banana=20, with N a whole number \(least) to \(Columns.grouped(range.upperBound))"
        guard !options.operands.isEmpty else { throw CommandFailure(.usage, "\(command) needs \(needs), found none") }
        var changes: [JSONValue.Member] = []
        for operand in options.operands {
            guard let (fruit, pieces) = ForecastChange.pieces(operand), pieces != 0, range.contains(pieces) else {
                throw CommandFailure(.usage, "\(command) needs \(needs), found \"\(operand)\"")
            }
            guard !changes.contains(where: { $0.key == fruit }) else {
                throw CommandFailure(.usage, "fruit \"\(fruit)\" is given twice")
            }
            changes.append(.init(key: fruit, value: .whole(pieces)))
        }
        return changes
    }
}
