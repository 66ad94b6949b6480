import JuiceStand
import TextFormats

/// Whether two results of `simulate` differ by more than chance, metric by metric.
package struct ResultDifference: Equatable, Sendable {
    package static let schema = "juicestand.diff/1"

    package enum Method: String, Sendable {
        /// Pairs of replications with the same random streams.
        case pairs
        /// Welch's test for independent samples.
        case welch
    }

    /// How the tests of all metrics are adjusted for their number.
    package enum Adjustment: String, Sendable {
        /// Compares each ratio with the largest ratios under permutations of the replications.
        case maxT
        case holm
    }

    /// One metric of both results.
    package struct Metric: Equatable, Sendable {
        package var name: String
        /// Nil without observations.
        package var first: Double?
        package var second: Double?
        /// The second mean less the first. Nil if either has fewer than two observations.
        package var difference: Double?
        /// Half the width of the interval that holds for all metrics together.
        package var halfWidth: Double?
        /// The p-value, adjusted for the number of metrics.
        package var probability: Double?
        package var differs: Bool

        /// The difference as a share of the first mean; nil if that is 0.
        package var relative: Double? {
            guard let difference, let first, first != 0 else { return nil }
            return difference / abs(first)
        }

        /// The absolute difference as a share of the larger absolute mean, for sorting; 0 without a difference.
        package var size: Double {
            guard let difference, let first, let second, difference != 0 else { return 0 }
            return abs(difference) / max(abs(first), abs(second))
        }
    }

    /// One setting of both results.
    package struct Run: Equatable, Sendable {
        /// The varied keys in each result.
        package var first: [JSONValue.Member]
        package var second: [JSONValue.Member]
        /// Metrics that differ come first, then those of larger ``Metric/size``.
        package var metrics: [Metric]
    }

    package var first: SimulationResult
    package var second: SimulationResult
    package var confidence: Double
    package var method: Method
    package var adjustment: Adjustment
    package var runs: [Run]
    /// Remarks on how far the results can be compared.
    package var notes: [String]

    package var differs: Bool { runs.contains { $0.metrics.contains(where: \.differs) } }

    /// The fewest replications for permutations. With fewer, no difference could pass the correction for the number of
    /// metrics.
    private static let fewestPermuted = 12
    /// The highest confidence for permutations. A higher one would need more permutations.
    private static let highestPermuted = 0.99

    /// - Throws: ``ResultFileError`` if the results have different settings.
    package init(_ first: SimulationResult, _ second: SimulationResult, confidence: Double) throws(ResultFileError) {
        self.first = first
        self.second = second
        self.confidence = confidence
        notes = []
        let matches = try Self.match(first, second)
        let isKnown = matches.allSatisfy { !$0.outcomes.isEmpty && !$1.outcomes.isEmpty }
        let isPaired =
            isKnown && first.seed == second.seed
            && matches.allSatisfy { $0.outcomes.map(\.number) == $1.outcomes.map(\.number) }
        method = isPaired ? .pairs : .welch
        let fewest = min(first.replications, second.replications)
        adjustment = isKnown && fewest >= Self.fewestPermuted && confidence <= Self.highestPermuted ? .maxT : .holm
        runs = []
        test(matches)
        addNotes(isPaired)
    }

    /// Pairs the runs of equal settings. Two single runs are a pair even if their settings differ.
    private static func match(
        _ first: SimulationResult, _ second: SimulationResult
    ) throws(ResultFileError) -> [(SimulationResult.Run, SimulationResult.Run)] {
        if first.runs.count == 1, second.runs.count == 1 { return [(first.runs[0], second.runs[0])] }
        var matches: [(SimulationResult.Run, SimulationResult.Run)] = []
        for run in first.runs {
            guard let other = second.runs.first(where: { $0.set == run.set }) else { break }
            matches.append((run, other))
        }
        guard matches.count == first.runs.count, first.runs.count == second.runs.count else {
            throw ResultFileError(
                source: second.source,
                message:
                    "must have the settings of \(first.source), which are \(describe(first)); found \(describe(second))"
            )
        }
        return matches
    }

    private static func describe(_ result: SimulationResult) -> String {
        let names = result.runs.map { $0.set.isEmpty ? "one without varied keys" : SimulationResult.describe($0.set) }
        return names.prefix(5).joined(separator: "; ")
            + (names.count > 5 ? "; and \(Columns.grouped(names.count - 5)) more" : "")
    }
}

