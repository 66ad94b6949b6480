import JuiceStand
import TextFormats

/// The kind of quantity that a metric measures, by its name.
enum MetricKind {
    /// From 0 to 1.
    case share
    case money
    /// In seconds.
    case span
    case hours
    /// Customers per second of stand time.
    case throughput
    /// Orders per second of the wall clock.
    case speed
    /// Customers, cups, pieces or events.
    case number

    init(_ metric: String) {
        let spans = ["wait.", "stay.", "lateness.", "delivery."]
        self =
            switch metric {
            case "fillRate", "waitProbability", "makers.utilization": .share
            case "revenue", "profit": .money
            case "throughput": .throughput
            case "lateness.caughtUp", "delivery.count": .number
            case Experiment.timingMetric: .speed
            case _ where metric.hasPrefix("cost."): .money
            case _ where metric.hasPrefix("stock."):
                metric.hasSuffix(".shortFraction") || metric.hasSuffix(".soldOutFraction") ? .share : .number
            case _ where spans.contains { metric.hasPrefix($0) }: .span
            case _ where metric.hasSuffix(".hours"): .hours
            default: .number
            }
    }
}

/// How people read the values of a metric: shares in per cent, money with two decimals, times with their unit.
struct MetricUnit {
    private let scale: Double
    private let text: String
    private let isMoney: Bool

    /// - Parameter currency: Empty where the column or the axis names it.
    init(of name: String, currency: String) {
        let kind = MetricKind(name)
        isMoney = kind == .money
        (scale, text) =
            switch kind {
            case .share: (100, "%")
            case .money: (1, currency.isEmpty ? "" : " " + currency)
            case .span: (1, " s")
            case .hours: (1, " h")
            case .throughput: (3600, " an hour")
            case .speed: (1, " a second")
            case .number: (1, "")
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

    /// A given value, such as a bound, with up to six digits.
    func exact(_ value: Double) -> String { Columns.factor(value * scale) + text }

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

    /// A difference with its sign.
    func signed(_ difference: Double, halfWidth: Double?) -> String {
        (difference > 0 ? "+" : "") + rounded(difference, halfWidth: halfWidth)
    }

    /// The half-width to show; nil without an interval, or if the width is only rounding error.
    private static func size(_ halfWidth: Double?, beside value: Double) -> Double? {
        halfWidth.map { Columns.withoutNoise($0, beside: value) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The ends of an interval: `9.1 to 12.4 s`.
    ///
    /// - Parameter halfWidth: Determines the decimals. Half the width of the interval before it was cut.
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

// Figures for people, with the digits that are significant. JSON has all digits.
extension Estimate {
    static let nothing = "no observations"

    /// The confidence interval; nil without one. Not for differences.
    ///
    /// The interval of a share is cut at 0 and 1. The true share is never outside of them.
    var interval: ClosedRange<Double>? {
        guard let mean, let whole = wholeInterval, MetricKind(name) == .share else { return wholeInterval }
        return min(mean, max(0, whole.lowerBound))...max(mean, min(1, whole.upperBound))
    }

    /// The interval, if it is cut at 0 or 1 and so has no half-width to print.
    private var cutInterval: ClosedRange<Double>? {
        guard let halfWidth = shownHalfWidth, halfWidth > 0, interval != wholeInterval else { return nil }
        return interval
    }

    /// The half-width for texts: 0 if it is only rounding error.
    var shownHalfWidth: Double? {
        guard let mean, let halfWidth else { return nil }
        return Columns.withoutNoise(halfWidth, beside: mean)
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
        mean.map { MetricUnit(of: name, currency: currency).signed($0, halfWidth: halfWidth) } ?? Self.nothing
    }

    /// The interval: `9.1 to 12.4 s`; nil without one.
    func roundedInterval(_ currency: String = "") -> String? {
        guard let interval, let halfWidth = shownHalfWidth, halfWidth > 0 else { return nil }
        return MetricUnit(of: name, currency: currency).rounded(interval, beside: halfWidth)
    }
}
