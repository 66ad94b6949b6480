import JuiceStand
import StandClient
import Terms
import TextFormats

/// `juicestand stock`: the stock of a running stand.
enum StockCommand {
    static let command = Command("stock", [InstantOption.at] + StandSession.readOptions, run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let session = try StandSession(options, output, words: .user)
        return try session.print(try session.request(.get, "stock" + InstantOption.query(options)), lines)
    }

    private static func lines(_ stock: StockDocument) -> [String] {
        let words = Words.user
        let rows = stock.shelves.map { shelf in
            var notes: [String] = []
            if let level = shelf.level, let mark = shelf.lowStock, level <= mark { notes.append(words(.low)) }
            if shelf.onOrder > 0 { notes.append(words.text("onOrder") { _ in Columns.grouped(shelf.onOrder) }) }
            let shown = Columns.right(shelf.level.map(Columns.grouped) ?? words(.unlimited), 8)
            return [words.name(shelf.fruit, shelf.names), shown, notes.joined(separator: "  ")]
        }
        return Columns.table(rows, texts: [0, 2]) + (stock.editTag.map { [words(.editTag, "\($0)")] } ?? [])
    }
}

/// The option that asks for an instant that has passed.
enum InstantOption {
    static let at = Option(
        "--at", "TIME", .text, without: "now",
        "an instant that has passed, as a stand shows it: 12:30:00 or, with the day, 2 12:30:00; or stand seconds "
            + "such as 900s, or a date and time")

    /// The query of a request for that instant; empty for now.
    static func query(_ options: Options) -> String {
        guard let text = options[at] else { return "" }
        return "?at="
            + text.utf8.map { byte in
                let isPlain =
                    byte < 0x80 && (UnicodeScalar(byte).properties.isAlphabetic || (0x2d...0x3a).contains(byte))
                return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
    }
}
