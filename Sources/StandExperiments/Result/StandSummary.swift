import JuiceStand
import Reports
import TextFormats

/// The summary of a run in a few rows, the most important first. `run` and `simulate` print it at the end.
package struct StandSummary {
    private let metrics: [Estimate]
    private let currency: String

    package init(_ metrics: [Estimate], currency: String) {
        self.metrics = metrics
        self.currency = currency
    }

    package var figures: [Report.Figure] {
        [
            ("customers", "\(count("customers.arrived")) arrived, \(count("customers.present")) still in the stand"),
            ("served", served), ("lost", losses), ("wait", wait), ("makers", makers), ("money", money),
            ("fruit", fruit),
        ]
    }

    /// Every metric in a row.
    package static func table(of metrics: [Estimate], currency: String) -> Report.Table {
        Report.Table(
            columns: ["metric", "value"], rows: metrics.map { .init(texts: [$0.name, $0.rounded(currency)]) })
    }

    private func estimate(_ name: String) -> Estimate? { metrics.first { $0.name == name } }
    private func value(_ name: String) -> Double? { estimate(name)?.mean }
    /// The mean with its interval.
    private func text(_ name: String) -> String { estimate(name)?.rounded(currency) ?? Estimate.nothing }
    private func count(_ name: String) -> String { estimate(name)?.roundedMean(currency) ?? "0" }

    private func counted(_ name: String, _ noun: String) -> String {
        "\(count(name)) \(value(name) == 1 ? noun : noun + "s")"
    }

    /// The share of all customers in parentheses; empty without customers.
    private func share(_ customers: Double) -> String {
        guard let arrived = value("customers.arrived"), arrived > 0 else { return "" }
        return " (\(Columns.percent(customers / arrived, decimals: 0)))"
    }

    private var served: String {
        "\(text("customers.served"))\(share(value("customers.served") ?? 0)), \(counted("cups.served", "cup"))"
    }

    /// The customers lost, with the reasons, the most frequent first.
    private var losses: String {
        let counts = LossReason.allCases.map { (count: value($0.traits.metric) ?? 0, reason: $0) }
            .filter { $0.count > 0 }.sorted { $0.count > $1.count }
        guard !counts.isEmpty else { return "0" }
        let lost = counts.reduce(0) { $0 + $1.count }
        return "\(Columns.rounded(lost))\(share(lost)): "
            + counts.map { "\($0.reason.inWords) \(count($0.reason.traits.metric))" }.joined(separator: ", ")
    }

    private var wait: String {
        guard let median = value("wait.p50"), let longest = value("wait.max"), let most = value("wait.p95") else {
            return "nobody was served"
        }
        let within = MetricUnit(forTime: most).rounded(most, halfWidth: estimate("wait.p95")?.halfWidth)
        return "median \(SpanText.short(median)), 95% within \(within), longest \(SpanText.short(longest))"
    }

    private var makers: String {
        guard value("makers.utilization") != nil else {
            return value("makers.onDuty.hours") == nil ? "unlimited" : "none on duty"
        }
        let onDuty = SpanText.long((value("makers.onDuty.hours") ?? 0) * 3600)
        return "busy \(text("makers.utilization")) of the time, on duty for \(onDuty)"
    }

    private var money: String {
        let parts = "\(count("revenue")) revenue, \(count("cost.total")) costs"
        return value("cost.total") ?? 0 > 0 ? "\(text("profit")) profit: \(parts)" : parts
    }

    /// The fruit that was short longest, then the alerts, restocking orders and spoiled pieces of all fruits.
    private var fruit: String {
        func sum(_ prefix: String, _ suffix: String) -> Double {
            metrics.filter { $0.name.hasPrefix(prefix) && $0.name.hasSuffix(suffix) }.reduce(0) { $0 + ($1.mean ?? 0) }
        }
        func rounded(_ number: Double, _ noun: String) -> String {
            "\(Columns.rounded(number)) \(number == 1 ? noun : noun + "s")"
        }
        let shares = metrics.filter { $0.name.hasPrefix("stock.") && $0.name.hasSuffix(".shortFraction") }
        let worst = shares.max { $0.mean ?? 0 < $1.mean ?? 0 }
        var parts: [String] = []
        if let worst, let mean = worst.mean, mean > 0 {
            let name = worst.name.dropFirst("stock.".count).dropLast(".shortFraction".count)
            parts.append("\(name) short \(worst.roundedMean()) of the time")
        }
        return
            (parts + [
                rounded(value("alerts.lowStock") ?? 0, "low-stock alert"),
                rounded(sum("restock.", ".orders"), "restocking order"),
                rounded(sum("spoiled.", ""), "piece") + " spoiled",
            ]).joined(separator: ", ")
    }
}
