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

    /// What is known about a line besides its time and order.
    struct Detail: Sendable {
        /// The index of its item; nil if it has none.
        var item: Int?
        var quantity: Int?
        /// The seconds from start to end, for one piece.
        var duration: Double?
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
    /// In the order of their times. Never empty.
    package var orders: [Order]
    /// The lines of all orders.
    package var lines: Int
    /// In the order of the file. Lines without an item are not counted.
    package var items: [Item] = []
    /// The number of lines of each quantity; empty if the till has no quantities.
    package var quantities: [Int: Int] = [:]
    /// The seconds from start to end of the lines that have both, for one piece.
    package var durations: [Double] = []
    /// Every line, order by order; empty if only the orders are known.
    private var details: [Detail] = []
    package var columns: TillColumns
    package var skipped: [Skipped] = []
    /// The times are multiples of this: 60 s if most lines have minutes. 0 if most are finer than a second.
    package var resolution: Int64 = 0
    /// What was assumed about the file, in sentences.
    package var notes: [String] = []

    package init(file: String, orders: [Order], columns: TillColumns) {
        self.file = file
        self.orders = orders
        self.columns = columns
        lines = orders.reduce(0) { $0 + $1.lines }
    }

    /// - Parameters:
    ///   - names: The items. Those that name no item are left out.
    ///   - details: Every line, order by order.
    init(file: String, orders: [Order], columns: TillColumns, names: [String?], details: [Detail]) {
        self.init(file: file, orders: orders, columns: columns)
        var counts = [Int](repeating: 0, count: names.count)
        for detail in details {
            if let item = detail.item { counts[item] += 1 }
            if let quantity = detail.quantity { quantities[quantity, default: 0] += 1 }
            if let duration = detail.duration { durations.append(duration) }
        }
        var indices = [Int?](repeating: nil, count: names.count)
        for (index, name) in names.enumerated() where counts[index] > 0 {
            guard let name else { continue }
            indices[index] = items.count
            items.append(Item(name: name, lines: counts[index]))
        }
        self.details = details.map { detail in
            var detail = detail
            detail.item = detail.item.flatMap { indices[$0] }
            return detail
        }
    }

    /// The till without the lines of other items. Lines without an item stay.
    package func keeping(_ isKept: (Item) -> Bool) -> Till {
        guard !details.isEmpty else { return self }
        let keeps = items.map(isKept)
        var orders: [Order] = []
        var kept: [Detail] = []
        var start = 0
        for order in self.orders {
            let lines = details[start..<start + order.lines].filter { $0.item.map { keeps[$0] } ?? true }
            start += order.lines
            guard !lines.isEmpty else { continue }
            orders.append(Order(time: order.time, lines: lines.count))
            kept += lines
        }
        var till = Till(file: file, orders: orders, columns: columns, names: items.map(\.name), details: kept)
        till.skipped = skipped
        till.resolution = resolution
        till.notes = notes
        return till
    }

    /// The day of the first order, and of the last, in days since 1970.
    package var days: ClosedRange<Int> {
        Self.day(of: orders.first?.time ?? 0)...Self.day(of: orders.last?.time ?? 0)
    }

    /// The times that a till's clock can show: from 1900 to 2150.
    static let times = time(year: 1900)..<time(year: 2150)
    private static func time(year: Int) -> Int64 {
        CalendarTime(year: year, month: 1, day: 1)?.nanosecondsSinceEpoch() ?? 0
    }

    /// A sum as a time in nanoseconds since 1970; nil if a till's clock can't show it.
    static func time(_ sum: (partialValue: Int64, overflow: Bool)) -> Int64? {
        !sum.overflow && times.contains(sum.partialValue) ? sum.partialValue : nil
    }

    /// Days from 1970 to the day of `time`.
    package static func day(of time: Int64) -> Int { CalendarTime(nanosecondsSinceEpoch: time).days }
}
