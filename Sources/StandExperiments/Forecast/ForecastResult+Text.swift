import JuiceStand
import TextFormats

extension ForecastResult {
    /// The forecast as text: for each course of action when fruit becomes short, and every figure.
    package func text() -> String {
        let event = Columns.grouped(Int(clamping: seq))
        let span = SpanText.long(horizon - at)
        var text =
            "\(stand), at \(time) (event \(event)): the next \(span) "
            + "in \(Columns.counted(replications, "future")), seed \(seed)\n"
        for (place, run) in runs.enumerated() {
            if runs.count > 1 {
                let title = run.title
                let first = runs[0].title
                text += "\n" + (place > 0 ? "\(title), with the mean difference from \(first)" : title) + ":\n"
            }
            text += "\n" + table(run) + "\n" + Self.figures(run)
        }
        return text
    }

    /// A row for each fruit, then the line.
    private func table(_ run: Run) -> String {
        var rows = [
            [
                "", "short (95% interval)", "first (90%)", "none left",
                "left at the end (90%)",
            ]
        ]
        for fruit in run.fruits {
            rows.append([
                fruit.name, Self.percent(fruit.short.probability),
                fruit.short.at.map { "in \(Self.range($0) { SpanText.long($0 - at) })" } ?? "never",
                Self.percent(fruit.stockout.probability.mean),
                fruit.levels.last.map { Self.range($0.quantiles, Columns.rounded) } ?? "",
            ])
        }
        rows.append(["queue", "", "", "", run.queue.last.map { Self.range($0.quantiles, Columns.rounded) } ?? ""])
        return Columns.table(rows, texts: 5)
    }

    /// The mean of every metric, its 90% range and, for a change, its difference.
    private static func figures(_ run: Run) -> String {
        let rows = run.metrics.map { figure -> [String] in
            guard let mean = figure.mean, let low = figure.p05, let high = figure.p95 else {
                return [figure.name, "no observations", "", ""]
            }
            let difference = run.differences.first { $0.name == figure.name }
            let change = difference?.mean.map {
                Estimate.signed($0, halfWidth: difference?.halfWidth, of: figure.name)
            }
            let texts = [mean, low, high].map { Estimate.rounded($0, of: figure.name) }
            return [figure.name, texts[0], "(\(texts[1])–\(texts[2]))", change ?? ""]
        }
        return Columns.table(rows, texts: 4)
    }

    static func range(_ quantiles: Quantiles, _ text: (Double) -> String) -> String {
        let (low, high) = (text(quantiles.p05), text(quantiles.p95))
        return text(quantiles.p50) + (low == high ? "" : " (\(low)–\(high))")
    }

    static func percent(_ share: Probability) -> String {
        "\(percent(share.mean)) (\(percent(share.low).dropLast())–\(percent(share.high).dropLast()))"
    }

    static func percent(_ share: Double) -> String {
        Columns.percent(share, decimals: share > 0 && share < 0.1 ? 1 : 0)
    }
}
