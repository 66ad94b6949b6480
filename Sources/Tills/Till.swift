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

    /// The day of the first order, and of the last, in days since 1970.
    package var days: ClosedRange<Int> {
        Self.day(of: orders.first?.time ?? 0)...Self.day(of: orders.last?.time ?? 0)
    }

    /// The times that a till's clock can show: from 1900 to 2150.
    private static let times = time(year: 1900)..<time(year: 2150)
    /// The most days from the first order to the last.
    private static let mostDays = 36_525

    private static func time(year: Int) -> Int64 {
        CalendarTime(year: year, month: 1, day: 1)?.nanosecondsSinceEpoch() ?? 0
    }

    /// A sum as a time in nanoseconds since 1970; nil if a till's clock can't show it.
    static func time(_ sum: (partialValue: Int64, overflow: Bool)) -> Int64? {
        !sum.overflow && times.contains(sum.partialValue) ? sum.partialValue : nil
    }

    /// - Parameter orders: In the order of their times.
    /// - Throws: ``TillError`` if they are more than a century apart.
    static func checkSpan(of orders: [Order], _ file: String) throws(TillError) {
        guard let first = orders.first?.time, let last = orders.last?.time else { return }
        guard day(of: last) - day(of: first) >= mostDays else { return }
        let from = CalendarTime(nanosecondsSinceEpoch: first)
        let to = CalendarTime(nanosecondsSinceEpoch: last)
        throw .badTill(
            TextProblem(
                place: Place(source: file, line: 1, column: 1),
                message: "expected dates within a century, found \(from) and \(to)"))
    }

    /// Days from 1970 to the day of `time`.
    package static func day(of time: Int64) -> Int { CalendarTime(nanosecondsSinceEpoch: time).days }
}
