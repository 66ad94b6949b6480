import JuiceStand
import StandExperiments
import TerminalView
import Terms
import TextFormats

/// The closing summary of `run`: what became of the stand in at most 24 lines of 80 columns, most important first.
struct RunSummary {
    private static let width = 80
    private static let mostStockLines = 2
    /// The most verdicts shown.
    private static let mostVerdicts = 8

    let stand: Stand
    let metrics: [Estimate]
    let words: Words

    /// Several lines, each ended by a line feed.
    func text(_ verdicts: [Verdict]) -> String {
        let rows = [
            (words(.customers), words(.sumCustomersText, count("customers.arrived"), count("customers.present"))),
            (words(.served), words(.sumServedText, count("customers.served"), share("customers.served"), cups)),
            (words(.lost), losses), (words(.wait), wait), (words(.makers), makers), (words(.sumMoney), money),
            (words(.fruit), fruit),
        ]
        let name = max(Columns.width(of: rows.map(\.0)), Columns.width(of: [words(.sumLateness)])) + 4
        let room = Self.width - name
        let lines =
            rows.map { ($0, Columns.flow($1, width: room)) }
            + [(words(.sumStock), stockLines(width: room)), (words(.sumLateness), [lateness])]
        let title = Columns.flow(self.title, width: Self.width).map { $0 + "\n" }.joined()
        return title + "\n" + self.verdicts(verdicts)
            + lines.flatMap { title, lines in
                lines.enumerated().map { Columns.left($0 == 0 ? "  " + title : "", name) + $1 + "\n" }
            }.joined()
    }

    // MARK: - Rows

    private var title: String {
        words(
            stand.isClosed ? .sumClosed : .sumSuspended, stand.settings.stand, "\(stand.settings.seed)",
            stand.clock.present)
    }

    /// The verdicts, failures first; nothing without verdicts.
    private func verdicts(_ verdicts: [Verdict]) -> String {
        guard !verdicts.isEmpty else { return "" }
        let sorted = verdicts.filter { !$0.isMet } + verdicts.filter(\.isMet)
        var lines = sorted.map { words($0.message) }
        if lines.count > Self.mostVerdicts {
            let hidden = sorted.dropFirst(Self.mostVerdicts - 1)
            lines =
                lines.prefix(Self.mostVerdicts - 1) + [
                    words(.sumMoreVerdicts, Columns.grouped(hidden.count), Columns.grouped(hidden.count { !$0.isMet }))
                ]
        }
        return lines.map { "  \($0)\n" }.joined() + "\n"
    }

    private var cups: String { words.counted(Int(value("cups.served") ?? 0), .cups) }

    /// The reasons, most frequent first.
    private var losses: String {
        let counts = LossReason.allCases.map { (count: Int(value($0.traits.metric) ?? 0), reason: $0) }
            .filter { $0.count > 0 }.sorted { $0.count > $1.count }
        guard !counts.isEmpty else { return "0" }
        let lost = counts.reduce(0) { $0 + $1.count }
        return "\(Columns.grouped(lost))\(share(Double(lost))): "
            + counts.map { "\(words($0.reason)) \(Columns.grouped($0.count))" }.joined(separator: ", ")
    }

    private var wait: String {
        guard let median = value("wait.p50"), let most = value("wait.p95"), let longest = value("wait.max") else {
            return words(.sumNobodyServed)
        }
        return words(.sumWaitText, words.span(median), words.span(most), words.span(longest))
    }

    private var makers: String {
        value("makers.utilization").map { words(.sumMakersText, Columns.fixed($0 * 100, decimals: 0)) }
            ?? words(.unlimited)
    }

    private var money: String {
        func amount(_ name: String) -> String {
            "\(Columns.fixed(value(name) ?? 0, decimals: 2)) \(stand.settings.currency)"
        }
        let (revenue, costs) = (amount("revenue"), amount("cost.total"))
        guard stand.settings.wage > 0 else { return words(.sumMoneyText, revenue, costs) }
        return words(.sumProfitText, revenue, costs, amount("profit"))
    }

    private var fruit: String {
        func sum(_ prefix: String, _ suffix: String) -> Int {
            metrics.filter { $0.name.hasPrefix(prefix) && $0.name.hasSuffix(suffix) }.reduce(0) {
                $0 + Int($1.mean ?? 0)
            }
        }
        return words.counted(Int(value("alerts.lowStock") ?? 0), .sumAlerts) + ", "
            + words.counted(sum("restock.", ".orders"), .sumRestocks) + ", "
            + words.counted(sum("spoiled.", ""), .sumSpoiled)
    }

    /// The levels at the end, in as many lines as there is room for.
    private func stockLines(width: Int) -> [String] {
        let menu = stand.settings.menu
        let levels = menu.allFruits.map { fruit in
            "\(words.name(menu.fruits[fruit.index])) "
                + (stand.maker.stock(of: fruit).map(Columns.grouped) ?? words(.unlimited))
        }
        var lines: [String] = []
        for (index, level) in levels.enumerated() {
            let more = index == levels.count - 1 ? "" : ", " + words.counted(levels.count - index - 1, .sumMoreFruits)
            let item = level + (index == levels.count - 1 ? "" : ",")
            if let last = lines.last, Columns.width(of: last + " " + item + more) <= width {
                lines[lines.count - 1] = last + " " + item
            } else if lines.count < Self.mostStockLines {
                lines.append(item)
            } else {
                lines[lines.count - 1] += " " + words.counted(levels.count - index, .sumMoreFruits)
                break
            }
        }
        return lines
    }

    private var lateness: String {
        guard let most = value("lateness.p99"), let longest = value("lateness.max") else { return words(.sumNoEvents) }
        return words(.sumLatenessText, milliseconds(most), milliseconds(longest))
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
