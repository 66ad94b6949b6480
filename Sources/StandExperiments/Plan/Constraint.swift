import TextFormats

/// A bound on the mean of a metric, or of a sum of metrics: `wait.p95 < 60`.
package struct Constraint: Equatable, Sendable {
    package let sum: MetricSum
    package let comparison: Expectation.Comparison
    package let bound: Double

    /// Reads `METRIC OP VALUE`, where OP is `<`, `<=`, `>` or `>=`.
    ///
    /// - Parameter metrics: All metric names.
    package init(_ text: String, metrics: [String]) throws(MetricSum.Problem) {
        // The longer operators come first, so that `<=` is not read as `<`.
        for comparison in [Expectation.Comparison.atMost, .atLeast, .below, .above] {
            guard let range = text.firstRange(of: comparison.rawValue) else { continue }
            sum = try MetricSum(String(text[..<range.lowerBound]), metrics: metrics)
            self.comparison = comparison
            let value = String(text[range.upperBound...]).trimmed
            guard let bound = Double(decimal: value) else {
                throw .init(
                    column: text.distance(from: text.startIndex, to: range.upperBound) + 1,
                    message: "expected a number, found \(value.isEmpty ? "the end" : "\"\(value)\"")")
            }
            self.bound = bound
            return
        }
        throw .init(column: text.count + 1, message: "expected <, <=, > or >= and a number, such as wait.p95<60")
    }

    private var isUpper: Bool { comparison == .atMost || comparison == .below }

    /// How far a value of the sum is beyond the bound; negative if it satisfies the constraint.
    func excess(of value: Double) -> Double { isUpper ? value - bound : bound - value }
}

extension Constraint: CustomStringConvertible {
    package var description: String { "\(sum) \(comparison.rawValue) \(Columns.readable(bound))" }
}
