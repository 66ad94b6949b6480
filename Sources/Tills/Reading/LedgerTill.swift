import TextFormats

/// Reads the orders of a stand's own ledger. Orders of one instant are a party.
struct LedgerTill {
    static let wanted = ["event", "at", "juice", "cups", "opens", "order", "wished"]
    static let columns = {
        var columns = TillColumns()
        columns[.time] = ["at"]
        columns[.order] = ["order"]
        columns[.item] = ["juice"]
        columns[.quantity] = ["cups"]
        return columns
    }()

    private var opens: Int64?
    private var lastOrder: Int?
    private var party: UInt32 = 0
    private var lastTime: Int64?

    var notes: [String] {
        let about = "The file is a stand's ledger: orders of one instant are a party."
        let unknown = "The ledger does not say when the stand opened: its dates are made up."
        return opens == nil ? [about, unknown] : [about]
    }

    /// Adds the order of a line that has one.
    mutating func read(_ record: DelimitedRecord, into lines: inout TillLines) {
        let event = record[0] ?? ""
        if event == "opened" {
            lastOrder = 0
            opens = opens ?? record[4].flatMap { CalendarTime($0)?.nanosecondsSinceEpoch() }
            return
        }
        // An order that is lost after it was placed must not count twice: its number is not greater than the last one.
        // In a file that begins in the middle, the last number is unknown until an order is placed.
        let number = record[5].flatMap { Int($0) } ?? .max
        if event == "orderSubstituted", number == lastOrder, record[6] != nil {
            if let line = lines.lines.popLast() { lines.add(line, itemIn: 6, of: record) }
            return
        }
        guard event == "orderPlaced" || (event == "orderLost" && lastOrder.map { $0 < number } ?? false) else { return }
        lastOrder = number
        guard let at = record[1].flatMap({ DurationText.nanoseconds(decimal: $0) }), record[2] != nil,
            let cups = record[3].flatMap({ Int($0) }), 1...Int(TillLines.mostCups) ~= cups,
            let time = Int64(exactly: Int128(opens ?? 0) + Int128(at)), TillTimes.known.contains(time)
        else { return lines.skip(record.place.line, "expected an order with at, juice and cups") }
        if time != lastTime { party += 1 }
        lastTime = time
        let line = TillLines.Line(
            time: time, order: party, number: UInt32(clamping: record.place.line), quantity: UInt16(cups))
        lines.add(line, itemIn: 2, of: record)
    }
}
