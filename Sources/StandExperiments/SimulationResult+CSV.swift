import JuiceStand
import TextFormats

extension SimulationResult {
    /// CSV (RFC 4180, with line feeds): a header, then one line for each metric of each setting.
    ///
    /// The fields are the varied keys, the name, the mean, the half width of the 95% interval, its confidence, and the
    /// number of replications with an observation. A missing value is an empty field.
    package func csv() -> String {
        let keys = runs.first?.set.map(\.key) ?? []
        var text = Self.line(keys + ["metric", "mean", "halfWidth", "confidence", "n"])
        for run in runs {
            let setting = run.set.map { Self.plain($0.value) }
            for metric in run.metrics {
                text += Self.line(
                    setting + [
                        metric.name, Self.number(metric.mean), Self.number(metric.halfWidth),
                        Self.number(Estimate.confidence), "\(metric.count)",
                    ])
            }
        }
        return text
    }

    private static func number(_ value: Double?) -> String {
        value.map { JSONValue.number($0).compact() } ?? ""
    }

    private static func line(_ fields: [String]) -> String {
        fields.map { field in
            let mustBeQuoted = field.utf8.contains { [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0a, 0x0d].contains($0) }
            return mustBeQuoted
                ? "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
                : field
        }.joined(separator: ",") + "\n"
    }
}
