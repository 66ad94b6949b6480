import TextFormats

/// Reads the times of a till's lines.
///
/// Two things stay open until the whole file was read: the order of day and month in dates such as 03/04/2019, and
/// whether plain numbers are seconds since the opening or dates of a spreadsheet.
struct TillTimes {
    /// How the time of a line was written, in two bytes.
    struct Written: Equatable {
        fileprivate var form: UInt8
        /// The index of its zone.
        fileprivate var zone: UInt8 = 0

        /// The day is certain.
        fileprivate static let certain: UInt8 = 0xFF
        /// The time is a number, in nanoseconds.
        fileprivate static let number: UInt8 = 0xFE
        fileprivate static let mostForms = 0x7E

        static let seconds = Written(form: number)
        static let date = Written(form: certain)

        var isNumber: Bool { form == Self.number }
        /// Whether the date is only possible with the month first.
        fileprivate var isMonthFirst: Bool { form & 0x80 != 0 }
        fileprivate var index: Int? { form >= Self.number ? nil : Int(form & 0x7F) }
    }

    /// The dates of one form, in which day and month are in an uncertain order.
    fileprivate struct Form {
        let separator: UInt8
        /// The first date of the form, with its line.
        let example: (text: String, line: Int)
        /// A date that can only be day first; and one that can only be month first.
        var dayFirst: (text: String, line: Int)?
        var monthFirst: (text: String, line: Int)?
        var dayFirstCount = 0
        var monthFirstCount = 0
        /// What the whole file decides.
        var isDayFirst = true
    }

    static let noSuchDate = "there is no such date"

    private var reader: TimeReader
    private let isGiven: Bool
    private let shift: Int?
    private var forms: [Form] = []
    private var zones: [TimeFormat.Zone] = [.shop]
    private var hasCertainDates = false

    /// - Parameters:
    ///   - format: Of all times; nil to find it.
    ///   - sample: Times of the file.
    ///   - zone: The shop's clock in seconds ahead of UTC, to which Unix times and times with an offset are turned; nil
    ///     to keep them as they are written.
    init(format: TimeFormat?, zone: Int?, sample: [String]) {
        reader = format.map { TimeReader($0) } ?? TimeReader(tryingFirst: TimeFormat.yearFirst(sample))
        isGiven = format != nil
        shift = zone
    }

    /// What a line must have, in the words of an error message.
    var expectation: String {
        isGiven ? "a time of the format '\(reader.formats[0].text)'" : "a date and a time of day"
    }

    /// Reads the time of a line: nanoseconds since 1970 as written, or the nanoseconds of a number.
    ///
    /// - Throws: The reason in words if the text is none.
    mutating func read(
        _ text: ArraySlice<UInt8>, line: Int
    ) throws(Unreadable) -> (time: Int64, written: Written) {
        if isGiven || !Self.isPlainNumber(text), let reading = reader.read(text),
            isGiven || reading.hasDate && reading.hasTime
        {
            guard let time = reading.nanosecondsSinceEpoch(), Till.times.contains(time) else { throw .noSuchDate }
            var written = Written.date
            if reading.zone != .shop { written.zone = index(of: reading.zone) }
            if let separator = reading.uncertain {
                guard let index = take(reading, separator, text, line) else { throw .unexpected }
                written.form = UInt8(index) | (reading.isMonthFirst ? 0x80 : 0)
            } else {
                hasCertainDates = true
            }
            return (time, written)
        }
        guard !isGiven else { throw .unexpected }
        if let time = Self.unixTime(text) {
            var written = Written.date
            written.zone = index(of: .unix)
            return (time, written)
        }
        guard let number = Self.number(text) else { throw .unexpected }
        return (number, .seconds)
    }

    enum Unreadable: Error {
        case unexpected, noSuchDate
    }

    /// The span from `started` to `ended`, in nanoseconds; nil if one of them is no time.
    mutating func span(from started: ArraySlice<UInt8>, to ended: ArraySlice<UInt8>) -> Int64? {
        func instant(_ text: ArraySlice<UInt8>) -> Int64? {
            guard let reading = reader.read(text) else { return Self.unixTime(text) }
            return reading.hasDate ? reading.nanosecondsSinceEpoch() : reading.nanosecondsOfDay
        }
        guard let started = instant(started), let ended = instant(ended) else { return nil }
        return ended - started
    }

    private mutating func index(of zone: TimeFormat.Zone) -> UInt8 {
        if let index = zones.firstIndex(of: zone) { return UInt8(index) }
        guard zones.count < 255 else { return 0 }
        zones.append(zone)
        return UInt8(zones.count - 1)
    }

