import JuiceStand
import TextFormats

/// How people read the values of a metric: shares in per cent, money with two decimals, times with their unit.
struct MetricUnit {
    private let scale: Double
    private let text: String
    private let isMoney: Bool

    /// - Parameter currency: Empty where the column or the axis names it.
    init(of name: String, currency: String) {
        isMoney = Estimate.isMoney(name)
        let isTime = ["wait.", "stay.", "lateness.", "delivery."].contains { name.hasPrefix($0) }
        (scale, text) =
            if Estimate.isShare(name) {
                (100, "%")
            } else if isMoney {
                (1, currency.isEmpty ? "" : " " + currency)
            } else if isTime, name != "lateness.caughtUp", name != "delivery.count" {
                (1, " s")
            } else if name.hasSuffix(".hours") {
                (1, " h")
            } else if name == "throughput" {
                (3600, " an hour")
            } else if name == Experiment.timingMetric {
                (1, " a second")
            } else {
                (1, "")
            }
    }

    /// For a time of about `seconds`: seconds, minutes or hours.
    init(forTime seconds: Double) {
        isMoney = false
        (scale, text) =
            switch seconds {
            case ..<119.5: (1, " s")
            case ..<7200: (1.0 / 60, " min")
            default: (1.0 / 3600, " h")
            }
    }

    /// A value: money with two decimals, a whole number with all digits and any other with three.
    func rounded(_ value: Double) -> String {
        (isMoney ? Columns.fixed(value, decimals: 2) : Columns.rounded(value * scale)) + text
    }

    /// A value with the decimals that give two digits of half the width of its interval.
    func rounded(_ value: Double, beside halfWidth: Double?) -> String {
        guard let size = Self.size(halfWidth, beside: value) else { return rounded(value) }
        return number(value, decimals(of: value, beside: size)) + text
    }

    /// A value and half the width of its interval, with the same decimals: `12.5 ± 0.3 s`.
    func rounded(_ value: Double, halfWidth: Double?) -> String {
        guard let size = Self.size(halfWidth, beside: value) else { return rounded(value) }
        let decimals = decimals(of: value, beside: size)
        return number(value, decimals) + (text == "%" ? "%" : "") + " ± " + number(size, decimals) + text
    }

    /// Nil without an interval, or if its width is a rounding error.
    private static func size(_ halfWidth: Double?, beside value: Double) -> Double? {
        halfWidth.map { Columns.withoutNoise($0, beside: value) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The ends of an interval: `9.1 to 12.4 s`.
    ///
    /// - Parameter halfWidth: Tells the decimals. A cut interval is shorter.
    func rounded(_ interval: ClosedRange<Double>, beside halfWidth: Double) -> String {
        let decimals = decimals(of: interval.upperBound, beside: halfWidth)
        let ends = [interval.lowerBound, interval.upperBound].map { end in
            text == "%" && [0, 1].contains(end) ? "\(Int(end * 100))" : number(end, decimals)
        }
        return text == "%" ? "\(ends[0])% to \(ends[1])%" : "\(ends[0]) to \(ends[1])\(text)"
    }

    /// The decimals that give two digits of `size`; nil if either is too large or too small for that.
    private func decimals(of value: Double, beside size: Double) -> Int? {
        guard !isMoney else { return 2 }
        var size = abs(size) * scale
        guard abs(value * scale) < 1e9, size < 1e9, size > 1e-9 else { return nil }
        var decimals = size >= 10 ? 0 : 1
        while size < 1 {
            size *= 10
            decimals += 1
        }
        return decimals
    }

    private func number(_ value: Double, _ decimals: Int?) -> String {
        decimals.map { Columns.fixed(value * scale, decimals: $0) } ?? Columns.readable(value * scale)
    }
}

// Figures for people, without digits that mean nothing. JSON has all.
extension Estimate {
    static let nothing = "no observations"

    static func isMoney(_ name: String) -> Bool {
        ["revenue", "profit"].contains(name) || name.hasPrefix("cost.")
    }

    /// The mean alone: `12.5 s`.
    func roundedMean(_ currency: String = "") -> String {
        guard let mean else { return Self.nothing }
        return MetricUnit(of: name, currency: currency).rounded(mean, beside: halfWidth)
    }

    /// `12.5 ± 0.3 s`, or `99% (97% to 100%)` for a share whose interval is cut.
    package func rounded(_ currency: String = "") -> String {
        guard let mean else { return Self.nothing }
        let unit = MetricUnit(of: name, currency: currency)
        guard let cutInterval, let halfWidth else { return unit.rounded(mean, halfWidth: halfWidth) }
        return "\(roundedMean(currency)) (\(unit.rounded(cutInterval, beside: halfWidth)))"
    }

    /// A difference with its sign: `+12.5 ± 0.3 s`.
    func signed(_ currency: String = "") -> String {
        guard let mean else { return Self.nothing }
        return Self.signed(mean, halfWidth: halfWidth, of: name, currency)
    }

    /// A difference of the metric called `name`, with its sign.
    static func signed(_ difference: Double, halfWidth: Double?, of name: String, _ currency: String = "") -> String {
        let text = MetricUnit(of: name, currency: currency).rounded(difference, halfWidth: halfWidth)
        return (difference > 0 ? "+" : "") + text
    }

    /// The interval: `9.1 to 12.4 s`; nil without one.
    func roundedInterval(_ currency: String = "") -> String? {
        guard let interval, let halfWidth = shownHalfWidth, halfWidth > 0 else { return nil }
        return MetricUnit(of: name, currency: currency).rounded(interval, beside: halfWidth)
    }
}
