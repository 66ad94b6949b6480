import TextFormats

/// Reads the times of a till's lines.
///
/// Two questions stay open until the whole file has been read: whether the day or the month comes first in dates such
/// as 03/04/2019, and whether plain numbers are seconds since the opening or dates of a spreadsheet.
struct TillTimes {
    /// The times that a till's clock can show: from 1900 to 2150.
    static let known = -2_208_988_800 * DurationText.second..<5_680_281_600 * DurationText.second

    /// The times of the file that are written alike, and so need the same correction once the whole file has been read.
    private struct Writing {
        enum Order {
            case certain, open, dayFirst, monthFirst
        }

        var zone = TimeReading.Zone.shop
        var order = Order.certain
        /// The byte between day and month unless their order is certain.
        var mark: UInt8?
        /// The number of these times.
        var count = 0
        /// The first of these times.
        var text = ""
        /// The number of the line of the first of these times.
        var line = 0
    }

    /// The times that a line may have, in the words of an error message.
    let expectation: String
    private var reader: TimeReader
    /// Whether the user named the format of all times.
    private let hasFormat: Bool
    /// The shop's clock in seconds ahead of UTC, to which times are turned; nil to keep them as written.
    private let shopOffset: Int?
    /// The first one is for dates whose day and month are certain, on the shop's clock.
    private var writings = [Writing()]
    /// Whether the day comes first, by the byte between day and month. Decided once the whole file has been read.
    private var isDayFirst: [UInt8: Bool] = [:]
    /// The most ways to write a time; no till has more.
    private static let mostWritings = 256

    /// - Parameter sample: Times of the file.
    init(_ request: TillRequest, sample: [String]) {
        let format = request.timeFormat.flatMap { TimeFormat($0) }
        hasFormat = format != nil
        reader = TimeReader(format ?? Self.yearFirst(sample), guesses: format == nil)
        shopOffset = request.timeZone
        expectation =
            format.map { "a time of the format '\($0.text)'" }
            ?? "a date and a time of day" + (request.isTrace ? ", or seconds since the opening" : "")
    }

    /// The format of dates such as 26.08.03, in which a year of two digits comes first; nil for other dates.
    ///
    /// The year comes first if the first number hardly changes from date to date, and the third one does.
    private static func yearFirst(_ dates: [String]) -> TimeFormat? {
        guard let guess = dates.first.flatMap({ TimeFormat(guessedFrom: $0) }), guess.uncertain != nil,
            guess.text.hasPrefix("%d"), guess.text.contains("%y")
        else { return nil }
        var numbers: [[Int]] = []
        for date in dates {
            let parts = date.split { !("0"..."9").contains($0) }
            let found = parts.prefix(3).compactMap { Int($0) }
            if found.count == 3 { numbers.append(found) }
        }
        let isFirst =
            numbers.count * 2 > dates.count && Set(numbers.map { $0[0] }).count <= 2
            && Set(numbers.map { $0[2] }).count > 2 && numbers.allSatisfy { $0[1] <= 12 }
        return isFirst ? TimeFormat(guess.exchanging("%d", "%y")) : nil
    }

    /// Reads the time of a line. Returns nanoseconds since 1970, as written, with the index of its writing; or a plain
    /// number in billionths, with nil.
    mutating func read(_ text: ArraySlice<UInt8>, line: Int) throws(LineFault) -> (time: Int64, writing: UInt8?) {
        // A number of eight digits is a date, and a longer one a Unix time.
        let number = hasFormat ? nil : Self.number(text)
        if let number, number < 10_000_000 * DurationText.second { return (number, nil) }
        guard let reading = reader.read(text), hasFormat || reading.hasDate && reading.hasTime else {
            guard let number else {
                throw LineFault(expected: expectation, found: String(decoding: text, as: UTF8.self))
            }
            return (number, nil)
        }
        guard let time = reading.nanosecondsSinceEpoch, Self.known.contains(time) else { throw LineFault.noSuchDate }
        let order: Writing.Order =
            reading.uncertain == nil
            ? .certain : reading.isMonthFirst ? .monthFirst : reading.isDayFirst ? .dayFirst : .open
        let known = writings.firstIndex {
            $0.order == order && $0.zone == reading.zone && $0.mark == reading.uncertain
        }
        let index = known ?? writings.count
        if known == nil {
            guard index < Self.mostWritings else { throw LineFault(why: "it writes its time in another way") }
            let text = String(decoding: text, as: UTF8.self)
            writings.append(Writing(zone: reading.zone, order: order, mark: reading.uncertain, text: text, line: line))
        }
        writings[index].count += 1
        return (time, UInt8(index))
    }

    /// The span from `started` to `ended`, in nanoseconds; nil if one of the texts is no time.
    mutating func span(from started: ArraySlice<UInt8>, to ended: ArraySlice<UInt8>) -> Int64? {
        guard let started = reader.read(started), let ended = reader.read(ended), started.hasDate == ended.hasDate
        else { return nil }
        guard started.hasDate else { return ended.nanosecondsOfDay - started.nanosecondsOfDay }
        guard let from = started.nanosecondsSinceEpoch, let to = ended.nanosecondsSinceEpoch else { return nil }
        return to - from
    }
}

// MARK: - Numbers

extension TillTimes {
    /// A decimal number in billionths; nil for any other text. A whole number and a part of a day, from two columns,
    /// are added.
    static func number(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.allSatisfy({ ASCII.isDigit($0) || $0 == ASCII.point || $0 == ASCII.comma || $0 == ASCII.space })
        else { return nil }
        let numbers = text.split(separator: ASCII.space).map { part in
            var scan = TimeScanner(part)
            let number = scan.decimal()
            return scan.isAtEnd ? number : nil
        }
        guard numbers.count <= 2, let first = numbers.first, let number = first else { return nil }
        guard numbers.count == 2 else { return number }
        guard let part = numbers[1], part < DurationText.second, number % DurationText.second == 0 else { return nil }
        return number + part
    }

