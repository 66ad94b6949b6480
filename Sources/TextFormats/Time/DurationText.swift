/// Reads durations and numbers of seconds as whole nanoseconds.
package enum DurationText {
    /// The nanoseconds in a second.
    package static let second: Int64 = 1_000_000_000

    private static let units = [
        ("ms", second / 1000), ("s", second), ("m", 60 * second), ("h", 3600 * second), ("d", 86400 * second),
    ]

    /// The nanoseconds of a duration such as `"250ms"`, `"30s"`, `"5m"`, `"1.5h"`, `"2d"` or `"1e9s"`, rounded to the
    /// nearest nanosecond.
    ///
    /// Returns nil for any other text: a sign, spaces, another unit or none, or more than 292 years.
    package static func nanoseconds(_ text: String) -> Int64? {
        guard let (name, unit) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        return nanoseconds(decimal: text.utf8.dropLast(name.utf8.count), unit: unit)
    }

    /// The nanoseconds of a decimal number of seconds, from 0; nil for any other text.
    package static func nanoseconds(decimal text: String) -> Int64? {
        nanoseconds(decimal: text.utf8[...], unit: second)
    }

    /// The nanoseconds of a duration, or of a decimal number of seconds without a unit.
    package static func nanoseconds(unitOptional text: String) -> Int64? {
        nanoseconds(text) ?? Double(decimal: text).flatMap { nanoseconds(seconds: $0) }
    }

    /// The nanoseconds of a number of seconds, read as the shortest decimal number that gives this `Double`.
    ///
    /// So 0.1 is exactly 100,000,000. Returns nil for a negative, infinite or too large number.
    package static func nanoseconds(seconds: Double) -> Int64? {
        guard seconds >= 0 && seconds.isFinite else { return nil }
        return nanoseconds(decimal: "\(seconds.magnitude)".utf8[...], unit: second)
    }

    /// The nanoseconds of an unsigned decimal number of units. The point and the exponent are optional.
    static func nanoseconds(decimal text: Substring.UTF8View, unit: Int64) -> Int64? {
        var rest = text
        // A number of 24 digits times the nanoseconds of a day fits 128 bits. Further digits don't influence the
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

    /// The value of `e` and a whole number; 0 for no text, nil for any other.
    private static func exponent(_ text: Substring.UTF8View) -> Int? {
        guard let mark = text.first else { return 0 }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return nil }
        guard let exponent = Int(Substring(text.dropFirst())) else { return nil }
        // Larger exponents give 0 or a number that does not fit. The clamp keeps later sums from overflowing.
        return min(max(exponent, -1_000_000_000), 1_000_000_000)
    }

    /// `value` × 10^`power`, rounded to the nearest; nil if it does not fit.
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

// MARK: - Plain numbers

extension Double {
    /// Reads a decimal number such as `2`, `0.5` or `-1.5e3`.
    ///
    /// Returns nil for any other text. Unlike `Double.init(_:)`, it accepts no hexadecimal digits and no names such as
    /// `inf`.
    package init?(decimal text: some StringProtocol) {
        let isDecimal = text.utf8.allSatisfy { byte in
            ASCII.isDigit(byte)
                || [ASCII.point, ASCII.plus, ASCII.minus, UInt8(ascii: "e"), UInt8(ascii: "E")].contains(byte)
        }
        guard isDecimal, let number = Double(String(text)), number.isFinite else { return nil }
        self = number
    }
}
