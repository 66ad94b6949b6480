import TextFormats

// A till to fit, from its lines.

extension Till {
    /// Orders that a fit needs.
    private static let fewest = 10
    private static let noItems: Set<String> = ["none", "null", "nan", "n/a", "na", "-", "#n/a"]

    /// - Throws: ``TillError`` if there are too few orders.
    init(_ settled: TillLines) throws(TillError) {
        var lines = settled
        let file = lines.request.file
        try Self.check(lines)
        var notes = lines.decisions.notes + lines.decisions.warnings
        let resolution = lines.findResolution()
        let finer = lines.roundDown(to: resolution)
        let hasOrders = lines.columns.order != nil
        let groupsByTime = !hasOrders && resolution < 60 * DurationText.second
        let orders = lines.makeOrders(groupsByTime)
        guard orders.count >= Self.fewest || lines.isLedger else {
            let reason = lines.columns.order.map { "lines with the same \"\($0)\"" } ?? "lines with the same time"
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: 1, column: 1),
                    message: "expected at least \(Self.fewest) orders, found \(orders.count) in "
                        + "\(Columns.counted(lines.lines.count, "line")); \(reason) are one order"))
        }
        let names = lines.items.map { Self.noItems.contains($0.lowercased()) ? nil : $0 }
        let durations = Dictionary(lines.durations.map { ($0.line, $0.seconds) }) { first, _ in first }
        let details = lines.lines.map { line in
            Detail(
                item: line.item == TillLines.noItem ? nil : Int(line.item),
                quantity: lines.columns.quantity == nil ? nil : Int(line.quantity), duration: durations[line.number])
        }
        self.init(file: file, orders: orders, columns: lines.columns, names: names, details: details)
        skipped = lines.skipped
        self.resolution = resolution
        let lacking = details.count - items.reduce(0) { $0 + $1.lines }
        if !hasOrders {
            notes.append(
                groupsByTime
                    ? "There is no column of order numbers: lines with the same time are one order."
                    : "There is no column of order numbers: each line is one order.")
        }
        if lines.columns.item == nil {
            notes.append("There is no column of items: all orders are of one juice. --item names a column.")
        } else if lacking > 0 {
            notes.append(
                "Lines without an item: \(Columns.grouped(lacking)). They count as orders, but not as a juice.")
        }
        if resolution >= 60 * DurationText.second {
            notes.append(
                "Times are rounded to \(Columns.counted(Int(resolution / 60 / DurationText.second), "minute")).")
        }
        if finer > 0 {
            notes.append(
                "\(Columns.counted(finer, "line")) of \(Columns.grouped(lines.lines.count)) with a finer time: rounded "
                    + "down as the others are.")
        }
        if !lines.columns.void.isEmpty {
            let count = lines.skipped.count { $0.why.hasPrefix(TillLines.doesNotCount) }
            let names = lines.columns.void.map { "\"\($0)\"" }.joined(separator: " and ")
            notes.append(
                "\(names) says which lines are void, refunded or cancelled: \(Columns.grouped(count)) left out.")
        }
        self.notes = notes
    }

    private static func check(_ lines: TillLines) throws(TillError) {
        if let problem = lines.unusable { throw .badTill(problem) }
        let count = lines.lines.count
        guard count < fewest else { return }
        throw .badTill(
            TextProblem(
                place: Place(source: lines.request.file, line: lines.skipped.first?.line ?? 1, column: 1),
                message: "expected at least \(fewest) orders, found \(Columns.grouped(count))"))
    }
}

extension TillLines {
    /// The greatest usual span of which most times are multiples.
    ///
    /// Chance makes few times multiples of a second or a minute, but many a multiple of more minutes.
    fileprivate func findResolution() -> Int64 {
        let spans = [3600, 1800, 900, 600, 300, 60, 1].map { $0 * DurationText.second }
        return spans.first { span in
            lines.count { $0.time % span == 0 } * 10 > lines.count * (span > 60 * DurationText.second ? 9 : 5)
        } ?? 0
    }

    /// Returns the number of lines whose time changed.
    fileprivate mutating func roundDown(to resolution: Int64) -> Int {
        guard resolution > 0 else { return 0 }
        var changed = 0
        for index in lines.indices {
            let rest = (lines[index].time % resolution + resolution) % resolution
            guard rest > 0 else { continue }
            lines[index].time -= rest
            changed += 1
        }
        return changed
    }

    /// Groups lines to orders, in the order of their times. The lines of one order have one time.
    fileprivate mutating func makeOrders(_ groupsByTime: Bool) -> [Till.Order] {
        if !groupsByTime { lines.sort { ($0.time, $0.order) < ($1.time, $1.order) } }
        var orders: [Till.Order] = []
        var last: Line?
        for line in lines {
            if let last, last.time == line.time, groupsByTime || last.order == line.order {
                orders[orders.count - 1].lines += 1
            } else {
                orders.append(Till.Order(time: line.time, lines: 1))
            }
            last = line
        }
        return orders
    }
}
