/// Reads the parts of a time in ISO 8601 from front to back.
struct TimeScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text.utf8[...] }

    /// Nanoseconds since 1970 of a date, or a date and a time with or without an offset; nil unless it is the whole
    /// text.
    mutating func calendarTime() -> Int64? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2) else { return nil }
        if isAtEnd { return CalendarTime(year: year, month: month, day: day)?.nanosecondsSinceEpoch() }
        guard take("T") || take(" "), let hour = digits(2), take(":"), let minute = digits(2) else { return nil }
        var second = 0
        var nanosecond: Int64 = 0
        if take(":") {
            guard let found = digits(2) else { return nil }
            second = found
            if take(".") || take(",") {
                guard let fraction = fraction() else { return nil }
                nanosecond = fraction
            }
        }
        guard let offset = isAtEnd ? 0 : offset(), isAtEnd else { return nil }
        return CalendarTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)?
            .nanosecondsSinceEpoch(offset: offset)
    }

    /// Reads the digits after a decimal point; those beyond the ninth are dropped, so that no second becomes the next.
    mutating func fraction() -> Int64? {
        var nanoseconds: Int64 = 0
        var unit = DurationText.second
        var count = 0
        while let byte = rest.first, ASCII.isDigit(byte) {
            unit /= 10
            nanoseconds += Int64(byte - ASCII.zero) * unit
            count += 1
            rest.removeFirst()
        }
        return count > 0 ? nanoseconds : nil
    }

    /// Reads `Z`, `±hh`, `±hh:mm` or `±hhmm`, in seconds.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2) else { return nil }
        let hasColon = take(":")
        let hasMinutes = hasColon || rest.first.map(ASCII.isDigit) == true
        guard let minutes = hasMinutes ? digits(2) : 0, hours <= 23, minutes <= 59 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    /// Whether the whole text has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number of one digit or more.
    mutating func number(mostDigits: Int) -> Int? {
        let found = rest.prefix(mostDigits).prefix(while: ASCII.isDigit).count
        return found > 0 ? digits(found) : nil
    }

    /// Reads one of `names`, whole or its first three letters, case aside: its index.
    ///
    /// - Parameter names: In lower-case ASCII, no one the beginning of another.
    mutating func name(of names: [String]) -> Int? {
        for (index, name) in names.enumerated() {
            for form in [name.utf8[...], name.utf8.prefix(3)]
            where rest.prefix(form.count).elementsEqual(form, by: { $0 | 0x20 == $1 }) {
                rest.removeFirst(form.count)
                return index
            }
        }
        return nil
    }

    mutating func skipSpace() {
        while let byte = rest.first, byte == ASCII.space || byte == ASCII.tab { rest.removeFirst() }
    }

    private mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let byte = rest.first, ASCII.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - ASCII.zero)
            rest.removeFirst()
        }
        return value
    }

    /// Reads `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        guard rest.starts(with: bytes) else { return false }
        rest.removeFirst(bytes.count)
        return true
    }
}
