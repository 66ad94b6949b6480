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
        /// The largest ratio, by permutations of the replications.
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
        /// The interval is one of all metrics together.
        package var halfWidth: Double?
        /// Adjusted for the number of metrics.
        package var probability: Double?
        package var differs: Bool

        /// The difference as a share of the first mean; nil if that is 0.
        package var relative: Double? {
            guard let difference, let first, first != 0 else { return nil }
            return difference / abs(first)
        }

        /// The difference as a share of the larger mean, without signs. It sorts the metrics.
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
        /// Those that differ come first, then the larger ``Metric/size``.
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
    /// The highest confidence for permutations. A higher one would need more of them.
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

    /// The runs that belong together: of equal settings, or the only ones.
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
    /// One metric of one pair of runs.
    private struct Candidate {
        var run: Int
        var first: Estimate
        var second: Estimate
        var firstValues: [Double?]
        var secondValues: [Double?]

        var pairs: [Double?] {
            zip(firstValues, secondValues).map { first, second in second.flatMap { b in first.map { b - $0 } } }
        }
    }

    private mutating func test(_ matches: [(SimulationResult.Run, SimulationResult.Run)]) {
        var candidates: [Candidate] = []
        for (index, (a, b)) in matches.enumerated() {
            runs.append(Run(first: a.set, second: b.set, metrics: []))
            candidates += Self.candidates(index, a, b)
        }
        let tested = candidates.map { candidate in
            method == .pairs
                ? MeanDifference(pairs: candidate.pairs.compactMap { $0 })
                : MeanDifference(from: candidate.first, to: candidate.second)
        }
        let places = tested.indices.filter { tested[$0] != nil }
        let differences = tested.compactMap { $0 }
        let family =
            switch (adjustment, method) {
            case (.holm, _): FamilyTest(holm: differences, confidence: confidence)
            case (.maxT, .pairs):
                FamilyTest(differences, pairs: places.map { candidates[$0].pairs }, confidence: confidence)
            case (.maxT, .welch):
                FamilyTest(
                    differences, places.map { candidates[$0].firstValues },
                    places.map { candidates[$0].secondValues }, confidence: confidence)
            }
        var results = candidates.map { candidate in
            Metric(
                name: candidate.first.name, first: candidate.first.mean, second: candidate.second.mean, differs: false)
        }
        for (number, place) in places.enumerated() {
            results[place].difference = differences[number].difference
            results[place].halfWidth = family.halfWidths[number]
            results[place].probability = family.probabilities[number]
            results[place].differs = family.probabilities[number] <= 1 - confidence
        }
        for (candidate, result) in zip(candidates, results) { runs[candidate.run].metrics.append(result) }
        for index in runs.indices {
            let metrics = runs[index].metrics
            let order = metrics.indices.sorted {
                let (a, b) = (metrics[$0], metrics[$1])
                if a.differs != b.differs { return a.differs }
                return a.size != b.size ? a.size > b.size : $0 < $1
            }
            runs[index].metrics = order.map { metrics[$0] }
        }
    }

    /// The metrics that both runs have.
    private static func candidates(
        _ index: Int, _ first: SimulationResult.Run, _ second: SimulationResult.Run
    ) -> [Candidate] {
        let places = Dictionary(
            second.metrics.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return first.metrics.enumerated().compactMap { place, estimate in
            guard let other = places[estimate.name] else { return nil }
            return Candidate(
                run: index, first: estimate, second: second.metrics[other],
                firstValues: first.outcomes.map { $0.values[place] },
                secondValues: second.outcomes.map { $0.values[other] })
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
