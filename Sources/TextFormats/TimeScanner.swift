/// Reads the parts of a date and time from front to back.
struct TimeScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text.utf8[...] }

    /// Whether the whole text has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number with as many digits as `digits` allows.
    mutating func number(digits: ClosedRange<Int>) -> Int? {
        var value = 0
        var count = 0
        while count < digits.upperBound, let byte = rest.first, ASCII.isDigit(byte) {
            value = value * 10 + Int(byte - ASCII.zero)
            count += 1
            rest.removeFirst()
        }
        return count >= digits.lowerBound ? value : nil
    }

    /// Reads the digits after a decimal point, as nanoseconds. Digits after the ninth are dropped, so that the second
    /// never becomes the next one.
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

    /// Reads `Z`, `±hh`, `±hh:mm` or `±hhmm`, as seconds.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(digits: 2...2) else { return nil }
        let hasColon = take(":")
        let hasMinutes = hasColon || rest.first.map(ASCII.isDigit) == true
        guard let minutes = hasMinutes ? number(digits: 2...2) : 0, hours <= 23, minutes <= 59 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    /// Reads one of `names`, whole or abbreviated to three letters, in either case, and returns its index.
    ///
    /// - Parameter names: Lower-case ASCII; none is the beginning of another.
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

    /// Reads `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        guard rest.starts(with: bytes) else { return false }
        rest.removeFirst(bytes.count)
        return true
    }
}
