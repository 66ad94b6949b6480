import TextFormats

// Figures for people: shares in per cent, money with two decimals, without digits that mean nothing. JSON has all.
extension Estimate {
    /// The mean and half the width of its interval: two digits of the half-width, and as many decimals of the mean.
    ///
    /// Without an interval, a whole number keeps all digits and any other three. Nil without observations.
    var rounded: (mean: String, halfWidth: String?)? {
        guard let mean else { return nil }
        return Self.rounded(mean, halfWidth: shownHalfWidth, of: name)
    }

    /// A value of the metric called `name`, and half the width of its interval if that is not 0.
    static func rounded(_ value: Double, halfWidth: Double?, of name: String) -> (mean: String, halfWidth: String?) {
        guard let halfWidth, Columns.withoutNoise(halfWidth, beside: value) > 0 else {
            return (rounded(value, of: name), nil)
        }
        return (text(value, beside: halfWidth, of: name), text(halfWidth, beside: halfWidth, of: name))
    }

    /// A value of the metric called `name`.
    static func rounded(_ value: Double, of name: String) -> String {
        isMoney(name)
            ? Columns.fixed(value, decimals: 2)
            : isShare(name) ? Columns.rounded(value * 100) + "%" : Columns.rounded(value)
    }

    /// A difference of the metric called `name`, with its sign: `+12.5 ± 0.3`.
    static func signed(_ difference: Double, halfWidth: Double?, of name: String) -> String {
        let (mean, halfWidth) = rounded(difference, halfWidth: halfWidth, of: name)
        return (difference > 0 ? "+" : "") + mean + (halfWidth.map { " ± " + $0 } ?? "")
    }

    /// What follows a value of the metric called `name`: its currency, or nothing.
    static func unit(of name: String, currency: String) -> String { isMoney(name) ? " " + currency : "" }

    static func isMoney(_ name: String) -> Bool {
        ["revenue", "profit"].contains(name) || name.hasPrefix("cost.")
    }

    /// `12.5 ± 0.3`, or `99% (97% to 100%)` for a share whose interval is cut.
    package var roundedDescription: String {
        guard let (mean, spread) = roundedSpread else { return "no observations" }
        return spread.map { "\(mean) \($0)" } ?? mean
    }

    /// The mean and the text of its interval: `± 0.3`, or `(97% to 100%)` for a share whose interval is cut.
    var roundedSpread: (mean: String, spread: String?)? {
        guard let (mean, halfWidth) = rounded else { return nil }
        guard let cutInterval, let size = self.halfWidth else { return (mean, halfWidth.map { "± \($0)" }) }
        let ends = [cutInterval.lowerBound, cutInterval.upperBound].map {
            $0 == $0.rounded() ? "\(Int($0 * 100))%" : Self.text($0, beside: size, of: name)
        }
        return (mean, "(\(ends[0]) to \(ends[1]))")
    }

    /// A difference with its sign: `+12.5 ± 0.3`.
    var signedRounded: String {
        mean.map { Self.signed($0, halfWidth: shownHalfWidth, of: name) } ?? "no observations"
    }

    /// The ends of the interval: `9.1 to 12.4`; nil without one.
    var roundedInterval: String? {
        guard let interval = wholeInterval, let halfWidth = shownHalfWidth, halfWidth > 0 else { return nil }
        return [interval.lowerBound, interval.upperBound].map { Self.text($0, beside: halfWidth, of: name) }
            .joined(separator: " to ")
    }

    /// `number` with the decimals that give two digits of `size`.
    private static func text(_ number: Double, beside size: Double, of name: String) -> String {
        guard !isMoney(name) else { return Columns.fixed(number, decimals: 2) }
        let (scale, unit) = isShare(name) ? (100.0, "%") : (1, "")
        var size = abs(size) * scale
        guard abs(number * scale) < 1e9, size < 1e9, size > 1e-9 else { return Columns.readable(number * scale) + unit }
        var decimals = size >= 10 ? 0 : 1
        while size < 1 { (size, decimals) = (size * 10, decimals + 1) }
        return Columns.fixed(number * scale, decimals: decimals) + unit
    }
}
