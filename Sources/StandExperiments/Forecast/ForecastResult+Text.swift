import JuiceStand
import Platform
import Terms
import TextFormats

extension ForecastResult {
    /// The forecast as text: for each course of action when fruit becomes short, and every figure.
    package func text(_ words: Words) -> String {
        let (event, span) = (Columns.grouped(Int(clamping: seq)), words.longSpan(horizon - at))
        var text =
            words(
                "\(stand), at \(time) (event \(event)): the next \(span) "
                    + "in \(Message.counted(replications, "future")), seed \(seed)") + "\n"
        for (place, run) in runs.enumerated() {
            if runs.count > 1 {
                let (title, first) = (words.translated(run.title), words.translated(runs[0].title))
                text += "\n" + (place > 0 ? words("\(title), with the mean difference from \(first)") : title) + ":\n"
            }
            text += "\n" + table(run, words) + "\n" + Self.figures(run, words)
        }
        return text
    }

    /// A row for each fruit, then the line.
    private func table(_ run: Run, _ words: Words) -> String {
        var rows = [
            [
                "", words("short (95% interval)"), words("first (90%)"), words("none left"),
                words("left at the end (90%)"),
            ]
        ]
        for fruit in run.fruits {
            rows.append([
                fruit.name, Self.percent(fruit.short.probability),
                fruit.short.at.map { words("in \(Self.range($0) { words.longSpan($0 - at) })") } ?? words("never"),
                Self.percent(fruit.stockout.probability.mean),
                fruit.levels.last.map { Self.range($0.quantiles, Columns.rounded) } ?? "",
            ])
        }
        rows.append([words(.line), "", "", "", run.queue.last.map { Self.range($0.quantiles, Columns.rounded) } ?? ""])
        return Columns.table(rows, texts: 5)
    }

    /// The mean of every metric, its 90% range and, for a change, its difference.
    private static func figures(_ run: Run, _ words: Words) -> String {
        let rows = run.metrics.map { figure -> [String] in
            guard let mean = figure.mean, let low = figure.p05, let high = figure.p95 else {
                return [figure.name, words("no observations"), "", ""]
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
