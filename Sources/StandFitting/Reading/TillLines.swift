import JuiceStand
import TextFormats

/// Collects the lines of a till while its file is read, and turns them into orders at the end.
///
/// A line takes 32 bytes. Dates stay undecided until the whole file was seen.
struct TillLines {
    private struct Line {
        var time: Int64
        var order: UInt32
        var item: UInt32
        var line: UInt32
        var quantity: UInt16
        var year: UInt16
        var first: UInt8
        var second: UInt8
        /// The index in `forms`; `.max` if `time` includes the date.
        var form: UInt8
    }

    private static let noItem = UInt32.max
    /// The most cups that an order of a stand may have.
    private static let mostCups = 10_000.0
    private static let emptyItems: Set<String> = ["", "none", "null", "nan", "n/a", "na", "-", "#n/a"]

    let wanted: [String]
    var skipped: [Till.Skipped] = []
    private let file: String
    private let columns: TillColumns
    private let format: TimeReader?
    private var guesser = DateGuesser()
    private var lines: [Line] = []
    private var forms: [DateGuess.Form: DateOrder] = [:]
    private var formList: [DateGuess.Form] = []
    private var orderIndices: [String: UInt32] = [:]
    private var itemIndices: [String: UInt32] = [:]
    private var spellings: [String: UInt32] = [:]
    private var items: [String] = []
    private var durations: [Double] = []
    private var hasSeconds = false
    private var hasEpochs = false
    private var lacksItems = 0

    /// The evidence for the order of day and month in dates of one form.
    private struct DateOrder {
        /// A date that can only be day first, with its line; and one that can only be month first.
        var dayFirst: (text: String, line: Int)?
        var monthFirst: (text: String, line: Int)?
        var dayFirstCount = 0
        var monthFirstCount = 0
        /// The first date of the form.
        var example: (text: String, line: Int)
    }

    /// - Parameter count: About how many lines there are.
    init(file: String, columns: TillColumns, timeFormat: String?, count: Int) throws(FitError) {
        self.file = file
        self.columns = columns
        if let timeFormat {
            guard let format = TimeReader(format: timeFormat) else {
                throw .badOption(
                    "--time-format must be a format of strptime such as \"%d.%m.%Y %H:%M\", found \"\(timeFormat)\"")
            }
            self.format = format
        } else {
            format = nil
        }
        wanted =
            columns.time
            + [columns.order, columns.item, columns.quantity, columns.started, columns.ended]
            .compactMap { $0 }
        lines.reserveCapacity(count)
    }
}

// MARK: - Reading

extension TillLines {
    mutating func read(_ record: DelimitedRecord) {
        let number = record.place.line
        var text = record[0] ?? ""
        if columns.time.count > 1 {
            for index in 1..<columns.time.count { text += " " + (record[index] ?? "") }
        }
        guard var line = time(text, number) else { return }
        var column = columns.time.count
        func next() -> String {
            column += 1
            return record[column - 1] ?? ""
        }
        if columns.order != nil {
            let order = next()
            line.order = self.order(order)
        } else {
            line.order = UInt32(lines.count)
        }
        if columns.item != nil { line.item = item(next()) }
        if columns.quantity != nil {
            let text = next()
            guard let quantity = Quantity(text) else {
                return skip(number, "expected a quantity, found \(Self.shown(text))")
            }
            guard quantity.value > 0 else {
                return skip(number, quantity.value < 0 ? "a refund: the quantity is \(text)" : "the quantity is 0")
            }
            line.quantity = UInt16(max(1, min(quantity.value.rounded(), Self.mostCups)))
        }
        if columns.started != nil, columns.ended != nil {
            let (started, ended) = (instant(next()), instant(next()))
            if let started, let ended, ended >= started {
                durations.append(Double(ended - started) / 1e9 / Double(line.quantity))
            }
        }
        lines.append(line)
    }

