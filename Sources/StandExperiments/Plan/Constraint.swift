import TextFormats

/// A bound on the mean of a metric, or of a sum of metrics: `wait.p95 < 60`.
package struct Constraint: Equatable, Sendable {
    package let sum: MetricSum
    package let comparison: Expectation.Comparison
    package let bound: Double

    /// Reads `METRIC OP VALUE`, where OP is `<`, `<=`, `>` or `>=`.
    ///
    /// - Parameter metrics: All metric names.
    package init(_ text: String, metrics: [String]) throws(TextProblem) {
        guard let (left, comparison, right) = Expectation.Comparison.split(text, at: Self.comparisons) else {
            throw TextProblem("expected <, <=, > or >= and a number, such as wait.p95<60", column: text.count + 1)
        }
        sum = try MetricSum(String(left), metrics: metrics)
        self.comparison = comparison
        let value = right.trimmed
        let column = text.distance(from: text.startIndex, to: right.startIndex) + 1
        guard let bound = Bound(value) else {
            throw TextProblem("expected a number, found \(value.isEmpty ? "the end" : "\"\(value)\"")", column: column)
        }
        for term in sum.terms {
            if let problem = bound.problem(for: term.metric) { throw TextProblem(problem, column: column) }
        }
        self.bound = bound.value
    }

    private static let comparisons: [Expectation.Comparison] = [.atMost, .atLeast, .below, .above]

    var isUpper: Bool { comparison == .atMost || comparison == .below }

    /// How far a value of the sum is beyond the bound; negative if it satisfies the constraint.
    func excess(of value: Double) -> Double { isUpper ? value - bound : bound - value }

    /// Whether a value with this ``excess(of:)`` satisfies the constraint.
    func allows(excess: Double) -> Bool {
        comparison == .below || comparison == .above ? excess < 0 : excess <= 0
    }
}

extension Constraint: CustomStringConvertible {
    /// The name in JSON. People read ``inWords(_:)``.
    package var description: String { "\(sum) \(comparison.rawValue) \(Columns.readable(bound))" }

    /// `wait.p95 < 60 s`.
    func inWords(_ currency: String) -> String {
        "\(sum) \(comparison.rawValue) \(sum.unit(currency: currency).exact(bound))"
    }
}
