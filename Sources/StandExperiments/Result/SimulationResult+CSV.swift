import JuiceStand
import TextFormats

extension SimulationResult {
    /// CSV (RFC 4180, with line feeds): a header, then one line for each metric of each setting.
    ///
    /// The fields are the varied keys, the name, the mean, the half width of the 95% interval, its confidence, and the
    /// number of replications with an observation. A missing value is an empty field.
    package func csv() -> String {
        let keys = runs.first?.set.map(\.key) ?? []
        var text = CSVText.line(keys + ["metric", "mean", "halfWidth", "confidence", "n"])
        for run in runs {
            let setting = run.set.map { Self.plain($0.value) }
            for metric in run.metrics {
                text += CSVText.line(
                    setting + [
                        metric.name, CSVText.number(metric.mean), CSVText.number(metric.halfWidth),
                        CSVText.number(Estimate.confidence), "\(metric.count)",
                    ])
            }
        }
        return text
    }
}
