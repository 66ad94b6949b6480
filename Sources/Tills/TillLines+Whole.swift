import TextFormats

// What only the whole file can tell.

extension TillLines {
    /// Sets the final times of all lines, takes lines once that were exported twice, and gathers the lines of orders.
    mutating func settle() throws(TillError) {
        let taken = try times.decide(request.file, request.isTrace ? "\"timeFormat\"" : "--time-format")
        decisions.notes = taken.notes + decisions.notes
        decisions.warnings = taken.warnings + decisions.warnings
        settleTimes()
        if rounded > 0 {
            decisions.notes.append("\(Columns.counted(rounded, "quantity", "quantities")) rounded to whole numbers.")
        }
        if excluded > 0 {
            let conditions = request.conditions.map { "\"\($0.text)\"" }.joined(separator: " and ")
            decisions.notes.append(
                "\(Columns.grouped(excluded)) of \(Columns.counted(records, "line")) left out by the condition "
                    + "\(conditions).")
        }
        skipped.sort { $0.line < $1.line }
        warnOfLinesThatGoBack()
        try checkSpan()
        if !isLedger, lines.contains(where: { !$0.written.isNumber }) { removeRepeatedDays() }
        gatherOrders()
        lines.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    }

    private mutating func settleTimes() {
        let numbers = lines.lazy.filter(\.written.isNumber).count
        let areSerials = numbers > 0 && numbers == lines.count && TillTimes.areSerials(lines.map(\.time))
        if areSerials {
            decisions.warnings.append(
                "Numbers such as \(lines[0].shownTime) are read as dates of a spreadsheet: "
                    + "\(CalendarTime(nanosecondsSinceEpoch: TillTimes.time(ofSerial: lines[0].time))).")
        }
        guard numbers > 0 || times.hasChanges else { return }
        var kept = 0
        for index in lines.indices {
            var line = lines[index]
            if areSerials {
                line.time = TillTimes.time(ofSerial: line.time)
                line.written = .date
            } else if line.written.isNumber, !request.isTrace {
                skip(Int(line.number), "expected \(expectation), found \"\(line.shownTime)\"")
                continue
            } else if !line.written.isNumber {
                guard let time = times.settled(line.time, line.written) else {
                    skip(Int(line.number), TillTimes.noSuchDate)
                    continue
                }
                line.time = time
            }
            lines[kept] = line
            kept += 1
        }
        lines.removeLast(lines.count - kept)
    }

    /// The most days from the first order to the last.
    private static let mostDays = 36_525

    private func checkSpan() throws(TillError) {
        let dated = lines.lazy.filter { !$0.written.isNumber }.map(\.time)
        guard let first = dated.min(), let last = dated.max(), Till.day(of: last) - Till.day(of: first) >= Self.mostDays
        else { return }
        let from = CalendarTime(nanosecondsSinceEpoch: first)
        let to = CalendarTime(nanosecondsSinceEpoch: last)
        throw .badTill(
            TextProblem(
                place: Place(source: request.file, line: 1, column: 1),
                message: "expected dates within a century, found \(from) and \(to)"))
    }

    // MARK: Orders

    /// Gives all lines of an order the time of its first.
    ///
    /// Tills that count from 1 every day use a number again, so an order is of one day.
    private mutating func gatherOrders() {
        guard columns.order != nil else { return }
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
    }

    // MARK: Lines that are there twice

