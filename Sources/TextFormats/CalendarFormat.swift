/// A format of dates and times: what the text of a time has to look like, part by part.
///
/// The conversions are those of the C library's `strptime`, with its rules: numbers may lack their leading zeros, a
/// name may be short or long and in either case, a space of the format stands for any white space or none. They are
/// read here, because the C library's own depend on the machine's locale and time zone and accept dates that do not
/// exist.
struct CalendarFormat: Sendable {
    /// The format as it was given.
    let text: String
    private let parts: [Part]

    /// Nil when the format is not understood, or leaves the year, the month, the day or the half of the day open.
    init?(_ text: String) {
        self.text = text
        let pattern = text.contains("%") ? text : Self.translated(text)
        guard let parts = pattern.flatMap(Self.parts) else { return nil }
        self.parts = parts
        let hasDate = [Part.year, .yearOfCentury].contains(where: parts.contains) && parts.contains(.month)
        let isWhole = parts.contains(.hourOfHalf) == parts.contains(.half)
        let isCalendar = hasDate && parts.contains(.day) && isWhole && !parts.contains(.epochSeconds)
        guard isCalendar || parts == [.epochSeconds] else { return nil }
    }

    /// Nanoseconds since 1970 of the time that the whole of `text` says; nil when it does not fit or does not exist.
    func nanosecondsSinceEpoch(_ text: String) -> Int64? {
        if parts == [.epochSeconds] {
            return DurationText.nanoseconds(decimal: text.utf8[...], unit: DurationText.second)
        }
        var scan = TimeScanner(text)
        var found = Found()
        for part in parts {
            guard part.read(from: &scan, into: &found) else { return nil }
        }
        guard scan.isAtEnd else { return nil }
        if found.isAfternoon == true { found.hour += 12 }
        return CalendarTime(
            year: found.year, month: found.month, day: found.day, hour: found.hour, minute: found.minute,
            second: found.second, nanosecond: found.nanosecond)?
            .nanosecondsSinceEpoch(offset: found.offset)
    }
}

// MARK: - Parts

extension CalendarFormat {
    /// What the parts read so far say.
    private struct Found {
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var isAfternoon: Bool?
        var minute = 0
        var second = 0
        var nanosecond: Int64 = 0
        var offset = 0
    }

    private enum Part: Equatable {
        case literal(Unicode.Scalar)
        case space
        case year
        case yearOfCentury
        case month
        case day
        case weekday
        case hour
        case hourOfHalf
        case half
        case minute
        case second
        case fraction
        case offset
        case epochSeconds

        private static let months = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        private static let weekdays = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]

        /// Reads its part of the text; false when that does not fit.
        func read(from scan: inout TimeScanner, into found: inout Found) -> Bool {
            switch self {
            case .literal(let scalar): return scan.take(scalar)
            case .space: scan.skipSpace()
            case .year: return Self.set(&found.year, scan.number(mostDigits: 4))
            case .yearOfCentury:
                // POSIX: 69 to 99 are of the twentieth century, 00 to 68 of the next.
                return Self.set(&found.year, scan.number(mostDigits: 2).map { $0 < 69 ? 2000 + $0 : 1900 + $0 })
            case .month:
                let number = scan.number(mostDigits: 2) ?? scan.name(of: Self.months).map { $0 + 1 }
                return Self.set(&found.month, number)
            case .day: return Self.set(&found.day, scan.number(mostDigits: 2))
            case .weekday: return scan.name(of: Self.weekdays) != nil
            case .hour: return Self.set(&found.hour, scan.number(mostDigits: 2))
            case .hourOfHalf:
                guard let hour = scan.number(mostDigits: 2), (1...12).contains(hour) else { return false }
                found.hour = hour % 12
            case .half:
                guard let half = scan.name(of: ["am", "pm"]) else { return false }
                found.isAfternoon = half == 1
            case .minute: return Self.set(&found.minute, scan.number(mostDigits: 2))
            case .second: return Self.set(&found.second, scan.number(mostDigits: 2))
            case .fraction:
                guard let fraction = scan.fraction() else { return false }
                found.nanosecond = fraction
            case .offset: return Self.set(&found.offset, scan.offset())
            case .epochSeconds: return false
            }
            return true
        }

        private static func set(_ field: inout Int, _ value: Int?) -> Bool {
            guard let value else { return false }
            field = value
            return true
        }
    }
}

// MARK: - Reading the format

extension CalendarFormat {
    private static let conversions: [Unicode.Scalar: [Part]] = [
        "Y": [.year], "y": [.yearOfCentury], "m": [.month], "b": [.month], "B": [.month], "h": [.month],
        "d": [.day], "e": [.space, .day], "a": [.weekday], "A": [.weekday], "H": [.hour], "k": [.space, .hour],
        "I": [.hourOfHalf], "l": [.space, .hourOfHalf], "p": [.half], "M": [.minute], "S": [.second],
        "f": [.fraction], "z": [.offset], "s": [.epochSeconds], "n": [.space], "t": [.space], "%": [.literal("%")],
        "F": [.year, .literal("-"), .month, .literal("-"), .day],
        "D": [.month, .literal("/"), .day, .literal("/"), .yearOfCentury],
        "T": [.hour, .literal(":"), .minute, .literal(":"), .second], "R": [.hour, .literal(":"), .minute],
    ]

    private static func parts(of pattern: String) -> [Part]? {
        var parts: [Part] = []
        var scalars = pattern.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar == "%" {
                guard let conversion = scalars.next().flatMap({ conversions[$0] }) else { return nil }
                parts += conversion
            } else {
                parts.append(scalar.isSpaceInJSON5 ? .space : .literal(scalar))
            }
        }
        return parts
    }

    /// The conversions for the pattern letters of Unicode's date formats (UTS #35) that have one.
    private static let letters = [
        "yyyy": "%Y", "y": "%Y", "yy": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%m", "dd": "%d", "d": "%d",
        "EEEE": "%A", "EEE": "%a", "HH": "%H", "H": "%H", "hh": "%I", "h": "%I", "mm": "%M", "m": "%M", "ss": "%S",
        "s": "%S", "a": "%p", "XXX": "%z", "XX": "%z", "X": "%z", "xxx": "%z", "xx": "%z", "Z": "%z",
    ]

    /// `dd.MM.yyyy HH:mm` as `%d.%m.%Y %H:%M`; nil when a letter has no counterpart or a quote is not closed.
    ///
    /// Text between single quotes stands for itself, and two of them for one.
    private static func translated(_ format: String) -> String? {
        var pattern = ""
        var rest = format[...]
        while let first = rest.first {
            rest = rest.dropFirst()
            if first == "'" {
                guard let end = rest.firstIndex(of: "'") else { return nil }
                pattern += end == rest.startIndex ? "'" : rest[..<end]
                rest = rest[rest.index(after: end)...]
                continue
            }
            guard first.isASCII && first.isLetter else {
                pattern.append(first)
                continue
            }
            let others = rest.prefix { $0 == first }
            rest = rest.dropFirst(others.count)
            let run = String(first) + others
            guard let conversion = first == "S" ? "%f" : letters[run] else { return nil }
            pattern += conversion
        }
        return pattern
    }
}