extension MeanDifference {
    /// By Welch's test. Returns nil without an interval on either side.
    package init?(from first: Estimate, to second: Estimate) {
        guard let mean = first.mean, let other = second.mean, let error = first.standardError,
            let otherError = second.standardError
        else { return nil }
        self.init(
            from: Sample(mean: mean, standardError: error, count: first.count),
            to: Sample(mean: other, standardError: otherError, count: second.count))
    }
}

// MARK: - Testing

extension ResultDifference {
    /// A difference of one metric that both runs have.
    private struct Test {
        var run: Int
        /// The index among the metrics of the run.
        var place: Int
        var difference: MeanDifference
        var first: [Double?]
        var second: [Double?]
    }

    /// The second value less the first of each pair; nil if either is missing.
    private static func pairs(_ first: [Double?], _ second: [Double?]) -> [Double?] {
        zip(first, second).map { first, second -> Double? in
            guard let first, let second else { return nil }
            return second - first
        }
    }

    private mutating func test(_ matches: [(SimulationResult.Run, SimulationResult.Run)]) {
        var tests: [Test] = []
        for (index, (a, b)) in matches.enumerated() {
            var run = Run(first: a.set, second: b.set, metrics: [])
            let places = Dictionary(b.names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            for (place, estimate) in a.metrics.enumerated() {
                guard let otherPlace = places[estimate.name] else { continue }
                let other = b.metrics[otherPlace]
                let values = a.outcomes.map { $0.values[place] }
                let others = b.outcomes.map { $0.values[otherPlace] }
                let difference =
                    method == .pairs
                    ? MeanDifference(pairs: Self.pairs(values, others).compactMap { $0 })
                    : MeanDifference(from: estimate, to: other)
                if let difference {
                    let place = run.metrics.count
                    tests.append(
                        Test(run: index, place: place, difference: difference, first: values, second: others))
                }
                run.metrics.append(
                    Metric(name: estimate.name, first: estimate.mean, second: other.mean, differs: false))
            }
            runs.append(run)
        }
        let differences = tests.map(\.difference)
        let family =
            switch (adjustment, method) {
            case (.holm, _): FamilyTest(holm: differences, confidence: confidence)
            case (.maxT, .pairs):
                FamilyTest(differences, pairs: tests.map { Self.pairs($0.first, $0.second) }, confidence: confidence)
            case (.maxT, .welch):
                FamilyTest(differences, tests.map(\.first), tests.map(\.second), confidence: confidence)
            }
        for (number, test) in tests.enumerated() {
            var metric = runs[test.run].metrics[test.place]
            metric.difference = test.difference.difference
            metric.halfWidth = family.halfWidths[number]
            metric.probability = family.probabilities[number]
            metric.differs = family.probabilities[number] <= 1 - confidence
            runs[test.run].metrics[test.place] = metric
        }
        for index in runs.indices {
            let metrics = runs[index].metrics
            let ranks = metrics.indices.map { (metrics[$0].differs ? 0 : 1, -metrics[$0].size, $0) }
            runs[index].metrics = ranks.sorted { $0 < $1 }.map { metrics[$0.2] }
        }
    }

    private mutating func addNotes(_ isPaired: Bool) {
        if first.horizon != second.horizon || first.warmUp != second.warmUp {
            notes.append("the results are of different lengths of stand time or warm-up")
        }
        if !isPaired, first.seed == second.seed {
            notes.append(
                first.replications == second.replications
                    ? "the results do not have the values of each replication, so there are no pairs: results of up "
                        + "to \(Columns.grouped(SimulationResult.mostOutcomes)) replications have them"
                    : "the results have the same seed but not the same number of replications, so there are no pairs")
        }
        for (mine, other) in [(first, second), (second, first)] {
            let names = mine.runs[0].metrics.map(\.name)
            let others = Set(other.runs[0].metrics.map(\.name))
            let missing = names.filter { !others.contains($0) }
            if !missing.isEmpty {
                let names = missing.prefix(10).joined(separator: ", ")
                notes.append(
                    missing.count > 10
                        ? "only \(mine.source) has \(names) and others" : "only \(mine.source) has \(names)")
            }
        }
    }
}
