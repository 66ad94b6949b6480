/// What a date and time looks like, part by part: what `--time-format` gives, and what a guess finds.
///
/// The rules are those of the C library's `strptime`: numbers may lack leading zeros, names may be short or long and in
/// either case, and white space in the format matches any white space or none. The C library's own function depends on
/// the machine's locale and time zone and accepts dates that do not exist. Names may be of any language that tills use.
package struct TimeFormat: Sendable {
    /// What a text says.
    package struct Reading: Equatable, Sendable {
        /// Days since 1970; nil if the format has no date, or if there is no such date in the calendar.
        package var day: Int?
        /// Whether the date is only possible with the month first. Then `day` is that date.
        package var isMonthFirst = false
        /// Whether the date is only possible with the day first.
        package var isDayFirst = false
        package var nanosecondsOfDay: Int64 = 0
        /// What the text says about its time zone.
        package var zone = Zone.shop
        /// The format's: see ``TimeFormat``.
        package internal(set) var uncertain: UInt8?
        package internal(set) var hasDate = true
        package internal(set) var hasTime = true

        package func nanosecondsSinceEpoch() -> Int64? {
            guard let day else { return nil }
            return Int64(exactly: Int128(day) * Int128(CalendarTime.day) + Int128(nanosecondsOfDay))
        }
    }

    /// The clock of a time.
    package enum Zone: Hashable, Sendable {
        /// The shop's own.
        case shop
        /// The shop's own, as many seconds ahead of UTC.
        case offset(Int)
        /// UTC, because the text is a Unix time.
        case unix
    }

    /// The conversions, such as `%d.%m.%Y %H:%M`.
    package let text: String
    /// The byte between day and month if a guess does not know which comes first.
    package let uncertain: UInt8?
    package let hasDate: Bool
    package let hasTime: Bool
    private let parts: [Part]

    /// ISO 8601: a date, and optionally a time, its seconds, their fraction and an offset.
    package static let iso8601 = TimeFormat(
        text: "%Y-%m-%dT%H:%M:%S%z",
        parts: [
            .number(.year, 4, 4), .literal("-"), .number(.month, 2, 2), .literal("-"), .number(.day, 2, 2),
            .optional(12), .oneOf("T", " "), .number(.hour, 2, 2), .literal(":"), .number(.minute, 2, 2),
            .optional(5), .literal(":"), .number(.second, 2, 2), .optional(2), .oneOf(".", ","), .fraction,
            .optional(1), .offset,
        ], uncertain: nil)

    private init(text: String, parts: [Part], uncertain: UInt8?) {
        self.text = text
        self.parts = parts
        self.uncertain = uncertain
        hasDate = parts.contains { [.year, .yearOfCentury, .unix, .serial, Part.number(.year, 4, 4)].contains($0) }
        hasTime = parts.contains {
            [.hour, .hourOfHalf, .unix, .serial, Part.number(.hour, 2, 2)].contains($0)
        }
    }

    /// Reads a format in the conversions of `strptime`.
    ///
    /// The conversions are `%Y %y %m %b %B %h %d %e %a %A %H %k %I %l %p %M %S %z %Z %F %D %T %R %n %t %%`. Three more
    /// are `%f`, the digits of a fraction of a second, `%s`, seconds since 1970, and `%N`, the days of a spreadsheet.
    ///
    /// Returns nil if a conversion is unknown, or if the year, the month, the day or the half of the day is left open.
    package init?(_ text: String) {
        guard let parts = Self.parts(of: text) else { return nil }
        let hasDate = parts.contains(.year) || parts.contains(.yearOfCentury)
        let isWhole = parts == [.unix] || parts.first == .serial && !hasDate
        let hasMonth = parts.contains(.month) || parts.contains(.monthName)
        guard isWhole || hasDate && hasMonth && parts.contains(.day) && !parts.contains(.unix),
            parts.contains(.hourOfHalf) == parts.contains(.half)
        else { return nil }
        self.init(text: text, parts: parts, uncertain: nil)
    }

    /// A part of a format, or a time of day alone.
    init?(part text: String) {
        guard let parts = Self.parts(of: text) else { return nil }
        self.init(text: text, parts: parts, uncertain: nil)
    }

    /// The format of an example: `30.10.2016 9:58` has `%d.%m.%Y %H:%M`.
    ///
    /// It knows a date, a time of day or both, in either order, with names of days, months and halves of the day in the
    /// languages of tills. In `03/04/2019` the order of day and month stays open: see ``uncertain``.
    ///
    /// Returns nil if the text is neither a date nor a time of day.
    package init?(guessedFrom example: String) {
        guard let text = TimeGuess.format(of: example), let parts = Self.parts(of: text) else { return nil }
        self.init(text: text, parts: parts, uncertain: Self.uncertain(text))
    }

    /// The byte between day and month if both are numbers and come before the year.
    private static func uncertain(_ text: String) -> UInt8? {
        guard let day = text.firstRange(of: "%d"), let month = text.firstRange(of: "%m"),
            day.upperBound < month.lowerBound, text.firstRange(of: "%Y").map({ $0.lowerBound > day.lowerBound }) ?? true
        else { return nil }
        return text[day.upperBound...].utf8.first
    }

    /// The seconds of an offset such as `+09:00` or `Z`; nil for any other text.
    package static func offset(_ text: String) -> Int? {
        var scan = TimeScanner(Array(text.utf8)[...])
        guard let offset = scan.offset(), scan.isAtEnd else { return nil }
        return offset
    }

    /// The same with day and month exchanged.
    package var monthFirst: String { exchanging("%d", "%m") }

    private func exchanging(_ one: String, _ other: String) -> String {
        text.replacing(one, with: "%?").replacing(other, with: one).replacing("%?", with: other)
    }

    /// The format of dates such as 26.08.03, whose year of two digits comes first, as the dates of one file tell: their
    /// first number hardly changes, and the third one does. Nil for other dates.
    package static func yearFirst(_ dates: [String]) -> TimeFormat? {
        guard let text = dates.first, let guess = TimeFormat(guessedFrom: text), guess.uncertain != nil,
            guess.text.hasPrefix("%d"), guess.text.contains("%y")
        else { return nil }
        let numbers = dates.map { date in
            date.split(maxSplits: 3) { !("0"..."9").contains($0) }.prefix(3).compactMap { Int($0) }
        }
        let whole = numbers.filter { $0.count == 3 }
        let years = Set(whole.map { $0[0] })
        guard whole.count * 2 > dates.count, years.count <= 2, Set(whole.map { $0[2] }).count > 2,
            whole.allSatisfy({ $0[1] <= 12 })
        else { return nil }
        return TimeFormat(guess.exchanging("%d", "%y"))
    }

    /// What the whole of `text` says; nil if it does not fit.
    package func read(_ text: ArraySlice<UInt8>) -> Reading? {
        var scan = TimeScanner(text)
        var found = Found()
        guard read(from: &scan, into: &found), scan.isAtEnd, found.hasExistingTime else { return nil }
        var reading = found.reading(isUncertain: uncertain != nil)
        reading.uncertain = uncertain
        reading.hasDate = hasDate
        reading.hasTime = hasTime
        return reading
    }

    /// Reads the parts one after another. Returns false if the text does not fit.
    func read(from scan: inout TimeScanner, into found: inout Found) -> Bool {
        var index = 0
        while index < parts.count {
            if case .optional(let count) = parts[index] {
                let before = scan
                index += 1
                if read(parts[index], from: &scan, into: &found) {
                    index += 1
                } else {
                    scan = before
                    index += count
                }
                continue
            }
            guard read(parts[index], from: &scan, into: &found) else { return false }
            index += 1
        }
        return true
    }

    /// What the whole of `text` says; nil if it does not fit.
    package func read(_ text: String) -> Reading? { read(Array(text.utf8)[...]) }
}

