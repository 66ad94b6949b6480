import JuiceStand
import StandExperiments
import TextFormats

/// The closing summary of `run`: what became of the stand in at most 24 lines of 80 columns, most important first.
struct RunSummary {
    private static let width = 80
    private static let mostStockLines = 2
    /// The most verdicts shown.
    private static let mostVerdicts = 8

    let stand: Stand
    let metrics: [Estimate]

    /// Several lines, each ended by a line feed.
    func text(_ verdicts: [Verdict]) -> String {
        let rows = [
            ("customers", "\(count("customers.arrived")) arrived, \(count("customers.present")) still in the stand"),
            ("served", "\(count("customers.served"))\(share("customers.served")), \(cups)"),
            ("lost", losses), ("wait", wait), ("makers", makers), ("money", money), ("fruit", fruit),
        ]
        let name = Columns.width(of: rows.map(\.0) + ["lateness"]) + 4
        let room = Self.width - name
        let lines =
            rows.map { ($0, Columns.flow($1, width: room)) }
            + [("stock", stockLines(width: room)), ("lateness", [lateness])]
        let title = Columns.flow(self.title, width: Self.width).map { $0 + "\n" }.joined()
        return title + "\n" + self.verdicts(verdicts)
            + lines.flatMap { title, lines in
                lines.enumerated().map { Columns.left($0 == 0 ? "  " + title : "", name) + $1 + "\n" }
            }.joined()
    }

    // MARK: - Rows

    private var title: String {
        "\(stand.settings.stand), seed \(stand.settings.seed), \(stand.isClosed ? "closed" : "suspended") at "
            + stand.clock.present
    }

    /// The verdicts, failures first; nothing without verdicts.
    private func verdicts(_ verdicts: [Verdict]) -> String {
        guard !verdicts.isEmpty else { return "" }
        let sorted = verdicts.filter { !$0.isMet } + verdicts.filter(\.isMet)
        var lines = sorted.map(\.message)
        if lines.count > Self.mostVerdicts {
            let hidden = sorted.dropFirst(Self.mostVerdicts - 1)
            lines =
                lines.prefix(Self.mostVerdicts - 1) + [
                    "and \(Columns.grouped(hidden.count)) more expectations, "
                        + "\(Columns.grouped(hidden.count { !$0.isMet })) of them failed"
                ]
        }
        return lines.map { "  \($0)\n" }.joined() + "\n"
    }

    private var cups: String { Columns.counted(Int(value("cups.served") ?? 0), "cup") }

    /// The reasons, most frequent first.
    private var losses: String {
        let counts = LossReason.allCases.map { (count: Int(value($0.traits.metric) ?? 0), reason: $0) }
            .filter { $0.count > 0 }.sorted { $0.count > $1.count }
        guard !counts.isEmpty else { return "0" }
        let lost = counts.reduce(0) { $0 + $1.count }
        return "\(Columns.grouped(lost))\(share(Double(lost))): "
            + counts.map { "\($0.reason.inWords) \(Columns.grouped($0.count))" }.joined(separator: ", ")
    }

    private var wait: String {
        guard let median = value("wait.p50"), let most = value("wait.p95"), let longest = value("wait.max") else {
            return "nobody was served"
        }
        return
            "median \(SpanText.short(median)), 95% within \(SpanText.short(most)), longest \(SpanText.short(longest))"
    }

    private var makers: String {
        value("makers.utilization").map { "busy \(Columns.fixed($0 * 100, decimals: 0))% of the time" }
            ?? "unlimited"
    }

    private var money: String {
        func amount(_ name: String) -> String {
            "\(Columns.fixed(value(name) ?? 0, decimals: 2)) \(stand.settings.currency)"
        }
        let (revenue, costs) = (amount("revenue"), amount("cost.total"))
        guard stand.settings.wage > 0 else { return "\(revenue) revenue, \(costs) costs" }
        return "\(revenue) revenue, \(costs) costs, \(amount("profit")) profit"
    }

    private var fruit: String {
        func sum(_ prefix: String, _ suffix: String) -> Int {
            metrics.filter { $0.name.hasPrefix(prefix) && $0.name.hasSuffix(suffix) }.reduce(0) {
                $0 + Int($1.mean ?? 0)
            }
        }
        return [
            Columns.counted(Int(value("alerts.lowStock") ?? 0), "low-stock alert"),
            Columns.counted(sum("restock.", ".orders"), "restocking order"),
            Columns.counted(sum("spoiled.", ""), "piece") + " spoiled",
        ].joined(separator: ", ")
    }

    /// The levels at the end, in as many lines as there is room for.
    private func stockLines(width: Int) -> [String] {
        let menu = stand.settings.menu
        let levels = menu.allFruits.map { fruit in
            "\(menu.name(of: fruit)) "
                + (stand.maker.stock(of: fruit).map(Columns.grouped) ?? "unlimited")
        }
        var lines: [String] = []
        for (index, level) in levels.enumerated() {
            let more = index == levels.count - 1 ? "" : ", " + moreFruits(levels.count - index - 1)
            let item = level + (index == levels.count - 1 ? "" : ",")
            if let last = lines.last, Columns.width(of: last + " " + item + more) <= width {
                lines[lines.count - 1] = last + " " + item
            } else if lines.count < Self.mostStockLines {
                lines.append(item)
            } else {
                lines[lines.count - 1] += " " + moreFruits(levels.count - index)
                break
            }
        }
        return lines
    }

    private func moreFruits(_ count: Int) -> String { "and " + Columns.counted(count, "more fruit") }

    private var lateness: String {
        guard let most = value("lateness.p99"), let longest = value("lateness.max") else { return "no events" }
        return "99% of events within \(milliseconds(most)) of their time, longest \(milliseconds(longest))"
    }

    // MARK: - Figures

    private func value(_ name: String) -> Double? { metrics.first { $0.name == name }?.mean }

    private func count(_ name: String) -> String { Columns.grouped(Int(value(name) ?? 0)) }

    /// The share of all customers in parentheses; empty without customers.
    private func share(_ customers: Double) -> String {
        guard let arrived = value("customers.arrived"), arrived > 0 else { return "" }
        return " (\(Columns.fixed(customers / arrived * 100, decimals: 0))%)"
    }

    private func share(_ name: String) -> String { share(value(name) ?? 0) }

    private func milliseconds(_ seconds: Double) -> String {
        seconds < 0.001 ? "1 ms" : Columns.fixed(seconds * 1000, decimals: seconds < 0.01 ? 1 : 0) + " ms"
    }
}
