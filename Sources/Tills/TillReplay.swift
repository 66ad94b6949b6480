import Platform
import TextFormats

/// The lines of a till as a stand replays them.
package struct TillReplay {
    /// Nanoseconds from 1970 to the opening; nil if no time has a date.
    package fileprivate(set) var opens: Int64?
    /// The problems found. Unless it is empty, the lines are incomplete.
    package fileprivate(set) var problems = ProblemList()
    /// Lines that were skipped, and lines whose time goes back.
    package fileprivate(set) var warnings = ProblemList()
    /// The records of the file, without those that cannot be read.
    package fileprivate(set) var records = 0
    fileprivate var lines: TillLines

    package var count: Int { lines.lines.count }

    /// Calls `body` with each line in the order of their times: the nanoseconds since the opening, the index of its
    /// item, and the quantity.
    package func forEachLine(_ body: (_ time: Int64, _ item: Int, _ quantity: Int) -> Void) {
        for line in lines.lines { body(line.time, Int(line.item), Int(line.quantity)) }
    }
}

extension TillReader {
    /// A file of more bytes is refused.
    private static let mostBytes = 4 << 30

    /// Reads the lines that a stand replays. `columns` must name the columns of the time and the item.
    ///
    /// All lines with one order number on one day come at the time of the first. The column of order numbers is found
    /// by its name. Quantities are read only if their column is named.
    ///
    /// - Parameters:
    ///   - opens: The opening in nanoseconds since 1970; nil for midnight before the earliest line.
    ///   - onPiece: Called with each piece of the file.
    ///   - accepts: Called with each line and the name of its item. Returns false to leave the line out.
    /// - Throws: ``TillError``.
    package func replay(
        opens: Int64?, onPiece: @escaping ([UInt8]) -> Void,
        accepts: (TillLines.Taken, _ item: String) throws(TextProblem) -> Bool
    ) throws(TillError) -> TillReplay {
        let pieces = try FilePieces(of: file, most: Self.mostBytes, onPiece: onPiece)
        let beginning = try begin(pieces.next)
        var columns = columns
        if columns.order == nil {
            let taken = Set(columns.time + columns.named.map(\.column))
            columns.order = ColumnFinder(file: file, names: beginning.names, rows: []).order(except: taken)
        }
        // A short estimate: the array grows if lines are shorter than the first ones.
        let newlines = beginning.bytes.count { $0 == ASCII.lineFeed }
        let count = newlines * pieces.size / max(beginning.bytes.count, 1)
        var replay = TillReplay(
            lines: try TillLines(
                columns: columns, timeFormat: timeFormat, purpose: .replay, count: count + count / 16))
        beginning.reader.forEachRecord(of: replay.lines.wanted) { (record) throws(TextProblem) in
            replay.records += 1
            guard let line = try replay.lines.read(record), let item = line.item else { return }
            do throws(TextProblem) {
                if try !accepts(line, replay.lines.items[item]) { replay.lines.removeLast() }
            } catch {
                replay.lines.removeLast()
                throw error
            }
        } report: { problem in
            replay.problems.add(problem)
            return true
        }
        if let failure = pieces.failure { throw .unreadable(path: file, reason: failure.reason) }
        try replay.settle(file, opens: opens)
        func say(_ message: String) {
            replay.warnings.add(TextProblem(place: Place(source: file, line: 1, column: 1), message: message))
        }
        if case .utf8 = pieces.encoding {} else { say("the text is read as \(pieces.encoding.name)") }
        if replay.lines.hasEpochs { say("numbers from 100,000,000 on are read as Unix times, in UTC") }
        return replay
    }
}

// MARK: - Times

