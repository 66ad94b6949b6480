import JuiceStand
import TextFormats

/// A width: a share of a mean, or a number in its unit.
package enum Tolerance: Equatable, Sendable {
    case relative(Double)
    case absolute(Double)

    /// The width for a mean, in its unit.
    func width(of mean: Double) -> Double {
        switch self {
        case .relative(let share): abs(mean) * share
        case .absolute(let width): width
        }
    }
}

/// The confidence interval that an experiment must reach before it ends: `wait.mean=1%`.
package struct Precision: Equatable, Sendable {
    package var metric: String
    /// The largest half width.
    package var bound: Tolerance

    var isRelative: Bool { if case .relative = bound { true } else { false } }

    /// Reads `METRIC=X%` or `METRIC=X`, with X above 0. Returns nil for any other text.
    package init?(_ text: String) {
        guard let equals = text.lastIndex(of: "=") else { return nil }
        metric = String(text[..<equals]).trimmed
        var number = String(text[text.index(after: equals)...]).trimmed
        let isRelative = number.hasSuffix("%")
        if isRelative { number.removeLast() }
        guard !metric.isEmpty, let value = Double(decimal: number), value > 0 else { return nil }
        bound = isRelative ? .relative(value / 100) : .absolute(value)
    }

    /// The least number of replications to begin with.
    ///
    /// With fewer, the first width is so uncertain that experiments end too early: with 10, intervals of a mean wait
    /// within 20% contained the true mean in 88% of 3,000 trials, and with 30 in 91%.
    static let fewestReplications = 30
    /// The most replications, even if the interval is still too wide.
    package static let mostReplications = 1_000_000

    /// The largest half width that meets the precision; nil if it is not known.
    private func target(_ estimate: Estimate) -> Double? {
        let width = bound.width(of: estimate.mean ?? 0)
        // The width relative to a mean of 0 is unknown: more replications may show another mean.
        return width > 0 ? width : nil
    }

    /// Whether the interval is narrow enough. False for a single replication, which has no interval, and for a relative
    /// precision of a mean of 0.
    package func isMet(by estimate: Estimate) -> Bool {
        guard let halfWidth = estimate.halfWidth, let target = target(estimate) else { return false }
        return halfWidth <= target
    }

    /// The number of replications after which to check the interval again: as many as its width suggests and a tenth
    /// more, but at most four times as many as before. It depends on the figures alone, so equal seeds end equally.
    func nextReplications(after estimate: Estimate, of count: Int) -> Int {
        let most = min(4 * count, Self.mostReplications)
        // Without an observation, or relative to a mean of 0, more replications are unlikely to help.
        guard estimate.count > 0, let target = target(estimate) else { return count }
        guard let halfWidth = estimate.halfWidth else { return most }
        let needed = Double(count) * (halfWidth / target) * (halfWidth / target) * 1.1
        return needed < Double(most) ? max(count + 1, Int(needed.rounded(.up))) : most
    }

    /// `wait.mean within 1% of its mean`, or `wait.mean within 2 s`.
    package func inWords(_ currency: String = "") -> String {
        let width =
            switch bound {
            case .relative(let share): Columns.factor(share * 100) + "% of its mean"
            case .absolute(let width): MetricUnit(of: metric, currency: currency).exact(width)
            }
        return "\(metric) within \(width)"
    }
}
