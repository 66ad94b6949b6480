/// A date of the Gregorian calendar and a time of its day, in no time zone.
package struct CalendarTime: Equatable, Sendable {
    /// From 1 January 1970.
    package let days: Int
    package let nanosecondsOfDay: Int64

    /// The nanoseconds of a day.
    package static let day = 86400 * DurationText.second

    /// Returns nil for a date or time that does not exist, such as 31 February, 24:00 or a leap second.
    package init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int64 = 0
    ) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0..<DurationText.second).contains(nanosecond)
        else { return nil }
        days = Self.days(toYear: year, month: month, day: day)
        nanosecondsOfDay = Int64((hour * 60 + minute) * 60 + second) * DurationText.second + nanosecond
    }

    /// Reads ISO 8601: a date, and optionally a time, its seconds, their fraction and an offset, such as
    /// `2026-05-04T08:00:00`. An offset is not converted: the clock on the wall counts.
    ///
    /// Returns nil for any other text, if no such date exists, and before 1678 or after 2261.
    package init?(_ text: String) {
        var scan = TimeScanner(text)
        guard let year = scan.number(4, 4), scan.take("-"), let month = scan.number(2, 2), scan.take("-"),
            let day = scan.number(2, 2)
        else { return nil }
        var time: [Int?] = [0, 0, 0]
        var nanosecond: Int64? = 0
        if !scan.isAtEnd {
            guard scan.take("T") || scan.take(" ") else { return nil }
            time[0] = scan.number(2, 2)
            guard scan.take(":") else { return nil }
            time[1] = scan.number(2, 2)
            if scan.take(":") {
                time[2] = scan.number(2, 2)
                if scan.take(".") || scan.take(",") { nanosecond = scan.fraction() }
            }
            guard scan.isAtEnd || scan.offset() != nil, scan.isAtEnd else { return nil }
        }
        guard let hour = time[0], let minute = time[1], let second = time[2], let nanosecond else { return nil }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        guard nanosecondsSinceEpoch() != nil else { return nil }
    }

    /// The time `nanosecondsSinceEpoch` nanoseconds after the start of 1970, in UTC.
    package init(nanosecondsSinceEpoch: Int64) {
        // The quotient rounded down, and the remainder.
        let left = nanosecondsSinceEpoch % Self.day
        nanosecondsOfDay = left < 0 ? left + Self.day : left
        days = Int(nanosecondsSinceEpoch / Self.day) - (left < 0 ? 1 : 0)
    }

    /// Nanoseconds since the start of 1970; nil before 1678 or after 2261.
    package func nanosecondsSinceEpoch() -> Int64? {
        // In 128 bits: the first day in range begins before the first nanosecond in range.
        Int64(exactly: Int128(days) * Int128(Self.day) + Int128(nanosecondsOfDay))
    }

    /// From 30 December 1899, the day 0 of spreadsheets, to 1970.
    package static let serialEpoch = 25569 * day

    /// The span of so many billionths of a day, to the second: spreadsheets do not count finer.
    package static func spanOfSerial(_ billionths: Int64) -> Int64 {
        let seconds = (Int128(billionths) * 86400 + Int128(DurationText.second) / 2) / Int128(DurationText.second)
        return Int64(clamping: seconds * Int128(DurationText.second))
    }
}

// MARK: - Days of the Gregorian calendar

extension CalendarTime {
    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static let daysPerEra = 146_097
    /// From 1 March of the year 0 to 1 January 1970.
    private static let daysToEpoch = 719_468

    /// Days since 1970-01-01, by Howard Hinnant's `days_from_civil`: years begin in March and 400 of them are an era.
    private static func days(toYear year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysToEpoch
    }

    /// The date, by Howard Hinnant's `civil_from_days`.
    package var yearMonthDay: (year: Int, month: Int, day: Int) {
        let shifted = days + Self.daysToEpoch
        let era = (shifted >= 0 ? shifted : shifted - Self.daysPerEra + 1) / Self.daysPerEra
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

// MARK: - Text

extension CalendarTime: CustomStringConvertible {
    /// `08:15:09`, rounded down.
    package var timeOfDay: String {
        let seconds = Int(nanosecondsOfDay / DurationText.second)
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Columns.zeroPadded($0, 2) }
            .joined(separator: ":")
    }

    /// `2026-05-04T08:00:00`, with a fraction of the second only if it is not 0.
    package var description: String {
        let (year, month, day) = yearMonthDay
        let fraction = Int(nanosecondsOfDay % DurationText.second)
        var text =
            "\(Columns.zeroPadded(year, 4))-\(Columns.zeroPadded(month, 2))-\(Columns.zeroPadded(day, 2))T\(timeOfDay)"
        if fraction > 0 {
            text += "." + Columns.zeroPadded(fraction, 9)
            while text.last == "0" { text.removeLast() }
        }
        return text
    }
}