    /// Takes the lines of a day once if all of them are in the file twice, or equally often.
    ///
    /// Two equal lines may be two orders of the same minute. So a day with few different lines counts as repeated only
    /// if all days are.
    private mutating func removeRepeatedDays() {
        let fewest = 10
        let hasOrders = columns.order != nil
        func key(_ line: Line) -> (Int64, UInt32, UInt32, UInt16) {
            (line.time, hasOrders ? line.order : 0, line.item, line.quantity)
        }
        lines.sort { key($0) < key($1) }
        var days: [(lines: Range<Int>, different: Int, times: Int)] = []
        var start = 0
        while start < lines.count {
            let day = Till.day(of: lines[start].time)
            let midnight = Int64(day + 1) * CalendarTime.day
            var end = start
            var run = 0
            var different = 0
            var times = 0
            while end < lines.count, lines[end].time < midnight {
                run += 1
                end += 1
                if end < lines.count, key(lines[end]) == key(lines[end - 1]) { continue }
                times = Self.greatestDivisor(times, run)
                different += 1
                run = 0
            }
            days.append((start..<end, different, times))
            start = end
        }
        let isWhole = days.allSatisfy { $0.times > 1 } && days.reduce(0) { $0 + $1.different } >= fewest
        let repeated = days.filter { $0.times > 1 && (isWhole || $0.different >= 5) }
        guard !repeated.isEmpty else { return }
        var isLeftOut = [Bool](repeating: false, count: lines.count)
        for day in repeated {
            for index in day.lines where (index - day.lines.lowerBound) % day.times != 0 { isLeftOut[index] = true }
        }
        let kept = lines.indices.filter { !isLeftOut[$0] }.map { lines[$0] }
        decisions.warnings.append(
            "\(Columns.counted(repeated.count, "day")) with the same lines more than once, as if exported twice: each is "
                + "taken once, without \(Columns.counted(lines.count - kept.count, "line")).")
        lines = kept
    }

    private static func greatestDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestDivisor(b, a % b) }
}

// MARK: - A trace

extension TillLines {
    package var count: Int { lines.count }

    /// Nanoseconds from 1970 to midnight before the earliest line; nil if no time has a date.
    package var firstMidnight: Int64? {
        lines.first { !$0.written.isNumber }.map { Int64(Till.day(of: $0.time)) * CalendarTime.day }
    }

    /// A line of a trace.
    package struct Traced {
        /// The number of its line in the file.
        package let number: Int
        /// Nanoseconds since 1970, or since the opening if it has no date.
        package let time: Int64
        package let hasDate: Bool
        /// The index of its item.
        package let item: Int
        package let quantity: Int
    }

    /// The lines in the order of their times.
    package var traced: some Sequence<Traced> {
        lines.lazy.map { line in
            Traced(
                number: Int(line.number), time: line.time, hasDate: !line.written.isNumber, item: Int(line.item),
                quantity: Int(line.quantity))
        }
    }

    /// What a user of any file should know: skipped lines, lines whose time goes back, and what was taken.
    package var warnings: ProblemList {
        var list = warningsOfOrder
        for text in decisions.warnings {
            let message = text.prefix(1).lowercased() + text.dropFirst().dropLast()
            list.add(TextProblem(place: Place(source: request.file, line: 1, column: 1), message: message))
        }
        for line in skipped {
            let place = Place(source: request.file, line: line.line, column: 1)
            list.add(TextProblem(place: place, message: "the line is skipped: \(line.why)"))
        }
        return list
    }

    /// Times are those of the file, and the lines are in its order.
    private mutating func warnOfLinesThatGoBack() {
        guard request.isTrace, let first = lines.first else { return }
        func add(_ line: Line, _ message: String) {
            let place = Place(source: request.file, line: Int(line.number), column: 1)
            warningsOfOrder.add(TextProblem(place: place, message: message))
        }
        let steps = zip(lines, lines.dropFirst())
        let back = steps.count { $1.time < $0.time }
        guard back <= 10 * steps.count(where: { $1.time > $0.time }) else {
            return add(first, "the newest orders come first; they are sorted by time")
        }
        guard back > 0 else { return }
        var latest = first
        for line in lines {
            if line.time < latest.time {
                add(line, "time goes back from \(latest.shownTime) to \(line.shownTime); the order keeps its own time")
            } else {
                latest = line
            }
        }
    }
}

extension TillLines.Line {
    /// The time as the file may have it.
    fileprivate var shownTime: String {
        guard written.isNumber else { return "\(CalendarTime(nanosecondsSinceEpoch: time))" }
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: DurationText.second)
        return rest == 0 ? "\(seconds)" : "\(Double(time) / Double(DurationText.second))"
    }
}
