import JuiceStand
import TextFormats

/// How narrow an interval has to be before an experiment may end: `wait.mean=1%`.
package struct Precision: Equatable, Sendable {
    package var metric: String
    /// The largest half width: of the mean's size, or in the metric's own unit.
    package var bound: Bound

    package enum Bound: Equatable, Sendable {
        case relative(Double)
        case absolute(Double)
    }

    /// Reads `METRIC=X%` or `METRIC=X`; nil where it is neither, or not above 0.
    package init?(_ text: String) {
        guard let equals = text.lastIndex(of: "=") else { return nil }
        metric = String(text[..<equals]).trimmed
        var number = String(text[text.index(after: equals)...]).trimmed
        let isRelative = number.hasSuffix("%")
        if isRelative { number.removeLast() }
        guard !metric.isEmpty, let value = Double(decimal: number), value > 0 else { return nil }
        bound = isRelative ? .relative(value / 100) : .absolute(value)
    }

    /// Replications to begin with, where fewer were asked for.
    static let fewestReplications = 10
    /// Where an interval is still too wide, the experiment ends all the same.
    package static let mostReplications = 1_000_000

    /// The largest half width that will do.
    private func target(_ estimate: Estimate) -> Double? {
        switch bound {
        case .relative(let share): estimate.mean.map { abs($0) * share }
        case .absolute(let width): width
        }
    }

    package func isMet(by estimate: Estimate) -> Bool {
        guard let halfWidth = estimate.halfWidth, let target = target(estimate) else { return false }
        return halfWidth <= target
    }

    /// How many replications to have run before looking again: what the width so far promises, with a tenth more, but
    /// at most four times as many. Depends on the figures alone, so that the end does too.
    func nextReplications(after estimate: Estimate, of count: Int) -> Int {
        let most = min(4 * count, Self.mostReplications)
        // Without an observation, or around a mean of exactly 0, more of the same would not help.
        guard estimate.count > 0, let target = target(estimate), target > 0 else { return count }
        guard let halfWidth = estimate.halfWidth else { return most }
        let needed = Double(count) * (halfWidth / target) * (halfWidth / target) * 1.1
        return needed < Double(most) ? max(count + 1, Int(needed.rounded(.up))) : most
    }
}

extension Precision: CustomStringConvertible {
    package var description: String {
        switch bound {
        case .relative(let share): "\(metric) within \(Columns.readable(share * 100))%"
        case .absolute(let width): "\(metric) within \(Columns.readable(width))"
        }
    }
}