    /// Counts what a date says about its form. Returns the form's index; nil if there are too many forms.
    private mutating func take(
        _ reading: TimeFormat.Reading, _ separator: UInt8, _ text: ArraySlice<UInt8>, _ line: Int
    ) -> Int? {
        var shown: (text: String, line: Int) { (String(decoding: text, as: UTF8.self), line) }
        let known = forms.firstIndex { $0.separator == separator }
        if known == nil {
            guard forms.count < Written.mostForms else { return nil }
            forms.append(Form(separator: separator, example: shown))
        }
        let index = known ?? forms.count - 1
        if reading.isMonthFirst {
            if forms[index].monthFirst == nil { forms[index].monthFirst = shown }
            forms[index].monthFirstCount += 1
        } else if reading.isDayFirst {
            if forms[index].dayFirst == nil { forms[index].dayFirst = shown }
            forms[index].dayFirstCount += 1
        }
        return index
    }
}

// MARK: - Numbers

extension TillTimes {
    /// Smaller numbers are seconds since the opening.
    private static let leastUnixTime: Int64 = 100_000_000

    /// Whether a text is a number that is no date such as 20161030.
    private static func isPlainNumber(_ text: ArraySlice<UInt8>) -> Bool {
        text.count { $0 == ASCII.point } < 2 && text.allSatisfy { ASCII.isDigit($0) || $0 == ASCII.point }
            && ![8, 12, 14].contains(text.count)
    }

    /// The nanoseconds since 1970 of Unix time in seconds, or in milliseconds or microseconds by its digits.
    static func unixTime(_ text: ArraySlice<UInt8>) -> Int64? {
        let digits = text.prefix(while: ASCII.isDigit)
        let rest = text[digits.endIndex...]
        guard 9...16 ~= digits.count, rest.isEmpty || rest.first == ASCII.point else { return nil }
        let unit: Int64 = digits.count > 14 ? 1000 : digits.count > 11 ? 1_000_000 : DurationText.second
        let whole = digits.reduce(0) { $0 * 10 + Int64($1 - ASCII.zero) }
        let (sum, overflow) = whole.multipliedReportingOverflow(by: unit)
        let time = unit == DurationText.second && !rest.isEmpty ? number(text) : overflow ? nil : sum
        return time.flatMap { $0 >= leastUnixTime * DurationText.second && Till.times.contains($0) ? $0 : nil }
    }

    /// A decimal number in billionths; or a whole number and a part of a day, of two columns. It may have a decimal
    /// comma, and marks between thousands.
    static func number(_ text: ArraySlice<UInt8>) -> Int64? {
        let parts = text.split(separator: ASCII.space)
        if parts.count == 2, let day = number(parts[0]), let part = number(parts[1]), part < DurationText.second {
            return day % DurationText.second == 0 ? day + part : nil
        }
        guard parts.count == 1, let first = parts[0].first, ASCII.isDigit(first) || first == ASCII.point else {
            return nil
        }
        var plain = Array(parts[0])
        if let comma = plain.lastIndex(of: ASCII.comma) {
            let isDecimal = comma > plain.lastIndex(of: ASCII.point) ?? -1
            if isDecimal { plain[comma] = ASCII.point }
            let mark = plain.lastIndex(of: ASCII.point) ?? 0
            plain = plain[..<mark].filter { $0 != ASCII.comma && $0 != ASCII.point } + plain[mark...]
        }
        return DurationText.nanoseconds(decimal: String(decoding: plain, as: UTF8.self))
    }

    /// Whether numbers have the form of a spreadsheet's dates: from 20,000 to 80,000 (1954 to 2119), most with a part
    /// of a day, and no more than ten years apart. Seconds of a day are farther apart.
    static func areSerials(_ numbers: some Collection<Int64>) -> Bool {
        guard let least = numbers.min(), let most = numbers.max() else { return false }
        let unit = DurationText.second
        return least >= 20_000 * unit && most <= 80_000 * unit && most - least <= 3653 * unit
            && numbers.count { $0 % unit != 0 } * 2 > numbers.count
    }

    /// The time of a spreadsheet's date.
    static func time(ofSerial number: Int64) -> Int64 {
        CalendarTime.spanOfSerial(number) - CalendarTime.serialEpoch
    }
}

// MARK: - The whole file

extension TillTimes {
    /// What was taken, in sentences.
    struct Decisions {
        /// What is usual.
        var notes: [String] = []
        /// What a user of any file should know.
        var warnings: [String] = []
    }

