/// What a date and time looks like, part by part.
///
/// The rules are those of the C library's `strptime`: numbers may lack leading zeros, names may be short or long and in
/// either case, and white space in the format matches any white space or none. The C library's own function depends on
/// the machine's locale and time zone and accepts dates that do not exist.
struct TimeFormat: Sendable {
    private let parts: [Part]

    /// ISO 8601: a date, and optionally a time, its seconds, their fraction and an offset.
    static let iso8601 = TimeFormat(parts: [
        .number(.year, 4...4), .literal("-"), .number(.month, 2...2), .literal("-"), .number(.day, 2...2),
        .optional([
            .oneOf("T", " "), .number(.hour, 2...2), .literal(":"), .number(.minute, 2...2),
            .optional([.literal(":"), .number(.second, 2...2), .optional([.oneOf(".", ","), .fraction])]),
            .optional([.offset]),
        ]),
    ])

    private init(parts: [Part]) {
        self.parts = parts
    }

    /// Reads a format in the conversions of `strptime`.
    ///
    /// Returns nil if a conversion is unknown, or if the year, the month, the day or the half of the day is left open.
    init?(_ text: String) {
        guard let parts = Self.parts(of: text) else { return nil }
        let isDate = [.year, .yearOfCentury].contains(where: parts.contains) && parts.contains(.month)
        guard isDate, parts.contains(.day), parts.contains(.hourOfHalf) == parts.contains(.half) else { return nil }
        self.parts = parts
    }

    /// Nanoseconds from 1970 to the time that the whole of `text` says; nil if it does not fit or does not exist.
    func nanosecondsSinceEpoch(_ text: String) -> Int64? {
        var scan = TimeScanner(text)
        var found = Found()
        guard Self.read(parts[...], from: &scan, into: &found), scan.isAtEnd else { return nil }
        return CalendarTime(
            year: found.year, month: found.month, day: found.day,
            hour: found.hour + (found.isAfternoon == true ? 12 : 0), minute: found.minute, second: found.second,
            nanosecond: found.nanosecond)?.nanosecondsSinceEpoch(offset: found.offset)
    }
}

// MARK: - Parts

extension TimeFormat {
    /// The values of the parts read so far.
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

    private enum Field: Sendable {
        case year, month, day, hour, minute, second
    }

    private indirect enum Part: Equatable, Sendable {
        case literal(Unicode.Scalar)
        case oneOf(Unicode.Scalar, Unicode.Scalar)
        case space
        /// A number and its allowed numbers of digits.
        case number(Field, ClosedRange<Int>)
        case yearOfCentury
        /// A month's number or name.
        case month
        case weekday
        case hourOfHalf
        case half
        case fraction
        case offset
        /// Parts that are absent if the first of them is.
        case optional([Part])

        static let year = number(.year, 1...4)
        static let day = number(.day, 1...2)
        static let hour = number(.hour, 1...2)
        static let minute = number(.minute, 1...2)
        static let second = number(.second, 1...2)
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays = Weekday.long.map { $0.lowercased() }

    /// Reads parts one after another. Returns false if the text does not fit.
    private static func read(_ parts: ArraySlice<Part>, from scan: inout TimeScanner, into found: inout Found) -> Bool {
        parts.allSatisfy { read($0, from: &scan, into: &found) }
    }

    private static func read(_ part: Part, from scan: inout TimeScanner, into found: inout Found) -> Bool {
        switch part {
        case .literal(let scalar): return scan.take(scalar)
        case .oneOf(let one, let other): return scan.take(one) || scan.take(other)
        case .space: scan.skipSpace()
        case .number(let field, let digits):
            guard let number = scan.number(digits: digits) else { return false }
            set(field, of: &found, to: number)
        case .yearOfCentury:
            guard let year = scan.number(digits: 1...2) else { return false }
            found.year = CalendarTime.year(ofCentury: year)
        case .month:
            let number = scan.number(digits: 1...2) ?? scan.name(of: months).map { $0 + 1 }
            guard let number else { return false }
            found.month = number
        case .weekday: return scan.name(of: weekdays) != nil
        case .hourOfHalf:
            guard let hour = scan.number(digits: 1...2), (1...12).contains(hour) else { return false }
            found.hour = hour % 12
        case .half:
            guard let half = scan.name(of: ["am", "pm"]) else { return false }
            found.isAfternoon = half == 1
        case .fraction:
            guard let fraction = scan.fraction() else { return false }
            found.nanosecond = fraction
        case .offset:
            guard let offset = scan.offset() else { return false }
            found.offset = offset
        case .optional(let parts):
            let before = scan
            guard read(parts[0], from: &scan, into: &found) else {
                scan = before
                return true
            }
            return read(parts.dropFirst(), from: &scan, into: &found)
        }
        return true
    }

    private static func set(_ field: Field, of found: inout Found, to number: Int) {
        switch field {
        case .year: found.year = number
        case .month: found.month = number
        case .day: found.day = number
        case .hour: found.hour = number
        case .minute: found.minute = number
        case .second: found.second = number
        }
    }
}

// MARK: - Conversions

extension TimeFormat {
    private static let conversions: [Unicode.Scalar: [Part]] = [
        "Y": [.year], "y": [.yearOfCentury], "m": [.month], "b": [.month], "B": [.month], "h": [.month],
        "d": [.day], "e": [.space, .day], "a": [.weekday], "A": [.weekday], "H": [.hour], "k": [.space, .hour],
        "I": [.hourOfHalf], "l": [.space, .hourOfHalf], "p": [.half], "M": [.minute], "S": [.second],
        "f": [.fraction], "z": [.offset], "n": [.space], "t": [.space], "%": [.literal("%")],
        "F": [.year, .literal("-"), .month, .literal("-"), .day],
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
                parts.append(scalar.isSpaceInJSON5 ? .space : .literal(scalar))
            }
        }
        return parts
    }
}
