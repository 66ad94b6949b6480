import JuiceStand
import TextFormats

extension SimulationResult {
    /// The result as text: the verdicts, a table of the settings if there are several, then every figure.
    package func text(_ verdicts: [Verdict]) -> String {
        var text = title() + "\n\n" + SummaryText.text(verdicts)
        for fault in faults { text += "  ✗ \(fault)\n\n" }
        for note in notes { text += "  note: \(note)\n\n" }
        if runs.count > 1 { text += table() + "\n" }
        for (index, run) in runs.enumerated() {
            if runs.count > 1 {
                let (name, first) = (Self.describe(run.set), Self.describe(runs[0].set))
                text += (index > 0 ? "\(name), and the difference from \(first)" : name) + ":\n"
            }
            text +=
                SummaryText(
                    metrics: run.metrics, differences: index > 0 ? run.differences(from: runs[0]) : [],
                    currency: self.text("currency")
                ).text()
            if index < runs.count - 1 { text += "\n" }
        }
        return text
    }

    /// The description of the run, on one line, with spans of seconds as `span` writes them.
    func title(_ span: (Double) -> String = { "\(Columns.readable($0)) s" }) -> String {
        var parts: [String] = [self.text("stand"), "seed \(seed)"]
        if let from {
            let clock = StandClock(opens: self.text("opens"), now: from.at.nanoseconds)
            parts.append("from \(clock.present) (event \(Columns.grouped(Int(clamping: from.sequence))))")
        }
        parts.append(horizon.map { "\(span($0.seconds)) of stand time" } ?? "to the last order")
        if warmUp > .zero { parts.append("the first \(span(warmUp.seconds)) left out") }
        let done = isPartial ? runs.map(\.outcomes.count).min() ?? 0 : replications
        if replications > 1 {
            let all = Columns.grouped(replications)
            parts.append(
                isPartial
                    ? "interrupted: partial, \(Columns.grouped(done)) of \(all) replications" : "\(all) replications")
            if done > 1 { parts.append("means with 95% confidence intervals") }
        }
        if let shard { parts.append("shard \(shard)") }
        if isPartial, replications == 1 { parts.append("interrupted: figures so far") }
        return parts.joined(separator: ", ")
    }

    /// The metrics for comparing settings.
    static let headlines = [
        "customers.served", "fillRate", "wait.mean", "wait.p95", "makers.utilization", "revenue", "cost.total",
    ]

    /// The metrics for comparing these settings: with a wage the profit, too.
    var shownHeadlines: [String] {
        let paysWages = config["wage"]?.seconds ?? 0 > 0 || runs.contains { $0.set.contains { $0.key == "wage" } }
        return Self.headlines + (paysWages ? ["profit"] : [])
    }

    /// A table with a row for each setting and a column for each headline.
    private func table() -> String {
        let headlines = shownHeadlines
        var rows = [[""] + headlines]
        for run in runs {
            rows.append(
                [Self.describe(run.set)]
                    + headlines.map { name in
                        run.metric(name)?.rounded?.mean ?? "none"
                    })
        }
        return Columns.table(rows)
    }
}
