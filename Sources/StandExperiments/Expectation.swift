import JuiceStand
import Reports
import TextFormats

/// A bound as people write it: a number, a duration such as `2m` or a percentage such as `90%`.
struct Bound {
    /// In the unit of the metric: a duration in seconds, a percentage as a fraction.
    let value: Double
    private let isTime: Bool
    private let isPercent: Bool

    /// Returns nil for any other text.
    init?(_ text: String) {
        isPercent = text.hasSuffix("%")
        let number = Double(decimal: isPercent ? String(text.dropLast()) : text)
        let nanoseconds = number == nil ? DurationText.nanoseconds(text) : nil
        isTime = nanoseconds != nil
        guard let value = number ?? nanoseconds.map({ SimulationTime(nanoseconds: $0).seconds }) else { return nil }
        self.value = isPercent ? value / 100 : value
    }

    /// What is wrong with the unit of the bound; nil if it fits the metric.
    func problem(for metric: String) -> String? {
        let words = metric.split(separator: ".")
        let isSpan =
            words.count == 2 && ["wait", "stay", "lateness", "delivery"].contains(words[0])
            && !["count", "caughtUp"].contains(words[1])
        let isShare = Estimate.isShare(metric)
        guard isTime && !isSpan || isPercent && !isShare else { return nil }
        let right =
            isSpan
            ? "seconds, or a duration such as 2m" : isShare ? "a number, or a percentage such as 90%" : "a number"
        return "\(metric) is compared with \(right)"
    }
}

/// A condition on a metric: `wait.p95<120`, `wait.p95<2m` or `fillRate>90%`.
package struct Expectation: Equatable, Sendable {
    package enum Comparison: String, CaseIterable, Sendable {
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case above = ">"

        /// Splits a text at its operator, one of `known`; nil without one.
        static func split(
            _ text: String, at known: [Self] = allCases
        ) -> (left: Substring, comparison: Self, right: Substring)? {
            // The longer operators come first, so that `<=` is not read as `<`.
            for comparison in allCases where known.contains(comparison) {
                guard let range = text.firstRange(of: comparison.rawValue) else { continue }
                return (text[..<range.lowerBound], comparison, text[range.upperBound...])
            }
            return nil
        }
    }

    package var metric: String
    package var comparison: Comparison
    package var bound: Double
    /// What is wrong with the unit of the bound; nil if it fits the metric.
    package var problem: String?

    /// Reads `METRIC OP VALUE`. Spaces around the operator are optional. Returns nil for any other text.
    package init?(_ text: String) {
        guard let (metric, comparison, value) = Comparison.split(text), let bound = Bound(value.trimmed) else {
            return nil
        }
        self.metric = metric.trimmed
        self.comparison = comparison
        self.bound = bound.value
        problem = bound.problem(for: self.metric)
        guard !self.metric.isEmpty, !self.metric.contains(where: "<>=!".contains) else { return nil }
    }

    package func holds(for value: Double) -> Bool {
        switch comparison {
        case .atMost: value <= bound
        case .atLeast: value >= bound
        case .equal: value == bound
        case .unequal: value != bound
        case .below: value < bound
        case .above: value > bound
        }
    }
}

extension Expectation: CustomStringConvertible {
    package var description: String { "\(metric) \(comparison.rawValue) \(Columns.readable(bound))" }
}

package typealias Verdict = Report.Verdict

extension Report.Verdict {
    /// - Parameters:
    ///   - found: The estimate of the metric. Without observations, the expectation fails.
    ///   - setting: The values of the varied keys; empty if none was varied.
    package init(_ expectation: Expectation, found: Estimate?, setting: String = "") {
        let isMet = found?.mean.map(expectation.holds(for:)) ?? false
        self.init(
            isMet: isMet,
            message: Self.line(isMet, "\(expectation), found \(found?.description ?? Estimate.nothing)", setting))
    }

    package init(_ precision: Precision, found: Estimate?, setting: String = "") {
        let isMet = found.map(precision.isMet(by:)) ?? false
        let line = Self.line(isMet, "\(precision): \(found?.description ?? Estimate.nothing)", setting)
        let isZero = found?.mean == 0 && precision.isRelative
        self.init(
            isMet: isMet,
            message: isZero ? "\(line); 0 has no relative precision: use one such as \(precision.metric)=0.01" : line)
    }

    private static func line(_ isMet: Bool, _ text: String, _ setting: String) -> String {
        let mark = isMet ? "✓" : "✗"
        return setting.isEmpty ? "\(mark) \(text)" : "\(mark) \(text) with \(setting)"
    }
}
