/// What a text says about a date and a time of day.
package struct TimeReading: Sendable {
    /// The clock of a time.
    package enum Zone: Hashable, Sendable {
        /// The shop's own.
        case shop
        /// The shop's own, as many seconds ahead of UTC.
        case offset(Int)
        /// UTC, because the text is a Unix time.
        case unix
    }

    /// The format's: see ``TimeFormat``.
    package let uncertain: UInt8?
    package let hasDate: Bool
    package let hasTime: Bool
    package private(set) var zone = Zone.shop
    var year = 0
    private var month = 0
    private var dayOfMonth = 0
    private var hour = 0
    private var isAfternoon = false
    private var minute = 0
    private var second = 0
    private var nanosecond: Int64 = 0
    /// Nanoseconds since 1970, of a number.
    private var number: Int64?

    init(uncertain: UInt8? = nil, hasDate: Bool = true, hasTime: Bool = true) {
        self.uncertain = uncertain
        self.hasDate = hasDate
        self.hasTime = hasTime
    }

    /// Days since 1970; nil without a date, or if there is no such date in the calendar.
    package var day: Int? {
        if let number { return CalendarTime(nanosecondsSinceEpoch: number).days }
        let isSwapped = isMonthFirst
        return CalendarTime(
            year: year, month: isSwapped ? dayOfMonth : month, day: isSwapped ? month : dayOfMonth)?.days
    }

    /// Whether the date is only possible with the month first. Then ``day`` is that date.
    package var isMonthFirst: Bool { uncertain != nil && month > 12 }
    /// Whether the date is only possible with the day first.
    package var isDayFirst: Bool { uncertain != nil && dayOfMonth > 12 }

    package var nanosecondsOfDay: Int64 {
        let seconds = ((hour + (isAfternoon ? 12 : 0)) * 60 + minute) * 60 + second
        let ofNumber = number.map { CalendarTime(nanosecondsSinceEpoch: $0).nanosecondsOfDay } ?? 0
        return Int64(seconds) * DurationText.second + nanosecond + ofNumber
    }

    /// Nil if there is no such date, or before 1678 or after 2261.
    package var nanosecondsSinceEpoch: Int64? {
        guard let day else { return nil }
        return Int64(exactly: Int128(day) * Int128(CalendarTime.day) + Int128(nanosecondsOfDay))
    }

    var hasExistingTime: Bool {
        hour + (isAfternoon ? 12 : 0) < 24 && minute < 60 && second < 60 && nanosecondsOfDay < CalendarTime.day
    }

    /// Whether a guess may take the values for a date and time.
    var isUsual: Bool {
        hasExistingTime
            && (year == 0 || (1900...2200).contains(year) && max(dayOfMonth, month) < 32 && min(dayOfMonth, month) < 13)
    }

    // MARK: Reading

    /// Reads what a conversion says. Returns false if the text does not fit.
    ///
    /// - Parameter least: The least number of digits of a number of two digits.
    mutating func take(_ conversion: Unicode.Scalar, from scan: inout TimeScanner, least: Int) -> Bool {
        switch conversion {
        case "Y":
            guard let number = scan.number(4, 4) else { return false }
            year = number
        case "y", "m", "d", "H", "I", "M", "S":
            guard let number = scan.number(least, 2) else { return false }
            switch conversion {
            // POSIX: 69 to 99 are in the twentieth century, 00 to 68 in the next.
            case "y": year = number + (number < 69 ? 2000 : 1900)
            case "m": month = number
            case "d": dayOfMonth = number
            case "H": hour = number
            case "M": minute = number
            case "S": second = number
            default:
                hour = number % 12
                return 1...12 ~= number
            }
        case "b":
            guard let found = scan.word(WordList.month) else { return false }
            month = found
        case "a": return scan.word { WordList.isWeekday($0) ? true : nil } != nil
        case "p":
            guard let half = scan.word(WordList.half) else { return false }
            isAfternoon = half
        case "f":
            guard let fraction = scan.fraction() else { return false }
            nanosecond = fraction
        case "z":
            guard let offset = scan.offset() else { return false }
            zone = .offset(offset)
        case "Z":
            guard let offset = scan.offset() else { return scan.skipZoneName() }
            zone = .offset(offset)
        case "s":
            number = scan.decimal { DurationText.second / ($0 > 14 ? 1_000_000 : $0 > 11 ? 1000 : 1) }
            zone = .unix
            return number != nil
        default:  // N
            guard let days = scan.decimal() else { return false }
            let (sum, overflow) = (number ?? -CalendarTime.serialEpoch)
                .addingReportingOverflow(CalendarTime.spanOfSerial(days))
            number = sum
            return !overflow
        }
        return true
    }
}
