import JuiceStand
import Platform
import Terms
import TextFormats

/// The results of several stands together: by stand, and in sum for what adds.
///
/// Counts, hours and money add. Waits, percentiles and shares do not: they are those of single stands.
package struct ChainResult: Equatable, Sendable {
    package static let schema = "juicestand.chain/1"

    /// By name.
    package let stands: [RecordedResult]
    /// The metrics that add, each over all stands that have it.
    package let sums: [Estimate]
    /// Why the sums have no intervals; nil if they have.
    package let note: Message?
    private let currency: String

    /// - Parameter files: A whole result of one setting for each stand, with the names for error messages.
    /// - Throws: ``ResultFileError`` with all problems.
    package init(_ files: [(name: String, bytes: [UInt8])]) throws(ResultFileError) {
        var problems: [TextProblem] = []
        var found: [RecordedResult] = []
        for file in files {
            do { found.append(try RecordedResult(file.bytes, source: file.name, fewestReplications: 1)) } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty, let first = found.first else { throw ResultFileError(problems) }
        for (index, result) in found.enumerated() {
            let message: Message? =
                if result.runs.count > 1 {
                    "has \(result.runs.count) settings; a stand of a chain has one, so simulate it without --vary"
                } else if let other = found[..<index].first(where: { $0.stand == result.stand }) {
                    "is of the stand \"\(result.stand)\", and so is \(other.source); name stands with --set stand=NAME"
                } else if (result.horizon, result.warmUp) != (first.horizon, first.warmUp) {
                    "is of another time than \(first.source): --for and --warm-up must be the same"
                } else if result.currency != first.currency {
                    "has the currency \(result.currency), and \(first.source) has \(first.currency)"
                } else {
                    nil
                }
            if let message { problems.append(TextProblem(source: result.source, message: message)) }
        }
        guard problems.isEmpty else { throw ResultFileError(problems) }
        stands = found.sorted { $0.stand < $1.stand }
        currency = first.currency
        let seeds = Dictionary(grouping: stands, by: \.seed).values.first { $0.count > 1 }
        note = seeds.map {
            "the sums have no intervals: \"\($0[0].stand)\" and \"\($0[1].stand)\" have the same seed, so their "
                + "customers are not independent"
        }
        var names: [String] = []
        for name in stands.flatMap({ $0.runs[0].estimates.map(\.name) }) where Self.adds(name) && !names.contains(name)
        {
            names.append(name)
        }
        let estimates = stands.map { $0.runs[0].estimates }
        let isIndependent = note == nil
        sums = names.map { name in
            let parts = estimates.compactMap { $0.first { $0.name == name } }
            return Self.sum(of: parts, name, isIndependent: isIndependent)
        }
    }

    /// Whether the sum over stands means something.
    private static func adds(_ name: String) -> Bool {
        ["revenue", "profit", "notifications.posted"].contains(name) || name.hasSuffix(".hours")
            || ["customers.", "cups.", "cost.", "restock.", "spoiled.", "alerts."].contains { name.hasPrefix($0) }
    }

    /// The sum of independent means, with the degrees of freedom of Welch and Satterthwaite.
    private static func sum(of parts: [Estimate], _ name: String, isIndependent: Bool) -> Estimate {
        var sum = Estimate(name: name, of: [Double?]())
        guard !parts.isEmpty, parts.allSatisfy({ $0.mean != nil }) else { return sum }
        sum.mean = parts.reduce(0) { $0 + ($1.mean ?? 0) }
        sum.count = parts.map(\.count).min() ?? 0
        guard isIndependent, parts.allSatisfy({ $0.halfWidth != nil && $0.count > 1 }) else { return sum }
        var (variance, squares) = (0.0, 0.0)
        for part in parts {
            let degrees = part.count - 1
            let error = (part.halfWidth ?? 0) / StudentT.halfWidth(confidence: Estimate.confidence, degrees: degrees)
            variance += error * error
            squares += error * error * error * error / Double(degrees)
        }
        let degrees = variance == 0 ? 1 : max(1, Int(min(variance * variance / squares, 1e9)))
        sum.halfWidth =
            variance.squareRoot() * StudentT.halfWidth(confidence: Estimate.confidence, degrees: degrees)
        return sum
    }
}

// MARK: - Writing

extension ChainResult {
    package func text(_ words: Words) -> String {
        let headlines = SimulationResult.headlines + ["profit"]
        func row(_ name: String, _ estimates: [Estimate], _ none: String) -> [String] {
            [name]
                + headlines.map { headline in
                    estimates.first { $0.name == headline }?.mean.map { Estimate.rounded($0, of: headline) } ?? none
                }
        }
        let rows =
            [[""] + headlines] + stands.map { row($0.stand, $0.runs[0].estimates, words("none")) }
            + [row(words("sum"), sums, "")]
        let time: Message =
            stands[0].horizon.map { "\("\(Columns.readable($0)) s" as Message) of stand time" } ?? "to the last order"
        let all = sums.compactMap { sum in
            sum.roundedSpread.map { [sum.name, $0.mean, $0.spread.map { words($0) } ?? ""] }
        }
        return words("\(Message.counted(stands.count, "stand")), \(time), money in \(currency)") + "\n\n"
            + Columns.table(rows) + (note.map { "\n  " + words("note: \($0)") + "\n" } ?? "") + "\n"
            + words(sums.contains { $0.halfWidth != nil } ? "sums with 95% confidence intervals:" : "sums:") + "\n"
            + Columns.table(all)
    }

    package var json: JSONValue {
        func metrics(_ estimates: [Estimate]) -> JSONValue {
            .object(estimates.map { .init(key: $0.name, value: Self.json($0)) })
        }
        return [
            "schema": .string(Self.schema), "horizon": .orNull(stands[0].horizon), "currency": .string(currency),
            "stands": .array(
                stands.map { stand in
                    [
                        "stand": .string(stand.stand), "seed": .whole(stand.seed),
                        "replications": .whole(stand.replications), "metrics": metrics(stand.runs[0].estimates),
                    ]
                }),
            "sum": metrics(sums), "notes": .strings(note.map { ["\($0)"] } ?? []),
        ]
    }

    private static func json(_ estimate: Estimate) -> JSONValue {
        [
            "mean": .orNull(estimate.mean), "halfWidth": .orNull(estimate.halfWidth),
            "confidence": .number(Estimate.confidence), "n": .whole(estimate.count),
        ]
    }
}
