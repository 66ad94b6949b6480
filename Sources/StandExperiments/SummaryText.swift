import JuiceStand

/// A run's figures for people: expectations first, then totals, then every figure.
package struct SummaryText {
    package var title: String
    package var metrics: [Estimate]
    package var verdicts: [Verdict]
    package var currency: String

    package init(title: String, metrics: [Estimate], verdicts: [Verdict], currency: String) {
        self.title = title
        self.metrics = metrics
        self.verdicts = verdicts
        self.currency = currency
    }

    /// Several lines, each ended by a line feed.
    package func text() -> String {
        var lines = [title, ""]
        if !verdicts.isEmpty { lines += verdicts.map { "  \($0)" } + [""] }
        lines += totals() + [""] + figures()
        return lines.map { $0 + "\n" }.joined()
    }

    private func totals() -> [String] {
        func value(_ name: String) -> String {
            metrics.first { $0.name == name }?.mean.map(Columns.readable) ?? "none"
        }
        return [
            "  \(value("customers.arrived")) customers came: \(value("customers.served")) served, "
                + "\(value("customers.balked")) balked, \(value("customers.reneged")) reneged, "
                + "\(value("customers.soldOut")) found it sold out, \(value("customers.present")) still present",
            "  \(value("cups.served")) cups for \(value("revenue")) \(currency); "
                + (isAnyoneServed
                    ? "median wait \(value("wait.p50")) s, 95% within \(value("wait.p95")) s" : "nobody was served"),
        ]
    }

    private var isAnyoneServed: Bool { metrics.contains { $0.name == "wait.p50" && $0.mean != nil } }

    private func figures() -> [String] {
        let width = (metrics.map(\.name.count).max() ?? 0) + 2
        return metrics.map { metric in
            let value = metric.mean.map(Columns.readable) ?? "no observations"
            let interval = metric.halfWidth.map { " ± " + Columns.readable($0) } ?? ""
            return "  " + metric.name + String(repeating: ".", count: width - metric.name.count) + " " + value
                + interval
        }
    }
}