    /// A line with its time; nil after skipping it.
    private mutating func time(_ text: String, _ number: Int) -> Line? {
        var line = Line(
            time: 0, order: 0, item: Self.noItem, line: UInt32(clamping: number), quantity: 1, year: 0, first: 0,
            second: 0, form: .max)
        if let format {
            guard case .calendar(let time)? = format.read(text) else {
                skip(number, "expected \(format.expectation), found \(Self.shown(text))")
                return nil
            }
            line.time = time
            if time % (60 * DurationText.second) != 0 { hasSeconds = true }
            return line
        }
        guard let guess = guesser.read(text), let form = guess.form, let time = guess.nanosecondsOfDay else {
            skip(number, "expected a date and a time of day, found \(Self.shown(text))")
            return nil
        }
        line.time = time
        line.year = UInt16(clamping: guess.year)
        line.first = UInt8(clamping: guess.first)
        line.second = UInt8(clamping: guess.second)
        line.form = take(form, guess, text, number)
        if guess.hasSeconds { hasSeconds = true }
        if guess.isEpoch { hasEpochs = true }
        return line
    }

    /// Counts what a date says about its form, and returns the form's index.
    private mutating func take(_ form: DateGuess.Form, _ guess: DateGuess, _ text: String, _ number: Int) -> UInt8 {
        if form != .certain || forms[form] == nil {
            var order = forms[form] ?? DateOrder(example: (text, number))
            if guess.first > 12, guess.second <= 12 {
                if order.dayFirst == nil { order.dayFirst = (text, number) }
                order.dayFirstCount += 1
            } else if guess.second > 12, guess.first <= 12 {
                if order.monthFirst == nil { order.monthFirst = (text, number) }
                order.monthFirstCount += 1
            }
            if forms.updateValue(order, forKey: form) == nil { formList.append(form) }
        }
        return UInt8(clamping: formList.firstIndex(of: form) ?? 0)
    }

    private mutating func instant(_ text: String) -> Int64? {
        if let format, case .calendar(let time)? = format.read(text) { return time }
        guard let guess = guesser.read(text), let time = guess.nanosecondsOfDay else { return nil }
        return Int64(guess.day(isDayFirst: true) ?? 0) * CalendarTime.day + time
    }

    private mutating func item(_ text: String) -> UInt32 {
        if let known = spellings[text] {
            if known == Self.noItem { lacksItems += 1 }
            return known
        }
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let key = name.lowercased()
        if Self.emptyItems.contains(key) {
            spellings[text] = Self.noItem
            lacksItems += 1
            return Self.noItem
        }
        let index = Self.index(of: key, in: &itemIndices)
        if Int(index) == items.count { items.append(name) }
        spellings[text] = index
        return index
    }

    /// What distinguishes an order from others of its day: its number, or an index beyond all numbers.
    private mutating func order(_ text: String) -> UInt32 {
        let firstIndex: UInt32 = 1 << 31
        // A line without a number is an order of its own.
        if text.isEmpty { return .max - UInt32(lines.count) }
        // Most tills have plain numbers, which need no memory. "007" is another text than "7".
        if let number = UInt32(text), number < firstIndex, !text.hasPrefix("0"), !text.hasPrefix("+") { return number }
        return firstIndex + Self.index(of: text, in: &orderIndices)
    }

    private static func index(of text: String, in indices: inout [String: UInt32]) -> UInt32 {
        if let known = indices[text] { return known }
        let index = UInt32(indices.count)
        indices[text] = index
        return index
    }

    private mutating func skip(_ line: Int, _ why: String) { skipped.append(.init(line: line, why: why)) }

    private static func shown(_ text: String) -> String {
        text.isEmpty ? "nothing" : "\"" + text.prefix(40) + (text.count > 40 ? "…" : "") + "\""
    }
}

// MARK: - The whole till

