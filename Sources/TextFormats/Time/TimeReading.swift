/// The date and the time of day that a text gives, as far as it gives them.
package struct TimeReading: Sendable {
    /// The clock that shows a time.
    package enum Zone: Hashable, Sendable {
        /// The shop's clock.
        case shop
        /// The shop's clock, this many seconds ahead of UTC.
        case offset(Int)
        /// UTC, because the text is a Unix time.
        case unix
    }

    /// The byte between day and month if their order is uncertain: ``TimeFormat/uncertain``.
    package let uncertain: UInt8?
    package let hasDate: Bool
    package let hasTime: Bool
    package private(set) var zone = Zone.shop
    package private(set) var nanosecondsOfDay: Int64 = 0
    private var date = (year: 0, month: 0, day: 0)
    /// Days since 1970, if the text is a Unix time or a spreadsheet's date.
    private var days: Int?

    init(uncertain: UInt8? = nil, hasDate: Bool = true, hasTime: Bool = true) {
        self.uncertain = uncertain
        self.hasDate = hasDate
        self.hasTime = hasTime
    }

    /// Whether the date is only possible with the month first. Then ``day`` is that date.
    package var isMonthFirst: Bool { uncertain != nil && date.month > 12 }
    /// Whether the date is only possible with the day first.
    package var isDayFirst: Bool { uncertain != nil && date.day > 12 }

    /// Days since 1970; nil without a date, or if there is no such date in the calendar.
    package var day: Int? {
        let (month, day) = isMonthFirst ? (date.day, date.month) : (date.month, date.day)
        return days ?? CalendarTime(year: date.year, month: month, day: day)?.days
    }

    /// Nanoseconds since 1970; nil if there is no such date, or before 1678 or after 2261.
    package var nanosecondsSinceEpoch: Int64? {
        day.flatMap { CalendarTime(days: $0, nanosecondsOfDay: nanosecondsOfDay).nanosecondsSinceEpoch() }
    }

    var hasExistingTime: Bool { nanosecondsOfDay < CalendarTime.day }

    /// Whether a guess may take the values for a date and time.
    var isUsual: Bool {
        let (year, month, day) = date
        return hasExistingTime && (year == 0 || 1900...2200 ~= year && max(day, month) < 32 && min(day, month) < 13)
    }

    // MARK: Reading

    /// Reads the value of a conversion. Returns false if the text does not fit.
    ///
    /// - Parameter least: The fewest digits of a number that may have two.
    mutating func take(_ conversion: Unicode.Scalar, from scan: inout TimeScanner, least: Int) -> Bool {
        switch conversion {
        case "Y": return scan.number(4, 4).map { date.year = $0 } != nil
        case "b": return scan.word(WordList.month).map { date.month = $0 } != nil
        case "a": return scan.word { WordList.isWeekday($0) ? true : nil } != nil
        case "p": return add(scan.word(WordList.half.line), of: 12 * 3600, below: 2)
        case "f": return scan.fraction().map { nanosecondsOfDay += $0 } != nil
        case "z", "Z":
            guard let offset = scan.offset() else { return conversion == "Z" && scan.skipZoneName() }
            zone = .offset(offset)
        case "s":
            let unit: (Int) -> Int64 = { DurationText.second / ($0 > 14 ? 1_000_000 : $0 > 11 ? 1000 : 1) }
            zone = .unix
            return add(scan.decimal(unit: unit), to: 0)
        case "N": return add(scan.decimal().map(CalendarTime.spanOfSerial), to: CalendarTime.dayOfSerials)
        default: return take(conversion, scan.number(least, 2))
        }
        return true
    }

    private mutating func take(_ conversion: Unicode.Scalar, _ number: Int?) -> Bool {
        guard let number else { return false }
        switch conversion {
        // POSIX: 69 to 99 are in the twentieth century, 00 to 68 in the next.
        case "y": date.year = number + (number < 69 ? 2000 : 1900)
        case "m": date.month = number
        case "d": date.day = number
        case "H": return add(number, of: 3600, below: 24)
        case "I": return 1...12 ~= number && add(number % 12, of: 3600, below: 12)
        case "M": return add(number, of: 60, below: 60)
        default: return add(number, of: 1, below: 60)
        }
        return true
    }

    private mutating func add(_ number: Int?, of seconds: Int64, below limit: Int) -> Bool {
        guard let number, number < limit else { return false }
        nanosecondsOfDay += Int64(number) * seconds * DurationText.second
        return true
    }

    /// Adds a span, in nanoseconds, to the date and time, or to the day `first` if there is no date yet.
    private mutating func add(_ span: Int64?, to first: Int) -> Bool {
        guard let time = span.map({ CalendarTime(nanosecondsSinceEpoch: $0) }) else { return false }
        days = (days ?? first) + time.days
        nanosecondsOfDay += time.nanosecondsOfDay
        return true
    }
}
