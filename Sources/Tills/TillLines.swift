import Platform
import TextFormats

/// Collects the lines of a till while its file is read.
///
/// A line takes 24 bytes. The order of day and month stays undecided until the whole file was read.
package struct TillLines {
    /// What becomes of the lines.
    package enum Purpose: Sendable {
        /// A law is fitted to them.
        case fit
        /// A stand replays them. Times may also be ISO 8601 with an offset from UTC, or seconds since the opening. Cups
        /// must be whole numbers, and an item may have any name.
        case replay
    }

    struct Line {
        /// Nanoseconds since 1970, or since the opening.
        var time: Int64
        var order: UInt32
        var item: UInt32
        var number: UInt32
        var quantity: UInt16
        var date: LineDate
    }

    /// A line as it was read.
    package struct Taken {
        /// The index in ``TillLines/items``; nil if the line has no item.
        package let item: Int?
        private let record: DelimitedRecord
        private let column: Int

        /// The place of the item.
        package var place: Place { record.place(of: column) }

        init(item: Int?, record: DelimitedRecord, column: Int) {
            (self.item, self.record, self.column) = (item, record, column)
        }
    }

    static let noItem = UInt32.max
    /// The most cups that an order of a stand may have.
    static let mostCups = 10_000.0
    private static let emptyItems: Set<String> = ["", "none", "null", "nan", "n/a", "na", "-", "#n/a"]

    let wanted: [String]
    let columns: TillColumns
    let purpose: Purpose
    /// The names of the items, each in the spelling that comes first.
    package private(set) var items: [String] = []
    var skipped: [Till.Skipped] = []
    var lines: [Line] = []
    var forms: [DateGuess.Form: DateOrder] = [:]
    var formList: [DateGuess.Form] = []
    private(set) var durations: [(line: UInt32, seconds: Double)] = []
    private(set) var hasEpochs = false
    private(set) var lacksItems = 0
    private let format: TimeReader?
    private var guesser = DateGuesser()
    private var lastDate: (guess: DateGuess, day: Int?, isMonthFirst: Bool)?
    private var orderIndices: [String: UInt32] = [:]
    private var itemIndices: [String: UInt32] = [:]
    private var spellings: [String: UInt32] = [:]

    /// The evidence for the order of day and month in dates of one form.
    struct DateOrder {
        /// A date that can only be day first, with its line; and one that can only be month first.
        var dayFirst: (text: String, line: Int)?
        var monthFirst: (text: String, line: Int)?
        var dayFirstCount = 0
        var monthFirstCount = 0
        /// The first date of the form.
        var example: (text: String, line: Int)
    }

    /// - Parameters:
    ///   - timeFormat: Of all times; nil to find it.
    ///   - count: About how many lines there are.
    init(
        columns: TillColumns, timeFormat: String?, purpose: Purpose, count: Int
    ) throws(TillError) {
        self.columns = columns
        self.purpose = purpose
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

/// How the date of a line was written, in one byte.
struct LineDate: Equatable {
    private var code: UInt8

    /// The day is certain.
    static let certain = LineDate(code: 0xFF)
    /// The line has no date: its time counts from the opening.
    static let none = LineDate(code: 0xFE)
    static let mostForms = 0x7E

    private init(code: UInt8) { self.code = code }

    /// Day and month are in an uncertain order. The time of the line has them in the only order that is possible, or
    /// else with the day first.
    ///
    /// - Parameter form: An index in `formList`, below ``mostForms``.
    init(form: Int, isMonthFirst: Bool) { code = UInt8(form) | (isMonthFirst ? 0x80 : 0) }

    /// The form of an uncertain date; nil for a certain one.
    var form: Int? { self == .certain || self == .none ? nil : Int(code & 0x7F) }
    /// Whether the date is only possible with the month first.
    var isMonthFirst: Bool { code & 0x80 != 0 }
}

// MARK: - Reading

extension TillLines {
    /// Takes a line.
    ///
    /// - Returns: The line; nil after skipping it, because its quantity is not above 0.
    /// - Throws: What cannot be read, with its place.
    mutating func read(_ record: DelimitedRecord) throws(TextProblem) -> Taken? {
        let number = record.place.line
        var text = record[0] ?? ""
        if columns.time.count > 1 {
            for index in 1..<columns.time.count { text += " " + (record[index] ?? "") }
        }
        var line = try time(text, record)
        var column = columns.time.count
        func next() -> String {
            column += 1
            return record[column - 1] ?? ""
        }
        line.order = columns.order == nil ? UInt32(clamping: lines.count) : order(next())
        let itemColumn = column
        if columns.item != nil { line.item = item(next()) }
        if columns.quantity != nil {
            let text = next()
            let quantity = try quantity(text, record, column - 1)
            guard quantity > 0 else {
                skip(number, quantity < 0 ? "a refund: the quantity is \(text)" : "the quantity is 0")
                return nil
            }
            line.quantity = UInt16(max(1, min(quantity.rounded(), Self.mostCups)))
        }
        if columns.started != nil, columns.ended != nil {
            let (started, ended) = (instant(next()), instant(next()))
            if let started, let ended, ended >= started {
                durations.append((line.number, Double(ended - started) / 1e9 / Double(line.quantity)))
            }
        }
        lines.append(line)
        return Taken(item: line.item == Self.noItem ? nil : Int(line.item), record: record, column: itemColumn)
    }

    /// Takes back the last line.
    mutating func removeLast() { lines.removeLast() }

    // MARK: Times

    private mutating func time(_ text: String, _ record: DelimitedRecord) throws(TextProblem) -> Line {
        var line = Line(
            time: 0, order: 0, item: Self.noItem, number: UInt32(clamping: record.place.line), quantity: 1,
            date: .certain)
        if let reader = format ?? (purpose == .replay ? Self.usual : nil) {
            switch reader.read(text) {
            case .calendar(let time)?:
                guard purpose == .replay || Till.time((time, false)) != nil else { throw noSuchDate(record) }
                line.time = time
                return line
            case .sinceOpening(let time)? where purpose == .replay:
                line.time = time
                if time >= Self.leastUnixTime * DurationText.second {
                    hasEpochs = true
                } else {
                    line.date = .none
                }
                return line
            case .sinceOpening, nil: break
            }
            if format != nil { throw unexpected(reader.expectation, text, record, 0) }
        }
        if purpose == .fit, format == nil, let time = Self.unixTime(text) {
            line.time = time
            hasEpochs = true
            return line
        }
        guard let guess = guesser.read(text), let form = guess.form, let time = guess.nanosecondsOfDay else {
            let expectation = purpose == .fit ? "a date and a time of day" : Self.usual.expectation
            throw unexpected(expectation, text, record, 0)
        }
        guard let index = take(form, guess, text, record.place.line) else {
            throw unexpected("a date of one of the other forms", text, record, 0)
        }
        let (day, isMonthFirst) = day(of: guess)
        guard let day, let whole = Self.time(day: day, ofDay: time) else { throw noSuchDate(record) }
        line.time = whole
        if form != .certain { line.date = LineDate(form: index, isMonthFirst: isMonthFirst) }
        if guess.isEpoch { hasEpochs = true }
        return line
    }

    /// Smaller numbers are seconds since the opening.
    private static let leastUnixTime: Int64 = 100_000_000

    /// The nanoseconds since 1970 that a text of nine or ten digits stands for.
    private static func unixTime(_ text: String) -> Int64? {
        guard 9...10 ~= text.utf8.count, let seconds = Int64(text), seconds >= leastUnixTime else { return nil }
        return Till.time(seconds.multipliedReportingOverflow(by: DurationText.second))
    }

    private static let usual = TimeReader()

    /// The day of a date, and whether it is only possible with the month first. Neighbours often share their date.
    private mutating func day(of guess: DateGuess) -> (day: Int?, isMonthFirst: Bool) {
        if let last = lastDate, last.guess.year == guess.year, last.guess.first == guess.first,
            last.guess.second == guess.second, last.guess.form == guess.form
        {
            return (last.day, last.isMonthFirst)
        }
        var (day, isMonthFirst) = (guess.day(isDayFirst: true), false)
        if day == nil, guess.form != .certain {
            day = guess.day(isDayFirst: false)
            isMonthFirst = day != nil
        }
        lastDate = (guess, day, isMonthFirst)
        return (day, isMonthFirst)
    }

    /// Counts what a date says about its form. Returns the form's index; nil if there are too many forms.
    private mutating func take(_ form: DateGuess.Form, _ guess: DateGuess, _ text: String, _ number: Int) -> Int? {
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
        return formList.firstIndex(of: form).flatMap { $0 < LineDate.mostForms ? $0 : nil }
    }

    private mutating func instant(_ text: String) -> Int64? {
        if let format, case .calendar(let time)? = format.read(text) { return Till.time((time, false)) }
        guard let guess = guesser.read(text), let time = guess.nanosecondsOfDay else { return nil }
        return Self.time(day: guess.day(isDayFirst: true) ?? 0, ofDay: time)
    }

    /// The nanoseconds from 1970 to a time of a day; nil if a till's clock can't show it.
    private static func time(day: Int, ofDay time: Int64) -> Int64? {
        let (midnight, isTooLong) = Int64(day).multipliedReportingOverflow(by: CalendarTime.day)
        return isTooLong ? nil : Till.time(midnight.addingReportingOverflow(time))
    }

    private func noSuchDate(_ record: DelimitedRecord) -> TextProblem {
        TextProblem(place: record.place(of: 0), message: Self.noSuchDate)
    }

    // MARK: Quantities, items and orders

    private func quantity(_ text: String, _ record: DelimitedRecord, _ column: Int) throws(TextProblem) -> Double {
        let quantity = Quantity(text)?.value
        switch purpose {
        case .fit:
            guard let quantity else { throw unexpected("a quantity", text, record, column) }
            return quantity
        case .replay:
            guard let quantity, quantity <= 0 || (quantity == quantity.rounded() && quantity <= Self.mostCups) else {
                throw unexpected("a whole number of cups from 1 to \(Int(Self.mostCups))", text, record, column)
            }
            return quantity
        }
    }

    /// An item's name without differences of spelling: in lower case, with single spaces.
    package static func plain(_ name: String) -> String { spaced(name).lowercased() }

    private static func spaced(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func item(_ text: String) -> UInt32 {
        if let known = spellings[text] {
            if known == Self.noItem { lacksItems += 1 }
            return known
        }
        let key = Self.plain(text)
        if purpose == .fit, Self.emptyItems.contains(key) {
            spellings[text] = Self.noItem
            lacksItems += 1
            return Self.noItem
        }
        let index = Self.index(of: key, in: &itemIndices)
        if Int(index) == items.count { items.append(Self.spaced(text)) }
        spellings[text] = index
        return index
    }

    /// What distinguishes an order from others of its day: its number, or an index beyond all numbers.
    private mutating func order(_ text: String) -> UInt32 {
        let firstIndex: UInt32 = 1 << 31
        // A line without a number is an order of its own.
        if text.isEmpty { return .max - UInt32(clamping: lines.count) }
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

    // MARK: What is wrong

    mutating func skip(_ line: Int, _ why: String) { skipped.append(.init(line: line, why: why)) }

    private func unexpected(
        _ expectation: String, _ text: String, _ record: DelimitedRecord, _ column: Int
    ) -> TextProblem {
        let shown = text.prefix(40) + (text.count > 40 ? "…" : "")
        let found = text.isEmpty ? "nothing" : "\"\(shown)\""
        return TextProblem(place: record.place(of: column), message: "expected \(expectation), found \(found)")
    }
}