extension TillLines {
    /// - Parameter read: The number of lines read, those with problems included.
    mutating func till(read: Int) throws(FitError) -> Till {
        var isDayFirst: [Bool] = []
        var notes: [String] = []
        for form in formList { isDayFirst.append(try decide(form, &notes)) }
        if formList.count > 1 { notes.append("The file has dates of \(formList.count) forms.") }
        setDays(isDayFirst)
        // Ends the use of a line by its index: from here on lines are in the order of orders.
        skipped.sort { $0.line < $1.line }
        try checkWhatIsLeft(of: read)
        let resolution = findResolution()
        let groupsByTime = columns.order == nil && resolution < 60 * DurationText.second
        if columns.order == nil {
            notes.append(
                groupsByTime
                    ? "There is no column of order numbers: lines with the same time are one order."
                    : "There is no column of order numbers: each line is one order.")
        }
        let orders = makeOrders(groupsByTime)
        var till = Till(file: file, orders: orders, columns: columns)
        (till.skipped, till.resolution, till.durations) = (skipped, resolution, durations)
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
        if hasEpochs { notes.append("Seconds since 1970 are read as times in UTC.") }
        if lacksItems > 0 {
            notes.append(
                "Lines without an item: \(Columns.grouped(lacksItems)). They count as orders, but not as a juice.")
        }
        till.notes = notes
        return till
    }

    /// Whether the day comes first in dates of a form.
    private func decide(_ form: DateGuess.Form, _ notes: inout [String]) throws(FitError) -> Bool {
        guard form != .certain, let order = forms[form] else { return true }
        let (days, months) = (order.dayFirstCount, order.monthFirstCount)
        // A few dates against very many are faulty lines. They are skipped, because they do not exist.
        guard min(days, months) * 100 <= max(days, months) else {
            let (day, month) = (order.dayFirst!, order.monthFirst!)
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: max(day.line, month.line), column: 1),
                    message: "dates must all have the day first or all the month first, found \"\(day.text)\" in line "
                        + "\(day.line) and \"\(month.text)\" in line \(month.line)"))
        }
        guard days != months else {
            throw .badTill(
                TextProblem(
                    place: Place(source: file, line: order.example.line, column: 1),
                    message:
                        "\"\(order.example.text)\" can have the day or the month first, and no other date decides; "
                        + "use --time-format, such as \"%d/%m/%Y %H:%M\""))
        }
        let evidence = days > months ? order.dayFirst! : order.monthFirst!
        notes.append(
            "Dates such as \"\(order.example.text)\" have the \(days > months ? "day" : "month") first, as "
                + "\"\(evidence.text)\" in line \(evidence.line) shows.")
        return days > months
    }

    /// Adds the days to the times. Lines whose date does not exist are skipped.
    private mutating func setDays(_ isDayFirst: [Bool]) {
        var last: (key: UInt64, day: Int?) = (.max, nil)
        var kept = 0
        for index in lines.indices {
            var line = lines[index]
            if line.form != .max {
                let key =
                    UInt64(line.year) << 32 | UInt64(line.first) << 16 | UInt64(line.second) << 8 | UInt64(line.form)
                if key != last.key {
                    let guess = DateGuess(
                        form: formList[Int(line.form)], year: Int(line.year), first: Int(line.first),
                        second: Int(line.second))
                    last = (key, guess.day(isDayFirst: isDayFirst[Int(line.form)]))
                }
                guard let day = last.day else {
                    skip(Int(line.line), "there is no such date")
                    continue
                }
                line.time += Int64(day) * CalendarTime.day
            }
            lines[kept] = line
            kept += 1
        }
        lines.removeLast(lines.count - kept)
    }

    private func checkWhatIsLeft(of read: Int) throws(FitError) {
        let fewest = 10
        if lines.count >= fewest, skipped.count <= lines.count { return }
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
                place: place, message: "expected at least \(fewest) orders, found \(Columns.grouped(lines.count))"))
    }

    /// The greatest usual span of which all times are multiples.
    private func findResolution() -> Int64 {
        for minutes: Int64 in [60, 30, 15, 10, 5, 1] {
            let span = minutes * 60 * DurationText.second
            if lines.allSatisfy({ $0.time % span == 0 }) { return span }
        }
        return lines.allSatisfy { $0.time % DurationText.second == 0 } ? DurationText.second : 0
    }

    /// Groups lines to orders, in the order of their times.
    ///
    /// Tills that count from 1 every day use a number again, so an order is of one day.
    private mutating func makeOrders(_ groupsByTime: Bool) -> [Till.Order] {
        if groupsByTime {
            lines.sort { ($0.time, $0.line) < ($1.time, $1.line) }
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