    /// Decides the order of day and month, and what numbers are.
    ///
    /// - Parameter key: What names a format in an error message: `--time-format`.
    mutating func decide(_ file: String, _ key: String) throws(TillError) -> Decisions {
        var decisions = Decisions()
        for index in forms.indices { try decide(&forms[index], file, key, &decisions.notes) }
        let count = forms.count + (hasCertainDates ? 1 : 0)
        if count > 1 { decisions.notes.append("The file has dates of \(count) forms.") }
        if !isGiven {
            let formats = reader.formats.filter { $0.hasDate && $0.hasTime }.map { format in
                let form = forms.first { $0.separator == format.uncertain }
                return "\"\(form?.isDayFirst == false ? format.monthFirst : format.text)\""
            }
            if !formats.isEmpty {
                let shown = formats.prefix(5).joined(separator: ", ") + (formats.count > 5 ? ", …" : "")
                decisions.notes.append("Times are read as \(shown).")
            }
        }
        sayZones(&decisions)
        return decisions
    }

    private func sayZones(_ decisions: inout Decisions) {
        if zones.contains(.unix) {
            let clock = shift.map { "on the clock \(Self.name($0))" } ?? "in UTC"
            decisions.warnings.append("Numbers from 100,000,000 on are read as Unix times, \(clock).")
        }
        let offsets = zones.compactMap { if case .offset(let seconds) = $0 { seconds } else { nil } }.sorted()
        guard !offsets.isEmpty else { return }
        let names = offsets.prefix(5).map(Self.name).joined(separator: ", ") + (offsets.count > 5 ? ", …" : "")
        let kept = "Times have the \(offsets.count > 1 ? "offsets" : "offset") \(names)"
        let text =
            shift.map { "\(kept): turned to the clock \(Self.name($0))." } ?? "\(kept): the hours are kept as written."
        if offsets.count > 1 {
            decisions.warnings.append(text)
        } else {
            decisions.notes.append(text)
        }
    }

    /// `+09:00`
    private static func name(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(seconds < 0 ? "-" : "+")\(Columns.zeroPadded(hours, 2)):\(Columns.zeroPadded(rest, 2))"
    }

    /// The final time of a line; nil if its date does not exist.
    func settled(_ time: Int64, _ written: Written) -> Int64? {
        var time = time
        if let index = written.index, forms[index].isDayFirst == written.isMonthFirst {
            // The line has the other order than the file.
            guard !written.isMonthFirst, let swapped = Self.swapped(time) else { return nil }
            time = swapped
        }
        guard let shift, written.zone > 0 else { return time }
        switch zones[Int(written.zone)] {
        case .shop: return time
        case .unix: return time + Int64(shift) * DurationText.second
        case .offset(let seconds): return time + Int64(shift - seconds) * DurationText.second
        }
    }

    /// Whether ``settled(_:_:)`` changes any time.
    var hasChanges: Bool { shift != nil && zones.count > 1 || !forms.isEmpty }

    /// The time with day and month exchanged; nil if there is no such date.
    private static func swapped(_ time: Int64) -> Int64? {
        let whole = CalendarTime(nanosecondsSinceEpoch: time)
        let (year, month, day) = whole.yearMonthDay
        return CalendarTime(year: year, month: day, day: month)?.nanosecondsSinceEpoch().map {
            $0 + whole.nanosecondsOfDay
        }
    }

    /// Decides whether the day comes first in dates of a form.
    private func decide(
        _ form: inout Form, _ file: String, _ key: String, _ notes: inout [String]
    ) throws(TillError) {
        let (days, months) = (form.dayFirstCount, form.monthFirstCount)
        func problem(_ line: Int, _ message: String) -> TillError {
            .badTill(TextProblem(place: Place(source: file, line: line, column: 1), message: message))
        }
        // A few dates against very many are faulty lines: they do not exist.
        if let day = form.dayFirst, let month = form.monthFirst, min(days, months) * 100 > max(days, months) {
            throw problem(
                max(day.line, month.line),
                "dates must all have the day first or all the month first, found \"\(day.text)\" in line \(day.line) "
                    + "and \"\(month.text)\" in line \(month.line)")
        }
        guard days != months, let evidence = days > months ? form.dayFirst : form.monthFirst else {
            throw problem(
                form.example.line,
                "\"\(form.example.text)\" can have the day or the month first, and no other date decides; "
                    + "use \(key), such as \"%d/%m/%Y %H:%M\"")
        }
        form.isDayFirst = days > months
        notes.append(
            "Dates such as \"\(form.example.text)\" have the \(days > months ? "day" : "month") first, as "
                + "\"\(evidence.text)\" in line \(evidence.line) shows.")
    }
}
