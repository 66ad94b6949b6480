/// A date of the Gregorian calendar and a time of its day, in no time zone.
package struct CalendarTime: Equatable, Sendable {
    /// Days since 1 January 1970.
    package let days: Int
    package let nanosecondsOfDay: Int64

    /// The nanoseconds of a day.
    package static let day = 86400 * DurationText.second

    init(days: Int, nanosecondsOfDay: Int64) {
        self.days = days
        self.nanosecondsOfDay = nanosecondsOfDay
    }

    /// Midnight of a date; nil for a date that does not exist, such as 31 February.
    package init?(year: Int, month: Int, day: Int) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        // Howard Hinnant's `days_from_civil`: years begin in March and 400 of them are an era. One era more keeps all
        // numbers positive.
        let marchYear = year + 400 - (month <= 2 ? 1 : 0)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        self.init(days: marchYear * 365 + leapDays + dayOfYear - Self.daysToEpoch, nanosecondsOfDay: 0)
        // The days that a month lacks are those of the next one.
        guard yearMonthDay.day == day else { return nil }
    }

    /// Reads ISO 8601: a date, and optionally a time, its seconds, their fraction and an offset, such as
    /// `2026-05-04T08:00:00`. An offset is not converted: the clock on the wall counts.
    ///
    /// Returns nil for any other text, if no such date exists, and before 1678 or after 2261.
    package init?(_ text: String) {
        var scan = TimeScanner(text)
        var reading = TimeReading()
        func take(_ conversion: Unicode.Scalar) -> Bool { reading.take(conversion, from: &scan, least: 2) }
        guard take("Y"), scan.take("-"), take("m"), scan.take("-"), take("d") else { return nil }
        if scan.take("T") || scan.take(" ") {
            guard take("H"), scan.take(":"), take("M") else { return nil }
            if scan.take(":") {
                guard take("S"), !scan.take(".") && !scan.take(",") || take("f") else { return nil }
            }
            guard scan.isAtEnd || scan.offset() != nil else { return nil }
        }
        guard scan.isAtEnd, let time = reading.nanosecondsSinceEpoch else { return nil }
        self.init(nanosecondsSinceEpoch: time)
    }

    /// The time `nanosecondsSinceEpoch` nanoseconds after the start of 1970, in UTC.
    package init(nanosecondsSinceEpoch: Int64) {
        // `/` and `%` round towards 0, but times before 1970 need a quotient that is rounded down.
        let left = nanosecondsSinceEpoch % Self.day
        nanosecondsOfDay = left < 0 ? left + Self.day : left
        days = Int(nanosecondsSinceEpoch / Self.day) - (left < 0 ? 1 : 0)
    }

    /// Nanoseconds since the start of 1970; nil before 1678 or after 2261.
    package func nanosecondsSinceEpoch() -> Int64? {
        // In 128 bits: the first day in range begins before the first nanosecond in range.
        Int64(exactly: Int128(days) * Int128(Self.day) + Int128(nanosecondsOfDay))
    }

    /// 30 December 1899, the day 0 of spreadsheets, in days since 1970.
    package static let dayOfSerials = -25_569

    /// The nanoseconds in `billionths` of a day, rounded to whole seconds, which is as precise as spreadsheets are.
    package static func spanOfSerial(_ billionths: Int64) -> Int64 {
        let seconds = (Int128(billionths) * 86400 + Int128(DurationText.second) / 2) / Int128(DurationText.second)
        return Int64(clamping: seconds * Int128(DurationText.second))
    }
}

// MARK: - Text

extension CalendarTime: CustomStringConvertible {
    private static let daysPerEra = 146_097
    /// The days from 1 March of the year -400 to 1 January 1970.
    private static let daysToEpoch = 719_468 + daysPerEra

    /// The date, by Howard Hinnant's `civil_from_days`. Not before the year 0.
    package var yearMonthDay: (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + Self.daysToEpoch).quotientAndRemainder(dividingBy: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// `08:15:09`, rounded down.
    package var timeOfDay: String {
        let seconds = Int(nanosecondsOfDay / DurationText.second)
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Columns.zeroPadded($0, 2) }
            .joined(separator: ":")
    }

    /// `2026-05-04T08:00:00`, with a fraction of the second only if it is not 0.
    package var description: String {
        let (year, month, day) = yearMonthDay
        let date = [Columns.zeroPadded(year, 4), Columns.zeroPadded(month, 2), Columns.zeroPadded(day, 2)]
        let fraction = Int(nanosecondsOfDay % DurationText.second)
        let digits = fraction > 0 ? "." + Columns.zeroPadded(fraction, 9) : ""
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        return "\(date.joined(separator: "-"))T\(timeOfDay)\(digits.dropLast(zeros))"
    }
}
