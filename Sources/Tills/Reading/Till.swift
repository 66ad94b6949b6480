import TextFormats

/// The orders of a till, read from its file.
package struct Till: Sendable {
    /// An order: the lines that came at one instant.
    package struct Order: Equatable, Sendable {
        /// Nanoseconds from 1970 to the time on the till's clock.
        package var time: Int64
        package var lines: Int

        package init(time: Int64, lines: Int) {
            self.time = time
            self.lines = lines
        }
    }

    /// An item, in the spelling that comes first.
    package struct Item: Equatable, Sendable {
        package var name: String
        package var lines: Int

        package init(name: String, lines: Int) {
            self.name = name
            self.lines = lines
        }
    }

    /// A line that was left out.
    package struct Skipped: Equatable, Sendable {
        package var line: Int
        package var why: String

        package init(line: Int, why: String) {
            self.line = line
            self.why = why
        }
    }

    package var file: String
    package let columns: TillColumns
    /// The orders, sorted by time. Never empty.
    package var orders: [Order] = []
    /// The lines of all orders.
    package var lines: Int { orders.reduce(0) { $0 + $1.lines } }
    /// The items, in the order of the file. Lines without an item are not counted.
    package var items: [Item] = []
    /// The number of lines of each quantity; empty if the till has no quantities.
    package var quantities: [Int: Int] = [:]
    /// The seconds from start to end for one piece, of each line that has both times.
    package var durations: [Double] = []
    package private(set) var skipped: [Skipped] = []
    /// The unit, in nanoseconds, of which times are multiples: 60 s if most lines have whole minutes; 0 if most times
    /// are finer than a second.
    package var resolution: Int64 = 0
    /// The assumptions about the file, in sentences.
    package private(set) var notes: [String] = []
    /// Every line of the till, order by order; empty if only the orders are known.
    private var allLines: [TillLines.Line] = []
    /// The names of the items of all lines.
    private var names: [String] = []
    /// The seconds from start to end for one piece, by the number of the line.
    private var allDurations: [UInt32: Double] = [:]

    package init(file: String, orders: [Order], columns: TillColumns) {
        self.file = file
        self.orders = orders
        self.columns = columns
    }

    /// The till with only the lines whose item is kept, and those without an item.
    package func keeping(_ isKept: (Item) -> Bool) -> Till {
        let kept = Set(items.filter(isKept).map(\.name))
        var till = self
        till.gather(allLines.filter { $0.item == TillLines.noItem || kept.contains(names[Int($0.item)]) })
        return till
    }

    /// The day of the first order, and of the last, in days since 1970.
    package var days: ClosedRange<Int> {
        Self.day(of: orders.first?.time ?? 0)...Self.day(of: orders.last?.time ?? 0)
    }

    /// Days from 1970 to the day of `time`.
    package static func day(of time: Int64) -> Int { CalendarTime(nanosecondsSinceEpoch: time).days }

    /// Counts lines, which stand order by order. The lines of one order have one time.
    private mutating func gather(_ lines: [TillLines.Line]) {
        allLines = lines
        orders = []
        quantities = [:]
        durations = lines.compactMap { allDurations[$0.number] }
        var counts = [Int](repeating: 0, count: names.count)
        var last: TillLines.Line?
        for line in lines {
            if let last, last.time == line.time, last.order == line.order {
                orders[orders.count - 1].lines += 1
            } else {
                orders.append(Order(time: line.time, lines: 1))
            }
            last = line
            if line.item != TillLines.noItem { counts[Int(line.item)] += 1 }
            if !columns[.quantity].isEmpty { quantities[Int(line.quantity), default: 0] += 1 }
        }
        items = zip(names, counts).filter { $1 > 0 }.map { Item(name: $0, lines: $1) }
    }
}

// MARK: - From lines

extension Till {
    /// The fewest orders that a fit needs.
    private static let fewestOrders = 10

    /// - Throws: ``TillError`` if there are too few orders.
    init(_ read: TillLines) throws(TillError) {
        self.init(file: read.request.file, orders: [], columns: read.columns)
        if let problem = read.unusable { throw .badTill(problem) }
        var lines = read.lines
        guard lines.count >= Self.fewestOrders else {
            throw .badTill(
                file, line: read.skipped.first?.line ?? 1,
                "expected at least \(Self.fewestOrders) orders, found \(Columns.grouped(lines.count))")
        }
        resolution = Self.resolution(of: lines)
        var finer = 0
        let hasOrders = !columns[.order].isEmpty
        let groupsByTime = !hasOrders && resolution < 60 * DurationText.second
        let none = Set(read.items.indices.filter { WordList.none.contains(read.items[$0].lowercased()) })
        for index in lines.indices {
            let rest = resolution == 0 ? 0 : (lines[index].time % resolution + resolution) % resolution
            lines[index].time -= rest
            if rest > 0 { finer += 1 }
            if groupsByTime { lines[index].order = 0 }
            if none.contains(Int(lines[index].item)) { lines[index].item = TillLines.noItem }
        }
        lines.sort { ($0.time, $0.order) < ($1.time, $1.order) }
        names = read.items
        allDurations = read.durations
        gather(lines)
        guard orders.count >= Self.fewestOrders || read.isLedger else {
            let reason = columns[.order].first.map { "lines with the same \"\($0)\"" } ?? "lines with the same time"
            throw .badTill(
                file, line: 1,
                "expected at least \(Self.fewestOrders) orders, found \(orders.count) in "
                    + "\(Columns.counted(lines.count, "line")); \(reason) are one order")
        }
        skipped = read.skipped
        notes = read.notes + read.surprises
        if !hasOrders {
            let order = groupsByTime ? "lines with the same time are one order" : "each line is one order"
            notes.append("There is no column of order numbers: \(order).")
        }
        let lacking = lines.count - items.reduce(0) { $0 + $1.lines }
        if columns[.item].isEmpty {
            notes.append("There is no column of items: all orders are of one juice. --item names a column.")
        } else if lacking > 0 {
            notes.append(
                "Lines without an item: \(Columns.grouped(lacking)). They count as orders, but not as a juice.")
        }
        let minutes = Int(resolution / 60 / DurationText.second)
        if minutes > 0 { notes.append("Times are rounded to \(Columns.counted(minutes, "minute")).") }
        if finer > 0 {
            notes.append(
                "\(Columns.counted(finer, "line")) of \(Columns.grouped(lines.count)) with a finer time: rounded down "
                    + "as the others are.")
        }
        if !columns[.void].isEmpty {
            let voids = columns[.void].map { "\"\($0)\"" }.joined(separator: " and ")
            notes.append(
                "\(voids) says which lines are void, refunded or cancelled: \(Columns.grouped(read.voided)) left out.")
        }
    }

    /// The greatest usual span of which most times are multiples, in nanoseconds; 0 if there is none.
    ///
    /// For a second or a minute, half of the times are enough, because few are multiples by chance. For longer spans,
    /// nine in ten must be multiples.
    private static func resolution(of lines: [TillLines.Line]) -> Int64 {
        let spans = [3600, 1800, 900, 600, 300, 60, 1].map { $0 * DurationText.second }
        return spans.first { span in
            lines.count { $0.time % span == 0 } * 10 > lines.count * (span > 60 * DurationText.second ? 9 : 5)
        } ?? 0
    }
}
