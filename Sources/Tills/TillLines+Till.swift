import TextFormats

// MARK: - A till to fit

extension TillLines {
    /// - Parameter read: The number of lines read, those with problems included.
    mutating func till(_ file: String, read: Int) throws(TillError) -> Till {
        var (notes, missing) = try decideDays(file)
        for line in missing { skip(line, Self.noSuchDate) }
        skipped.sort { $0.line < $1.line }
        try checkWhatIsLeft(file, of: read)
        let repeated = removeRepeatedDays()
        if repeated.days > 0 {
            notes.append(
                "\(Columns.counted(repeated.days, "day")) with the same lines more than once, as if exported twice: "
                    + "each is taken once, without \(Columns.counted(repeated.lines, "line")).")
        }
        let resolution = findResolution()
        let finer = roundDown(to: resolution)
        let groupsByTime = columns.order == nil && resolution < 60 * DurationText.second
        if columns.order == nil {
            notes.append(
                groupsByTime
                    ? "There is no column of order numbers: lines with the same time are one order."
                    : "There is no column of order numbers: each line is one order.")
        }
        let orders = makeOrders(groupsByTime)
        try Till.checkSpan(of: orders, file)
        guard orders.count >= Self.fewest else {
            let reason: String =
                columns.order.map { "lines with the same \"\($0)\"" } ?? "lines with the same time"
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: 1, column: 1),
                    message: "expected at least \(Self.fewest) orders, found \(orders.count) in "
                        + "\(Columns.counted(lines.count, "line")); \(reason) are one order"))
        }
        var till = Till(file: file, orders: orders, columns: columns)
        (till.skipped, till.resolution) = (skipped, resolution)
        let kept = repeated.days > 0 ? Set(lines.map(\.number)) : []
        till.durations = durations.filter { repeated.days == 0 || kept.contains($0.line) }.map(\.seconds)
        var counts = [Int](repeating: 0, count: items.count)
        for line in lines {
            if line.item != Self.noItem { counts[Int(line.item)] += 1 }
            if columns.quantity != nil { till.quantities[Int(line.quantity), default: 0] += 1 }
        }
        till.items = zip(items, counts).filter { $1 > 0 }.map { Till.Item(name: $0, lines: $1) }
        if resolution >= 60 * DurationText.second {
            notes.append(
                "Times are rounded to \(Columns.counted(Int(resolution / 60 / DurationText.second), "minute")).")
        }
        if finer > 0 {
            notes.append(
                "\(Columns.counted(finer, "line")) of \(Columns.grouped(lines.count)) with a finer time: rounded down "
                    + "as the others are.")
        }
        if hasEpochs { notes.append("Seconds since 1970 are read as times in UTC.") }
        if lacksItems > 0 {
            notes.append(
                "Lines without an item: \(Columns.grouped(lacksItems)). They count as orders, but not as a juice.")
        }
        till.notes = notes
        return till
    }

    /// Orders that a fit needs.
    private static let fewest = 10

    private func checkWhatIsLeft(_ file: String, of read: Int) throws(TillError) {
        if lines.count >= Self.fewest, skipped.count <= lines.count { return }
        let place = Place(source: file, line: skipped.first?.line ?? 1, column: 1)
        if let first = skipped.first, skipped.count > lines.count {
            throw .badTill(
                TextProblem(
                    place: place,
                    message: "\(first.why); \(Columns.grouped(skipped.count)) of \(Columns.counted(read, "line")) "
                        + "cannot be used"))
        }
        throw .badTill(
            TextProblem(
                place: place, message: "expected at least \(Self.fewest) orders, found \(Columns.grouped(lines.count))")
        )
    }

    /// Takes the lines of a day once if all of them are in the file twice, or equally often.
    ///
    /// Two equal lines may be two orders of the same minute. So a day with few different lines counts as repeated only
    /// if all days are.
    private mutating func removeRepeatedDays() -> (days: Int, lines: Int) {
        let hasOrders = columns.order != nil
        func key(_ line: Line) -> (Int64, UInt32, UInt32, UInt16) {
            (line.time, hasOrders ? line.order : 0, line.item, line.quantity)
        }
        lines.sort { key($0) < key($1) }
        var days: [(lines: Range<Int>, different: Int, times: Int)] = []
        var start = 0
        while start < lines.count {
            let day = Till.day(of: lines[start].time)
            var (end, run, different, times) = (start, 0, 0, 0)
            while end < lines.count, Till.day(of: lines[end].time) == day {
                run += 1
                end += 1
                if end < lines.count, key(lines[end]) == key(lines[end - 1]) { continue }
                (times, different, run) = (Self.greatestDivisor(times, run), different + 1, 0)
            }
            days.append((start..<end, different, times))
            start = end
        }
        let isWhole = days.allSatisfy { $0.times > 1 } && days.reduce(0) { $0 + $1.different } >= Self.fewest
        var kept: [Line] = []
        var repeated = 0
        for day in days {
            let isRepeated = day.times > 1 && (isWhole || day.different >= 5)
            if isRepeated { repeated += 1 }
            kept += stride(from: day.lines.lowerBound, to: day.lines.upperBound, by: isRepeated ? day.times : 1).map {
                lines[$0]
            }
        }
        defer { lines = kept }
        return (repeated, lines.count - kept.count)
    }

    private static func greatestDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestDivisor(b, a % b) }

    /// The greatest usual span of which most times are multiples.
    ///
    /// Chance makes few times multiples of a second or a minute, but many a multiple of more minutes.
    private func findResolution() -> Int64 {
        let spans = [3600, 1800, 900, 600, 300, 60, 1].map { $0 * DurationText.second }
        return spans.first { span in
            lines.count { $0.time % span == 0 } * 10 > lines.count * (span > 60 * DurationText.second ? 9 : 5)
        } ?? 0
    }

    /// Returns the number of lines whose time changed.
    private mutating func roundDown(to resolution: Int64) -> Int {
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

    /// Groups lines to orders, in the order of their times.
    ///
    /// Tills that count from 1 every day use a number again, so an order is of one day.
    private mutating func makeOrders(_ groupsByTime: Bool) -> [Till.Order] {
        if groupsByTime {
            lines.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        } else {
            lines.sort { (Till.day(of: $0.time), $0.order, $0.time) < (Till.day(of: $1.time), $1.order, $1.time) }
        }
        var orders: [Till.Order] = []
        var last: Line?
        for line in lines {
            let isSame =
                last.map { before in
                    groupsByTime
                        ? before.time == line.time
                        : before.order == line.order && Till.day(of: before.time) == Till.day(of: line.time)
                } ?? false
            if isSame {
                orders[orders.count - 1].lines += 1
            } else {
                orders.append(Till.Order(time: line.time, lines: 1))
            }
            last = line
        }
        orders.sort { $0.time < $1.time }
        return orders
    }
}
