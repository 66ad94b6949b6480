import JuiceStand
import Reports
import TextFormats

/// The best setting of a sweep, and the metrics in which the settings differ.
struct SweepAnswer {
    /// The indices of the settings, the best first: by the number of expectations met, then by the metric.
    let ranking: [Int]
    /// The indices of the settings that fail an expectation.
    let failed: Set<Int>
    /// The metrics to compare: the usual goals, then the two in which the settings differ most.
    let columns: [String]
    let headline: String

    var best: Int { ranking[0] }

    /// Nil for a single setting.
    init?(of result: SimulationResult, _ expectations: [Expectation]) {
        let runs = result.runs
        guard result.isSweep else { return nil }
        let names = result.commonNames
        // Without any profit or loss, the customers served decide.
        let earns = runs.contains { $0.mean("profit") != 0 }
        let metric = earns ? "profit" : "customers.served"
        let met = runs.map { run in
            expectations.count { expectation in
                run.metric(expectation.metric)?.mean.map(expectation.holds(for:)) ?? false
            }
        }
        let ranks = runs.indices.map { (-met[$0], -runs[$0].mean(metric), $0) }
        ranking = ranks.sorted { $0 < $1 }.map(\.2)
        failed = Set(runs.indices.filter { met[$0] < expectations.count })
        let usual = [metric, "customers.served", "fillRate", "wait.p95"].filter(names.contains)
        let shown = usual.enumerated().filter { usual.firstIndex(of: $1) == $0 }.map(\.element)
        columns = shown + Self.mostDifferent(result, besides: shown)
        var sentences: [String] = []
        if !expectations.isEmpty {
            let all = met.count { $0 == expectations.count }
            sentences.append(
                all > 0
                    ? "\(Columns.grouped(all)) of \(Columns.grouped(runs.count)) settings "
                        + "\(all == 1 ? "meets" : "meet") all expectations."
                    : "No setting meets all expectations.")
        }
        sentences += Self.sentences(result, metric, ranking)
        headline = sentences.joined(separator: " ")
    }

    /// Sentences on the best setting, and on whether the second may be as good.
    private static func sentences(_ result: SimulationResult, _ metric: String, _ order: [Int]) -> [String] {
        let runs = order.map { result.runs[$0] }
        guard let found = runs[0].metric(metric), found.mean != nil else { return [] }
        let words = SimulationResult.words(for: metric)
        let interval = found.roundedInterval(result.currency).map { " (95% interval \($0))" } ?? ""
        var sentence =
            "\(result.shortName(of: runs[0])) is best by \(words): \(found.roundedMean(result.currency))\(interval)"
        func difference(from other: SimulationResult.Run) -> Estimate? {
            runs[0].differences(from: other, of: [metric]).first { $0.mean != nil }
        }
        if order[0] != 0, let change = difference(from: result.runs[0]) {
            sentence += ", \(change.signed(result.currency)) from \(result.shortName(of: result.runs[0]))"
        }
        guard let second = difference(from: runs[1]) else { return [sentence + "."] }
        guard second.reach != nil else {
            return [sentence + ".", "One replication gives no interval: the differences may be chance."]
        }
        guard !second.differs else { return [sentence + "."] }
        return [
            sentence + ".",
            "\(result.shortName(of: runs[1])) may be as good: the difference of \(second.signed(result.currency)) may "
                + "be chance.",
        ]
    }

    /// The two metrics, of different kinds, whose differences are furthest beyond their intervals; without intervals,
    /// those that change most. What the configuration alone changes, such as wages, is left out.
    private static func mostDifferent(_ result: SimulationResult, besides shown: [String]) -> [String] {
        let kinds = Set(shown.map(kind(of:)) + ["program"])
        let candidates = result.commonNames.filter { !kinds.contains(kind(of: $0)) }
        var sizes: [String: Double] = [:]
        for run in result.runs.dropFirst() {
            for difference in run.differences(from: result.runs[0], of: candidates) {
                guard let change = difference.mean, change != 0 else { continue }
                let largest = max(abs(result.runs[0].mean(difference.name)), abs(run.mean(difference.name)))
                let unit = difference.shownHalfWidth ?? largest
                guard unit > 0, difference.differs || difference.reach == nil else { continue }
                sizes[difference.name] = max(sizes[difference.name] ?? 0, abs(change) / unit)
            }
        }
        var found: [String] = []
        // The order of the metrics decides between equal sizes.
        for name in candidates.sorted(by: { sizes[$0] ?? 0 > sizes[$1] ?? 0 }) where sizes[name] != nil {
            guard found.count < 2, !found.contains(where: { kind(of: $0) == kind(of: name) }) else { continue }
            found.append(name)
        }
        return found
    }

    /// Metrics of one kind tell nearly the same: waits and the queue, or the figures of one fruit.
    private static func kind(of name: String) -> String {
        let parts = name.split(separator: ".")
        switch parts[0] {
        case "wait", "waitProbability", "stay", "queue", "present": return "wait"
        case "profit", "revenue", "cost": return "money"
        case "throughput", "cups", "fillRate": return "served"
        case "engine", "notifications", "alerts": return "program"
        case "stock", "restock", "spoiled": return "fruit \(parts.count > 1 ? parts[1] : "")"
        default: return name == "customers.served" ? "served" : name
        }
    }
}
