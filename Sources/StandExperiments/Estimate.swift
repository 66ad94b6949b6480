import JuiceStand
import TextFormats

/// A figure with its uncertainty, over replications.
package struct Estimate: Equatable, Sendable {
    package var name: String
    /// nil where no replication had an observation.
    package var mean: Double?
    /// Half the width of the confidence interval by Student's t; nil for fewer than two replications.
    package var halfWidth: Double?
    /// Replications with an observation.
    package var count: Int

    package static let confidence = 0.95

    /// The estimate from each replication's own value, nil where it had no observation.
    ///
    /// The replications are independent and so are their values: Law, Simulation Modeling and Analysis, 9.4.1.
    package init(name: String, of values: some Collection<Double?>) {
        self.name = name
        var sum = 0.0
        count = 0
        for case .some(let value) in values {
            sum += value
            count += 1
        }
        guard count > 0 else { return }
        let mean = sum / Double(count)
        self.mean = mean
        guard count > 1 else { return }
        var squares = 0.0
        for case .some(let value) in values { squares += (value - mean) * (value - mean) }
        let standardError = (squares / Double(count - 1) / Double(count)).squareRoot()
        halfWidth = standardError * StudentT.halfWidth(confidence: Self.confidence, degrees: count - 1)
    }
}

extension Estimate: CustomStringConvertible {
    /// `12.5 ± 0.3`, as people read it.
    package var description: String {
        guard let mean else { return "no observations" }
        return Columns.readable(mean) + (halfWidth.map { " ± " + Columns.readable($0) } ?? "")
    }

    /// A difference: `+12.5 ± 0.3` where it is positive.
    var signedDescription: String { ((mean ?? 0) > 0 ? "+" : "") + description }
}
