/// Reads durations and numbers of seconds, exactly, as whole nanoseconds.
package enum DurationText {
    /// The nanoseconds in a second.
    package static let second: Int64 = 1_000_000_000

    /// The nanoseconds of a duration such as `"250ms"`, `"30s"`, `"5m"`, `"1.5h"` or `"2d"`.
    ///
    /// What is finer than a nanosecond is rounded to the nearest. Nil for anything else: a sign, spaces, another unit,
    /// no unit, or more than 292 years.
    package static func nanoseconds(_ text: String) -> Int64? {
        let number = text.utf8.prefix { ASCII.isDigit($0) || $0 == ASCII.point }
        let unit: Int64
        switch text[number.endIndex...] {
        case "ms": unit = second / 1000
        case "s": unit = second
        case "m": unit = 60 * second
        case "h": unit = 3600 * second
        case "d": unit = 86400 * second
        default: return nil
        }
        return nanoseconds(decimal: number, unit: unit)
    }

    /// The nanoseconds of a number of seconds, taken for the shortest decimal number that reads as this `Double`.
    ///
    /// So 0.1 is exactly 100 000 000. Nil when it is negative, not finite or too large.
    package static func nanoseconds(seconds: Double) -> Int64? {
        guard seconds >= 0 && seconds.isFinite else { return nil }
        return nanoseconds(decimal: "\(seconds.magnitude)".utf8[...], unit: second)
    }

    /// The nanoseconds of an unsigned decimal number of units, with or without a point and an exponent.
    static func nanoseconds(decimal text: Substring.UTF8View, unit: Int64) -> Int64? {
        var rest = text
        // As many digits as, times the nanoseconds of a day, fit into 128 bits; any further ones are below all
        // rounding.
        let mostDigits = 24
        var digits: UInt128 = 0
        var kept = 0
        var power = 0
        var hasDigit = false
        var isFraction = false
        while let byte = rest.first, ASCII.isDigit(byte) || (byte == ASCII.point && !isFraction) {
            rest.removeFirst()
            if byte == ASCII.point {
                isFraction = true
                continue
            }
            hasDigit = true
            if kept < mostDigits {
                digits = digits * 10 + UInt128(byte - ASCII.zero)
                if digits > 0 { kept += 1 }
                if isFraction { power -= 1 }
            } else if !isFraction {
                power += 1
            }
        }
        guard hasDigit, let exponent = exponent(rest) else { return nil }
        return scaled(digits * UInt128(unit), power: power + exponent)
    }

    /// `e` and a whole number, or nothing; nil for anything else.
    private static func exponent(_ text: Substring.UTF8View) -> Int? {
        guard let mark = text.first else { return 0 }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return nil }
        guard let exponent = Int(Substring(text.dropFirst())) else { return nil }
        // Beyond this the result is nothing or too large; the clamp keeps the sum with another power from overflowing.
        return min(max(exponent, -1_000_000_000), 1_000_000_000)
    }

    /// `value` × 10^`power`, rounded to the nearest; nil when it does not fit.
    private static func scaled(_ value: UInt128, power: Int) -> Int64? {
        if value == 0 { return 0 }
        var scale: UInt128 = 1
        for _ in 0..<abs(power) {
            let (product, isTooLarge) = scale.multipliedReportingOverflow(by: 10)
            // Less than half a nanosecond, or more than 292 years.
            if isTooLarge { return power < 0 ? 0 : nil }
            scale = product
        }
        if power < 0 { return Int64(exactly: value / scale + (value % scale >= scale - scale / 2 ? 1 : 0)) }
        let (product, isTooLarge) = value.multipliedReportingOverflow(by: scale)
        return isTooLarge ? nil : Int64(exactly: product)
    }
}
