import TextFormats

// The sentence with which the page opens.

extension SimulationResult {
    /// What the settings change most, or what happened if there is only one.
    var headline: Markup {
        let sentence = isSweep ? greatestChange : outcome
        return sentence.isEmpty ? "" : "<p class=\"headline\">\(sentence)</p>\n"
    }

    /// How the figures compared are called in a sentence, and their units.
    private var words: [String: (name: String, unit: String)] {
        [
            "customers.served": ("number of customers served", ""), "fillRate": ("fill rate", ""),
            "wait.mean": ("mean wait", " s"), "wait.p95": ("wait that 95% of customers stay within", " s"),
            "makers.utilization": ("utilization of the makers", ""), "revenue": ("revenue", " " + text("currency")),
            "cost.total": ("cost", " " + text("currency")), "profit": ("profit", " " + text("currency")),
        ]
    }

    /// The figure that differs most between the first setting and another, relative to its size, with the interval of
    /// the difference. Differences that may be chance do not count.
    private var greatestChange: String {
        guard let first = runs.first else { return "" }
        let headlines = shownHeadlines
        var best: (share: Double, run: Run, difference: Estimate)?
        for run in runs.dropFirst() {
            for difference in run.differences(from: first, of: headlines) {
                guard let change = difference.mean, change != 0, difference.differs || difference.reach == nil,
                    let before = first.metric(difference.name)?.mean, let after = run.metric(difference.name)?.mean
                else { continue }
                let share = abs(change) / max(abs(before), abs(after), .leastNormalMagnitude)
                if share > best?.share ?? 0 { best = (share, run, difference) }
            }
        }
        guard let best, let metric = words[best.difference.name], let before = first.metric(best.difference.name),
            let after = best.run.metric(best.difference.name)
        else { return replications > 1 ? "No figure compared differs by more than chance." : "" }
        let interval = best.difference.roundedInterval.map { " (95% interval \($0))" }
        let unknown = " One replication gives no interval: the difference may be chance."
        return "The \(metric.name) changes most: from \(before.rounded?.mean ?? "")\(metric.unit) with "
            + "\(shortName(of: first)) to \(after.rounded?.mean ?? "")\(metric.unit) with \(shortName(of: best.run)), "
            + "a difference of "
            + "\(best.difference.mean.map { $0 > 0 ? "+" : "" } ?? "")\(best.difference.rounded?.mean ?? "")"
            + "\(metric.unit)\(interval ?? "")." + (replications > 1 ? "" : unknown)
    }

    /// How many customers were served, how long they waited, and the revenue.
    private var outcome: String {
        guard let run = runs.first, let served = run.metric("customers.served"), served.mean != nil else { return "" }
        var sentences: [String] = []
        if let arrived = run.metric("customers.arrived")?.mean, arrived > 0, let mean = served.mean {
            let share = Columns.fixed(mean / arrived * 100, decimals: 0)
            sentences.append(
                "Of \(Columns.fixed(arrived, decimals: 0)) customers \(served.roundedDescription) were served, "
                    + "\(share)%.")
        }
        if let half = run.metric("wait.p50")?.rounded, let most = run.metric("wait.p95")?.rounded {
            sentences.append("Half of them waited at most \(half.mean) s, 95% at most \(most.mean) s.")
        }
        if let revenue = run.metric("revenue"), revenue.mean ?? 0 > 0 {
            sentences.append("Revenue: \(revenue.roundedDescription) \(text("currency")).")
        }
        return sentences.joined(separator: " ")
    }
}
