import JuiceStand
import TextFormats

extension ForecastResult {
    /// The forecast as text: for each course of action when fruit becomes short, and every figure.
    package func text() -> String {
        var text =
            "\(stand), at \(Columns.readable(at)) s of stand time (event \(Columns.grouped(Int(clamping: seq)))): "
            + "the next \(Self.span(horizon - at)) in \(Columns.counted(replications, "future")), seed \(seed)\n"
        for (place, run) in runs.enumerated() {
            if runs.count > 1 {
                text += "\n\(run.title)\(place > 0 ? ", with the mean difference from \(runs[0].title)" : ""):\n"
            }
            text += "\n" + table(run) + "\n" + Self.figures(run)
        }
        return text
    }

    /// A row for each fruit, then the line.
    private func table(_ run: Run) -> String {
        var rows = [["", "short (95% interval)", "first (90%)", "none left", "left at the end (90%)"]]
        for fruit in run.fruits {
            rows.append([
                fruit.name, Self.percent(fruit.short.probability),
                fruit.short.at.map { "in \(Self.range($0) { Self.span($0 - at) })" } ?? "never",
                Self.percent(fruit.stockout.probability.mean),
                fruit.levels.last.map { Self.range($0.quantiles, Columns.readable) } ?? "",
            ])
        }
        rows.append(["queue", "", "", "", run.queue.last.map { Self.range($0.quantiles, Columns.readable) } ?? ""])
        return Self.table(rows)
    }

    /// Rows of cells in columns, all aligned on the left.
    private static func table(_ rows: [[String]]) -> String {
        let lines = Columns.table(rows, texts: rows.first?.count ?? 0).split(separator: "\n")
        return lines.map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// The mean of every metric, its 90% range and, for a change, its difference.
    private static func figures(_ run: Run) -> String {
        let rows = run.metrics.map { figure -> [String] in
            guard let mean = figure.mean, let low = figure.p05, let high = figure.p95 else {
                return [figure.name, "no observations", "", ""]
            }
            let difference = run.differences.first { $0.name == figure.name }
            let change = difference?.mean.map { mean in
                (mean > 0 ? "+" : "") + Columns.readable(mean, halfWidth: difference?.halfWidth)
            }
            return [
                figure.name, Columns.readable(mean), "(\(Columns.readable(low))–\(Columns.readable(high)))",
                change ?? "",
            ]
        }
        return table(rows)
    }

    static func range(_ quantiles: Quantiles, _ text: (Double) -> String) -> String {
        let (low, high) = (text(quantiles.p05), text(quantiles.p95))
        return text(quantiles.p50) + (low == high ? "" : " (\(low)–\(high))")
    }

    static func percent(_ share: Probability) -> String {
        "\(percent(share.mean)) (\(percent(share.low).dropLast())–\(percent(share.high).dropLast()))"
    }

    static func percent(_ share: Double) -> String {
        Columns.fixed(share * 100, decimals: share > 0 && share < 0.1 ? 1 : 0) + "%"
    }

    /// A span for people: `45 s`, `24 min`, `3 h 5 min`, `2 d 4 h`.
    static func span(_ seconds: Double) -> String {
        func pair(_ whole: Int, _ big: String, _ rest: Int, _ small: String) -> String {
            rest == 0 ? "\(Columns.grouped(whole)) \(big)" : "\(Columns.grouped(whole)) \(big) \(rest) \(small)"
        }
        let whole = Int(seconds.rounded())
        if whole < 120 { return "\(whole) s" }
        let minutes = Int((seconds / 60).rounded())
        if minutes < 120 { return "\(minutes) min" }
        if minutes < 48 * 60 { return pair(minutes / 60, "h", minutes % 60, "min") }
        let hours = Int((seconds / 3600).rounded())
        return pair(hours / 24, "d", hours % 24, "h")
    }
}