// MARK: - Parts

extension TimeFormat {
    /// The values of the parts read so far.
    struct Found {
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var isAfternoon = false
        var minute = 0
        var second = 0
        var nanosecond: Int64 = 0
        /// Nanoseconds since 1970, of a number.
        var number: Int64?
        var zone = Zone.shop

        private var nanosecondsOfDay: Int64 {
            let seconds = ((hour + (isAfternoon ? 12 : 0)) * 60 + minute) * 60 + second
            let ofNumber = number.map { CalendarTime(nanosecondsSinceEpoch: $0).nanosecondsOfDay } ?? 0
            return Int64(seconds) * DurationText.second + nanosecond + ofNumber
        }

        var hasExistingTime: Bool {
            hour + (isAfternoon ? 12 : 0) < 24 && minute < 60 && second < 60 && nanosecondsOfDay < CalendarTime.day
        }

        /// Whether a guess may take the values for a date and time.
        var isUsual: Bool {
            hasExistingTime
                && (year == 0 || (1900...2200).contains(year) && max(day, month) < 32 && min(day, month) < 13)
        }

        func reading(isUncertain: Bool) -> Reading {
            var reading = Reading()
            reading.zone = zone
            reading.nanosecondsOfDay = nanosecondsOfDay
            if let number {
                reading.day = CalendarTime(nanosecondsSinceEpoch: number).days
                return reading
            }
            reading.day = CalendarTime(year: year, month: month, day: day)?.days
            guard isUncertain else { return reading }
            reading.isDayFirst = day > 12
            if month > 12 {
                reading.day = CalendarTime(year: year, month: day, day: month)?.days
                reading.isMonthFirst = reading.day != nil
            }
            return reading
        }
    }

