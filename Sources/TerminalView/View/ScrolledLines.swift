/// One line of a list of events: its stand time, text and style.
struct LogLine: Equatable, Sendable {
    var time: Double
    var text: String
    var style: TextStyle
}

/// The last lines of a list, of which some rows are shown: the newest, or those that the user has scrolled to.
struct ScrolledLines: Sendable {
    /// The newest is the last.
    private(set) var lines: [LogLine]
    /// How many of them are below the rows shown.
    private(set) var back = 0
    /// The least number of lines kept; there are up to twice as many.
    private let most: Int

    init(_ lines: [LogLine] = [], most: Int = 1000) {
        self.lines = lines
        self.most = most
    }

    mutating func append(_ new: some Collection<LogLine>) {
        lines += new
        // If the user has scrolled back, the lines shown stay.
        if back > 0 { back += new.count }
        if lines.count > 2 * most { lines.removeFirst(lines.count - most) }
        back = min(back, max(0, lines.count - 1))
    }

    /// Shows other lines, with as many of them below the rows shown.
    mutating func replace(with new: [LogLine]) {
        lines = new
        back = min(back, max(0, lines.count - 1))
    }

    /// The lines shown in the given number of rows.
    func window(_ rows: Int) -> ArraySlice<LogLine> { lines.dropLast(back).suffix(rows) }

    /// Goes back by some lines, or forward if `count` is negative, as far as lines fill `rows`.
    mutating func scroll(by count: Int, rows: Int) { back = max(0, min(back + count, lines.count - rows)) }
}
