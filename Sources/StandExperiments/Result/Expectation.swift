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
        let (fits, right) =
            switch MetricKind(metric) {
            case .span: (!isPercent, "seconds, or a duration such as 2m")
            case .share: (!isTime, "a number, or a percentage such as 90%")
            default: (!isTime && !isPercent, "a number")
            }
        return fits ? nil : "\(metric) is compared with \(right)"
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

    /// `wait.p95 < 120 s`.
    package func inWords(_ currency: String = "") -> String {
        "\(metric) \(comparison.rawValue) \(MetricUnit(of: metric, currency: currency).exact(bound))"
    }
}

package typealias Verdict = Report.Verdict

extension Report.Verdict {
    /// - Parameters:
    ///   - found: The estimate of the metric. Without observations, the expectation fails.
    ///   - setting: The values of the varied keys; empty if none was varied.
    package init(_ expectation: Expectation, found: Estimate?, setting: String = "", currency: String = "") {
        let isMet = found?.mean.map(expectation.holds(for:)) ?? false
        let value = found?.beside(bound: currency) ?? Estimate.nothing
        self.init(isMet, expectation.inWords(currency), ", found \(value)", setting)
    }

    package init(_ precision: Precision, found: Estimate?, setting: String = "", currency: String = "") {
        let isZero = found?.mean == 0 && precision.isRelative
        let advice = isZero ? "; 0 has no relative precision: use one such as \(precision.metric)=0.01" : ""
        let value = found?.rounded(currency) ?? Estimate.nothing
        self.init(found.map(precision.isMet(by:)) ?? false, precision.inWords(currency), ": \(value)", setting, advice)
    }

    private init(_ isMet: Bool, _ subject: String, _ found: String, _ setting: String, _ advice: String = "") {
        let ofSetting = setting.isEmpty ? "" : " with \(setting)"
        self.init(
            isMet: isMet, subject: subject, message: "\(isMet ? "✓" : "✗") \(subject)\(found)\(ofSetting)\(advice)")
    }
}

extension Estimate {
    /// The mean with its interval; without an interval, the mean to six digits, to compare it with a bound.
    fileprivate func beside(bound currency: String) -> String {
        guard let mean, halfWidth == nil else { return rounded(currency) }
        return MetricUnit(of: name, currency: currency).exact(mean)
    }
}
