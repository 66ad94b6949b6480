import TextFormats

/// Reads the orders of a stand's own ledger. Orders of one instant are a party.
struct LedgerTill {
    static let wanted = ["event", "at", "juice", "cups", "opens", "order", "wished"]
    static let columns = {
        var columns = TillColumns()
        columns.time = ["at"]
        columns.order = "order"
        columns.item = "juice"
        columns.quantity = "cups"
        return columns
    }()

    private var opens: Int64?
    private var lastOrder: Int?
    private var parties: UInt32 = 0
    private var lastTime: Int64?

    var notes: [String] {
        let about = "The file is a stand's ledger: orders of one instant are a party."
        return opens == nil
            ? [about, "The ledger does not say when the stand opened: its dates are made up."] : [about]
    }

    /// Adds the order of a line that has one.
    mutating func read(
        _ record: DelimitedRecord, into lines: inout TillLines, _ accepts: TillLines.Acceptance
    ) throws(TextProblem) {
        let event = record[0] ?? ""
        if event == "opened" {
            lastOrder = 0
            opens = opens ?? record[4].flatMap { CalendarTime($0)?.nanosecondsSinceEpoch() }
            return
        }
        // The number of an order that was placed and is lost later has come already. A file that begins in the middle
        // does not tell so before its first placed order.
        let number = record[5].flatMap { Int($0) } ?? .max
        if event == "orderSubstituted", number == lastOrder, record[6] != nil {
            return lines.replaceLast(itemIn: 6, of: record, accepts)
        }
        guard event == "orderPlaced" || (event == "orderLost" && lastOrder.map { $0 < number } ?? false) else { return }
        lastOrder = number
        guard let text = record[1], let at = DurationText.nanoseconds(decimal: text), record[2] != nil,
            let cups = record[3].flatMap({ Int($0) }), 1...Int(TillLines.mostCups) ~= cups,
            let time = Till.time((opens ?? 0).addingReportingOverflow(at))
        else {
            throw TextProblem(place: record.place, message: "expected an order with at, juice and cups")
        }
        if time != lastTime { parties += 1 }
        lastTime = time
        let line = TillLines.Line(
            time: time, order: parties, number: UInt32(clamping: record.place.line), quantity: UInt16(cups),
            written: .date)
        lines.add(line, itemIn: 2, of: record, accepts)
    }
}
