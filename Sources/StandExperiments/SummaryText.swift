import JuiceStand
import TextFormats

/// The figures of one run as text: totals, then every metric with its interval.
package struct SummaryText {
    package var metrics: [Estimate]
    /// The differences from the first setting; empty if nothing was varied.
    package var differences: [Estimate]
    package var currency: String

    package init(metrics: [Estimate], differences: [Estimate] = [], currency: String) {
        self.metrics = metrics
        self.differences = differences
        self.currency = currency
    }

    /// The text, with a line feed after each line.
    package func text() -> String {
        (totals() + [""]).map { $0 + "\n" }.joined() + figures()
    }

    /// The verdicts and an empty line; nothing without verdicts.
    package static func text(_ verdicts: [Verdict]) -> String {
        verdicts.isEmpty ? "" : verdicts.map { "  \($0.message)\n" }.joined() + "\n"
    }

    private func totals() -> [String] {
        func value(_ name: String) -> String {
            metrics.first { $0.name == name }?.rounded?.mean ?? "none"
        }
        func mean(_ name: String) -> Double? { metrics.first { $0.name == name }?.mean }
        let customers: String =
            switch mean("customers.arrived") {
            case nil: "no customers"
            case 1?: "1 customer"
            case let count?: "\(Columns.rounded(count)) customers"
            }
        let cups: String =
            switch mean("cups.served") {
            case nil: "no cups"
            case 1?: "1 cup"
            case let count?: "\(Columns.rounded(count)) cups"
            }
        let losses = LossReason.allCases.compactMap { reason in
            mean(reason.traits.metric).map { (name: reason.inWords, count: $0) }
        }
        let lost = Columns.rounded(losses.reduce(0) { $0 + $1.count })
        let reasons = losses.map { "\($0.name) \(Columns.rounded($0.count))" }.joined(separator: ", ")
        let wait: String =
            isAnyoneServed
            ? "median wait \(value("wait.p50")) s, 95% within \(value("wait.p95")) s" : "nobody was served"
        return [
            "  \(customers) came: \(value("customers.served")) served, "
                + "\(value("customers.present")) still present, \(lost) lost (\(reasons))",
            "  \(cups) for \(value("revenue")) \(currency); \(wait)",
        ]
    }

    private var isAnyoneServed: Bool { metrics.contains { $0.name == "wait.p50" && $0.mean != nil } }

    /// Every metric on a line of its own, each ended by a line feed.
    package func figures() -> String {
        let width = Columns.width(of: metrics.map(\.name)) + 2
        func unit(_ metric: Estimate) -> String {
            metric.mean == nil ? "" : Estimate.unit(of: metric.name, currency: currency)
        }
        let values = metrics.map { $0.roundedDescription + unit($0) }
        let valueWidth = Columns.width(of: values) + 2
        return zip(metrics, values).map { metric, value in
            let dots = metric.name + String(repeating: ".", count: width - Columns.width(of: metric.name))
            guard let difference = differences.first(where: { $0.name == metric.name }), difference.mean != nil else {
                return "  \(dots) \(value)\n"
            }
            return "  \(dots) \(Columns.left(value, valueWidth))\(difference.signedRounded)\(unit(difference))\n"
        }.joined()
    }
}