    /// Whether most texts have the form of a spreadsheet's dates.
    static func areSerials(_ texts: [String]) -> Bool {
        let numbers = texts.compactMap { number(Array($0.utf8)[...]) }
        return numbers.count * 2 > texts.count && areSerials(numbers)
    }

    /// Whether numbers have the form of a spreadsheet's dates: from 20,000 to 80,000 (1954 to 2119), most with a part
    /// of a day, and no more than ten years apart. Seconds of a day are farther apart.
    static func areSerials(_ numbers: [Int64]) -> Bool {
        guard let least = numbers.min(), let most = numbers.max() else { return false }
        let unit = DurationText.second
        return least >= 20_000 * unit && most <= 80_000 * unit && most - least <= 3653 * unit
            && numbers.count { $0 % unit != 0 } * 2 > numbers.count
    }
}

// MARK: - The whole file

extension TillTimes {
    /// Decides whether the day or the month comes first. Adds the assumptions, as sentences, to `notes` if they are
    /// usual, else to `surprises`.
    mutating func decide(
        _ request: TillRequest, _ notes: inout [String], _ surprises: inout [String]
    ) throws(TillError) {
        for first in writings where first.order != .certain && isDayFirst[first.mark ?? 0] == nil {
            notes.append(try decide(first, request))
        }
        let count = isDayFirst.count + (writings.contains { $0.order == .certain && $0.count > 0 } ? 1 : 0)
        if count > 1 { notes.append("The file has dates of \(count) forms.") }
        let formats = hasFormat ? [] : reader.formats.filter { $0.hasDate && $0.hasTime && $0.text != "%s" }
        if !formats.isEmpty {
            let texts = formats.map { format in
                let isMonthFirst = format.uncertain.flatMap { isDayFirst[$0] } == false
                return "\"\(isMonthFirst ? format.exchanging("%d", "%m") : format.text)\""
            }
            notes.append("Times are read as \(Self.list(texts)).")
        }
        if writings.contains(where: { $0.zone == .unix }) {
            let clock = shopOffset.map { "on the clock \(Self.name($0))" } ?? "in UTC"
            surprises.append("Numbers from 100,000,000 on are read as Unix times, \(clock).")
        }
        let offsets = Set(writings.compactMap { if case .offset(let seconds) = $0.zone { seconds } else { nil } })
        guard !offsets.isEmpty else { return }
        let turned = shopOffset.map { "turned to the clock \(Self.name($0))" } ?? "the hours are kept as written"
        let names = Self.list(offsets.sorted().map(Self.name))
        if offsets.count > 1 {
            surprises.append("Times have the offsets \(names): \(turned).")
        } else {
            notes.append("Times have the offset \(names): \(turned).")
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    }

    /// `+09:00`
    private static func name(_ seconds: Int) -> String {
        let (hours, minutes) = (abs(seconds) / 60).quotientAndRemainder(dividingBy: 60)
        return "\(seconds < 0 ? "-" : "+")\(Columns.zeroPadded(hours, 2)):\(Columns.zeroPadded(minutes, 2))"
    }

    /// Decides whether the day comes first in the dates with the mark of `first`. Returns the decision as a sentence.
    private mutating func decide(_ first: Writing, _ request: TillRequest) throws(TillError) -> String {
        func dates(_ order: Writing.Order) -> (count: Int, first: Writing?) {
            let found = writings.filter { $0.mark == first.mark && $0.order == order }
            return (found.reduce(0) { $0 + $1.count }, found.first)
        }
        let days = dates(.dayFirst)
        let months = dates(.monthFirst)
        // At most 1 date in 100 that contradicts the others is a faulty line, and left out later.
        if let day = days.first, let month = months.first,
            min(days.count, months.count) * 100 > max(days.count, months.count)
        {
            throw .badTill(
                request.file, line: max(day.line, month.line),
                "dates must all have the day first or all the month first, found \"\(day.text)\" in line \(day.line) "
                    + "and \"\(month.text)\" in line \(month.line)")
        }
        let areDaysFirst = days.count > months.count
        guard let evidence = areDaysFirst ? days.first : months.first else {
            throw .badTill(
                request.file, line: first.line,
                "\"\(first.text)\" can have the day or the month first, and no other date decides; "
                    + "use \(request.isTrace ? "\"timeFormat\"" : "--time-format"), such as \"%d/%m/%Y %H:%M\"")
        }
        isDayFirst[first.mark ?? 0] = areDaysFirst
        return "Dates such as \"\(first.text)\" have the \(areDaysFirst ? "day" : "month") first, as "
            + "\"\(evidence.text)\" in line \(evidence.line) shows."
    }

    /// The final time of a line; nil if its date does not exist.
    func settled(_ time: Int64, _ writing: UInt8) -> Int64? {
        let writing = writings[Int(writing)]
        var time = time
        switch (writing.order, isDayFirst[writing.mark ?? 0]) {
        case (.dayFirst, false), (.monthFirst, true): return nil
        case (.open, false):
            let whole = CalendarTime(nanosecondsSinceEpoch: time)
            let (year, month, day) = whole.yearMonthDay
            guard let swapped = CalendarTime(year: year, month: day, day: month)?.nanosecondsSinceEpoch() else {
                return nil
            }
            time = swapped + whole.nanosecondsOfDay
        default: break
        }
        guard let shopOffset else { return time }
        return switch writing.zone {
        case .shop: time
        case .unix: time + Int64(shopOffset) * DurationText.second
        case .offset(let seconds): time + Int64(shopOffset - seconds) * DurationText.second
        }
    }
}