extension TillReplay {
    /// Sets the stand times of all lines, and sorts them.
    fileprivate mutating func settle(_ file: String, opens: Int64?) throws(TillError) {
        func place(_ line: Int) -> Place { Place(source: file, line: line, column: 1) }
        for line in try lines.decideDays(file).missing {
            problems.add(TextProblem(place: place(line), message: TillLines.noSuchDate))
        }
        for line in lines.skipped {
            warnings.add(TextProblem(place: place(line.line), message: "the line is skipped: \(line.why)"))
        }
        warnOfLinesThatGoBack(place)
        if lines.columns.order != nil { lines.gatherOrders() }
        let earliest = lines.lines.reduce(Int64.max) { $1.date == .none ? $0 : min($0, $1.time) }
        self.opens = opens
        if opens == nil, earliest != .max {
            // The first day that can be counted has no midnight.
            let time = CalendarTime(nanosecondsSinceEpoch: max(earliest, .min + CalendarTime.day))
            self.opens = Int64(time.days) * CalendarTime.day
        }
        if let opening = self.opens { setStandTimes(from: opening, place) }
        // The sort is stable: lines of one time keep the order of the file.
        if steps({ $1.time < $0.time }) > 0 { lines.lines.sort { $0.time < $1.time } }
    }

    /// Turns times since 1970 into times since the opening.
    private mutating func setStandTimes(from opening: Int64, _ place: (Int) -> Place) {
        let opens = CalendarTime(nanosecondsSinceEpoch: opening)
        for index in lines.lines.indices where lines.lines[index].date != .none {
            let line = lines.lines[index]
            let (time, isTooLong) = line.time.subtractingReportingOverflow(opening)
            lines.lines[index].time = time
            guard isTooLong || time < 0 else { continue }
            let found = CalendarTime(nanosecondsSinceEpoch: line.time)
            problems.add(
                TextProblem(
                    place: place(Int(line.number)),
                    message: isTooLong
                        ? "must be within 292 years of the opening, at \(opens), found \(found)"
                        : "must not be before the stand opens, at \(opens), found \(found); set \"opens\" to "
                            + "an earlier time"
                )
            )
        }
    }

    /// Times are those of the file.
    private mutating func warnOfLinesThatGoBack(_ place: (Int) -> Place) {
        let all = lines.lines
        let (back, forward) = (steps { $1.time < $0.time }, steps { $1.time > $0.time })
        guard let first = all.first, back > 0 else { return }
        if back > 10 * forward {
            let message = "the newest orders come first; they are sorted by time"
            warnings.add(TextProblem(place: place(Int(first.number)), message: message))
            return
        }
        var latest = first
        for line in all {
            if line.time < latest.time {
                let message: String =
                    "time goes back from \(latest.shownTime) to \(line.shownTime); the order keeps its own time"
                warnings.add(TextProblem(place: place(Int(line.number)), message: message))
            } else {
                latest = line
            }
        }
    }

    /// The number of neighbours for which `belongs` holds.
    private func steps(_ belongs: (TillLines.Line, TillLines.Line) -> Bool) -> Int {
        zip(lines.lines, lines.lines.dropFirst()).count(where: belongs)
    }
}

extension TillLines.Line {
    /// The time as the file may have it.
    fileprivate var shownTime: String {
        guard date == .none else { return "\(CalendarTime(nanosecondsSinceEpoch: time))" }
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: DurationText.second)
        return rest == 0 ? "\(seconds)" : "\(Double(time) / Double(DurationText.second))"
    }
}

extension TillLines {
    /// Gives all lines of an order the time of its first. The lines keep the order of the file.
    fileprivate mutating func gatherOrders() {
        let isGathered = zip(lines, lines.dropFirst()).allSatisfy { before, line in
            // Neighbours of one order have one time, and later orders have greater numbers.
            before.order < line.order || (before.order == line.order && before.time == line.time)
        }
        guard !isGathered else { return }
        lines.sort { (Till.day(of: $0.time), $0.order, $0.time) < (Till.day(of: $1.time), $1.order, $1.time) }
        for index in lines.indices.dropFirst() {
            let before = lines[index - 1]
            if before.order == lines[index].order, Till.day(of: before.time) == Till.day(of: lines[index].time) {
                lines[index].time = before.time
            }
        }
        lines.sort { $0.number < $1.number }
    }
}
