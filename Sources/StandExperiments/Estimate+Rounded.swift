import TextFormats

extension Estimate {
    /// The mean and half the width of its interval, without digits that the interval makes meaningless: two digits of
    /// the half-width, and as many decimals of the mean.
    ///
    /// Without an interval, a whole number keeps all digits and any other three. Nil without observations.
    var rounded: (mean: String, halfWidth: String?)? {
        guard let mean else { return nil }
        guard let halfWidth = shownHalfWidth, halfWidth > 0 else { return (Self.text(mean, digits: 3, of: mean), nil) }
        return (Self.text(mean, digits: 2, of: halfWidth), Self.text(halfWidth, digits: 2, of: halfWidth))
    }

    /// `12.5 ± 0.3`, or `0.99 (0.97 to 1)` for a share whose interval is cut.
    package var roundedDescription: String {
        guard let (mean, spread) = roundedSpread else { return "no observations" }
        return mean + (spread.map { " " + $0 } ?? "")
    }

    /// The mean and the text of its interval: `± 0.3`, or `(0.97 to 1)` for a share whose interval is cut.
    var roundedSpread: (mean: String, spread: String?)? {
        guard let (mean, halfWidth) = rounded else { return nil }
        guard let cutInterval, let size = self.halfWidth else { return (mean, halfWidth.map { "± " + $0 }) }
        let ends = [cutInterval.lowerBound, cutInterval.upperBound].map {
            $0 == $0.rounded() ? "\(Int($0))" : Self.text($0, digits: 2, of: size)
        }
        return (mean, "(\(ends[0]) to \(ends[1]))")
    }

    /// A difference with its sign: `+12.5 ± 0.3`.
    var signedRounded: String {
        guard let (mean, halfWidth) = rounded else { return "no observations" }
        return ((self.mean ?? 0) > 0 ? "+" : "") + mean + (halfWidth.map { " ± " + $0 } ?? "")
    }

    /// The ends of the interval: `9.1 to 12.4`; nil without one.
    var roundedInterval: String? {
        guard let mean, let halfWidth = shownHalfWidth, halfWidth > 0 else { return nil }
        return [mean - halfWidth, mean + halfWidth].map { Self.text($0, digits: 2, of: halfWidth) }
            .joined(separator: " to ")
    }

    /// `number` with the decimals that give `digits` digits of `size`.
    private static func text(_ number: Double, digits: Int, of size: Double) -> String {
        // A whole number without an interval is exact.
        guard number != size || number != number.rounded() else { return Columns.readable(number) }
        guard abs(number) < 1e9, abs(size) < 1e9, abs(size) > 1e-9 else { return Columns.readable(number) }
        var decimals = digits - 1
        var size = abs(size)
        while size >= 10, decimals > 0 {
            size /= 10
            decimals -= 1
        }
        while size < 1 {
            size *= 10
            decimals += 1
        }
        return Columns.fixed(number, decimals: decimals)
    }
}