    private enum Field: Sendable {
        case year, month, day, hour, minute, second
    }

    private enum Part: Equatable, Sendable {
        case literal(Unicode.Scalar)
        case oneOf(Unicode.Scalar, Unicode.Scalar)
        case space
        /// A number with the least and the most of its digits.
        case number(Field, Int, Int)
        case yearOfCentury
        case monthName
        case weekday
        case hourOfHalf
        case half
        case fraction
        case offset
        case zoneName
        case unix
        case serial
        /// So many of the next parts are absent if the first of them is.
        case optional(Int)

        static let year = number(.year, 4, 4)
        static let month = number(.month, 1, 2)
        static let day = number(.day, 1, 2)
        static let hour = number(.hour, 1, 2)
        static let minute = number(.minute, 1, 2)
        static let second = number(.second, 1, 2)
    }

    private func read(_ part: Part, from scan: inout TimeScanner, into found: inout Found) -> Bool {
        switch part {
        case .literal(let scalar): return scan.take(scalar)
        case .oneOf(let one, let other): return scan.take(one) || scan.take(other)
        case .space: scan.skipSpace()
        case .number(let field, let least, let most):
            guard let number = scan.number(least, most) else { return false }
            switch field {
            case .year: found.year = number
            case .month: found.month = number
            case .day: found.day = number
            case .hour: found.hour = number
            case .minute: found.minute = number
            case .second: found.second = number
            }
        case .yearOfCentury:
            guard let year = scan.number(1, 2) else { return false }
            found.year = CalendarTime.year(ofCentury: year)
        case .monthName:
            guard let month = scan.month() else { return false }
            found.month = month
        case .weekday: return scan.named { TimeNames.isWeekday($0) ? true : nil } != nil
        case .hourOfHalf:
            guard let hour = scan.number(1, 2), (1...12).contains(hour) else { return false }
            found.hour = hour % 12
        case .half:
            guard let half = scan.half() else { return false }
            found.isAfternoon = half
        case .fraction:
            guard let fraction = scan.fraction() else { return false }
            found.nanosecond = fraction
        case .offset:
            guard let offset = scan.offset() else { return false }
            found.zone = .offset(offset)
        case .zoneName:
            if let offset = scan.offset() { found.zone = .offset(offset) } else { return scan.skipZoneName() }
        case .unix:
            guard let time = scan.decimal(unit: DurationText.second) else { return false }
            (found.number, found.zone) = (time, .unix)
        case .serial:
            guard let days = scan.decimal(unit: DurationText.second) else { return false }
            let (sum, overflow) = (found.number ?? -CalendarTime.serialEpoch)
                .addingReportingOverflow(CalendarTime.spanOfSerial(days))
            guard !overflow else { return false }
            found.number = sum
        case .optional: return false
        }
        return true
    }
}

// MARK: - Conversions

extension TimeFormat {
    private static let conversions: [Unicode.Scalar: [Part]] = [
        "Y": [.year], "y": [.yearOfCentury], "m": [.month], "b": [.monthName], "B": [.monthName], "h": [.monthName],
        "d": [.day], "e": [.space, .day], "a": [.weekday], "A": [.weekday], "H": [.hour], "k": [.space, .hour],
        "I": [.hourOfHalf], "l": [.space, .hourOfHalf], "p": [.half], "M": [.minute], "S": [.second],
        "f": [.fraction], "z": [.offset], "Z": [.zoneName], "s": [.unix], "N": [.serial], "n": [.space],
        "t": [.space], "%": [.literal("%")], "F": [.year, .literal("-"), .month, .literal("-"), .day],
        "D": [.month, .literal("/"), .day, .literal("/"), .yearOfCentury],
        "T": [.hour, .literal(":"), .minute, .literal(":"), .second], "R": [.hour, .literal(":"), .minute],
    ]

    private static func parts(of format: String) -> [Part]? {
        var parts: [Part] = []
        var scalars = format.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar == "%" {
                guard let conversion = scalars.next().flatMap({ conversions[$0] }) else { return nil }
                parts += conversion
            } else {
                parts.append(TimeScanner.isBlank(scalar) ? .space : .literal(scalar))
            }
        }
        return parts
    }
}
