import TextFormats

extension ForecastResult {
    /// CSV (RFC 4180, with line feeds): a header, then one line for each figure of each course of action.
    ///
    /// `figure` is `short`, `stockout`, `level`, `queue`, `metric` or `difference`, and `name` its fruit or metric.
    /// For `short` and `stockout`, `mean` is the probability, `low` and `high` are its interval, and the quantiles are
    /// the time. A missing value is an empty field.
    package func csv() -> String {
        var text = CSVText.line(
            ["run", "figure", "name", "at", "mean", "low", "high", "p05", "p25", "p50", "p75", "p95"])
        for run in runs {
            func add(_ figure: String, _ name: String, _ at: Double?, _ numbers: [Double?], _ quantiles: [Double?]) {
                let missing = [Double?](repeating: nil, count: 5)
                text += CSVText.line(
                    [run.title, figure, name]
                        + ([at] + numbers + (quantiles.isEmpty ? missing : quantiles)).map(CSVText.number))
            }
            let none: [Double?] = [nil, nil, nil]
            for fruit in run.fruits {
                for (name, event) in [("short", fruit.short), ("stockout", fruit.stockout)] {
                    let share = event.probability
                    add(name, fruit.name, nil, [share.mean, share.low, share.high], event.at?.values ?? [])
                }
                for level in fruit.levels { add("level", fruit.name, level.at, none, level.quantiles.values) }
            }
            for instant in run.queue { add("queue", "", instant.at, none, instant.quantiles.values) }
            for figure in run.metrics {
                add(
                    "metric", figure.name, nil, [figure.mean, nil, nil], [figure.p05, nil, figure.p50, nil, figure.p95])
            }
            for difference in run.differences {
                let half = difference.halfWidth
                let ends = difference.mean.flatMap { mean in half.map { [mean - $0, mean + $0] } } ?? [nil, nil]
                add("difference", difference.name, nil, [difference.mean] + ends, [])
            }
        }
        return text
    }
}

extension ForecastResult.Quantiles {
    fileprivate var values: [Double?] { [p05, p25, p50, p75, p95] }
}
