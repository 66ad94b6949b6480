import TextFormats

/// Reads the orders of a stand's own ledger. Orders of one instant are a party.
struct LedgerTill {
    let file: String
    let progress: (Int) -> Void

    func read(_ reader: DelimitedReader) throws(TillError) -> Till {
        var columns = TillColumns()
        (columns.time, columns.order, columns.item, columns.quantity) = (["at"], "order", "juice", "cups")
        var opens: Int64?
        var orders: [Till.Order] = []
        var counts: [String: Int] = [:]
        var names: [String] = []
        var quantities: [Int: Int] = [:]
        var skipped: [Till.Skipped] = []
        var read = 0
        var placed = 0
        var lastOrder: Int?
        let wanted = ["event", "at", "juice", "cups", "opens", "order", "wished"]
        func count(_ juice: String, _ change: Int) {
            if counts[juice] == nil { names.append(juice) }
            counts[juice, default: 0] += change
        }
        let problems = reader.forEachRecord(of: wanted, most: .max) { record in
            read += 1
            if read % 65_536 == 0 { progress(read) }
            let event = record[0] ?? ""
            if event == "opened" {
                lastOrder = 0
                if case .calendar(let time)? = record[4].flatMap({ TimeReader().read($0) }) { opens = opens ?? time }
                return
            }
            // The number of an order that was placed and is lost later has come already. A file that begins in the
            // middle does not tell so before its first placed order.
            let number = record[5].flatMap { Int($0) } ?? .max
            let isArrival = event == "orderPlaced" || (event == "orderLost" && lastOrder.map { $0 < number } ?? false)
            if event == "orderSubstituted", let wished = record[6], let made = record[2] {
                count(made, -1)
                count(wished, 1)
            }
            guard isArrival else { return }
            lastOrder = number
            guard let text = record[1], let at = DurationText.nanoseconds(decimal: text), let juice = record[2],
                let cups = record[3].flatMap({ Int($0) }), 1...Int(TillLines.mostCups) ~= cups,
                let time = Till.time((opens ?? 0).addingReportingOverflow(at))
            else {
                return skipped.append(.init(line: record.place.line, why: "expected an order with at, juice and cups"))
            }
            placed += 1
            count(juice, 1)
            quantities[cups, default: 0] += 1
            if orders.last?.time == time {
                orders[orders.count - 1].lines += 1
            } else {
                orders.append(Till.Order(time: time, lines: 1))
            }
        }
        skipped += problems.map { .init(line: $0.place.line, why: $0.message) }
        guard placed >= 10, skipped.count <= placed else {
            let place = Place(source: file, line: skipped.first?.line ?? 1, column: 1)
            throw .badTill(
                TextProblem(
                    place: place,
                    message: skipped.first?.why ?? "expected at least 10 orders, found \(Columns.grouped(placed))"))
        }
        orders.sort { $0.time < $1.time }
        try Till.checkSpan(of: orders, file)
        var till = Till(file: file, orders: orders, columns: columns)
        till.items = names.compactMap { name in
            counts[name].flatMap { $0 > 0 ? Till.Item(name: name, lines: $0) : nil }
        }
        till.quantities = quantities
        till.skipped = skipped.sorted { $0.line < $1.line }
        till.notes = ["The file is a stand's ledger: orders of one instant are a party."]
        if opens == nil { till.notes.append("The ledger does not say when the stand opened: its dates are made up.") }
        return till
    }
}
