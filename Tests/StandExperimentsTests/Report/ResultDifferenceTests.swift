import Foundation
import JuiceStand
import Reports
import StandExperiments
import TestSupport
import Testing
import TextFormats

/// Comparing results of `simulate`.
struct ResultDifferenceTests {
    /// The document of a result with the given values of each metric, by replication.
    private static func document(_ metrics: [(name: String, values: [Double?])], seed: UInt64 = 1) -> [UInt8] {
        let count = metrics[0].values.count
        let outcomes = (0..<count).map { number in
            ReplicationOutcome(number: number, values: metrics.map { $0.values[number] })
        }
        let run = SimulationResult.Run(set: [], names: metrics.map(\.name), juices: [], outcomes: outcomes)
        return document(
            SimulationResult(
                seed: seed, replications: count, horizon: SimulationTime(seconds: 3600), warmUp: .zero, config: [:],
                runs: [run]))
    }

    private static func document(_ result: SimulationResult) -> [UInt8] { Array(result.json().compact().utf8) }

    private static func result(
        _ metrics: [(name: String, values: [Double?])], seed: UInt64 = 1, source: String = "a.json",
        hasOutcomes: Bool = true
    ) throws -> SimulationResult {
        var result = try SimulationResult(document(metrics, seed: seed), source: source)
        if !hasOutcomes { result.runs[0].outcomes = [] }
        return result
    }

    /// A draw from the standard normal law.
    private static func normal(_ random: inout SplitMix64) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + random.uniform() }
    }

    private static func simulate(seed: UInt64, replications: Int, makers: Int = 1) throws -> SimulationResult {
        var base = try settings(queue)
        base.seed = seed
        base.makers = makers
        let experiment = Experiment(
            base: base, replications: replications, horizon: SimulationTime(seconds: 300), includesTiming: false)
        return try SimulationResult(document(experiment.run(.init())), source: "seed \(seed)")
    }

    @Test func `a loss that shrinks is a difference upwards`() throws {
        let first = try Self.result([("profit", [-20, -20.5, -19.5])])
        let second = try Self.result([("profit", [-10, -10.5, -9.5])], source: "b.json")
        let metric = try ResultDifference(first, second, confidence: 0.95).runs[0].metrics[0]
        #expect(metric.relative == 0.5 && metric.size == 0.5)
    }

    // MARK: - Figures of a file

    /// A result of two replications with other text in its document.
    private static func complaint(_ change: (String) -> String) throws -> String? {
        let text = String(
            decoding: document([("wait.mean", [1.5, 2.5]), ("revenue", [10, 20])]), as: UTF8.self)
        let changed = change(text)
        #expect(changed != text)
        do throws(ResultFileError) {
            let result = try SimulationResult(Array(changed.utf8), source: "a.json")
            _ = try ResultDifference(result, result, confidence: 0.95)
        } catch {
            return error.problems.first.map { "\($0)" }
        }
        return nil
    }

    @Test(arguments: [
        (#""mean":2,"#, #""mean":1e308,"#, "a.json:1:150: 'mean' must be a number from -9007199254740992"),
        (#"[1.5,10]"#, #"[1e20,10]"#, "'values' must be a number from -9007199254740992"),
        (#""n":2"#, #""n":3"#, "'wait.mean' must have at most 2 as \"n\", found 3"),
        (#""revenue":"#, #""wait.mean":"#, "\"metrics\" has 'wait.mean' twice"),
        (#""replications":2"#, #""replications":9007199254740992"#, "\"replications\" must be from 1 to"),
        (#""halfWidth":"#, #""halfWidth":-1,"x":"#, "must not be negative"),
    ])
    func `a figure that no result has is refused with its place`(old: String, new: String, message: String) throws {
        let found = try Self.complaint { text in
            text.firstRange(of: old).map { text.replacingCharacters(in: $0, with: new) } ?? text
        }
        #expect(found?.contains(message) == true, "\(found ?? "no complaint")")
    }

    @Test func `a metric of one replication has no difference, whatever its interval`() throws {
        #expect(try Self.complaint { $0.replacing(#""n":2"#, with: #""n":1"#) } == nil)
        #expect(try Self.complaint { $0.replacing(#""n":2"#, with: #""n":0"#) } == nil)
    }

    /// 2, 4, 4, 5, 10 twice: the standard error is √(8/10), and skewness lengthens the upper side. The standard error
    /// behind the interval follows from its lower side. A result of an earlier version has no ends, and its half-width is
    /// Student's.
    @Test func `a comparison by means alone takes the standard error from the nearer end of an interval`() throws {
        let values = [2.0, 4, 4, 5, 10, 2, 4, 4, 5, 10]
        let new = try Self.result([("a", values)], hasOutcomes: false)
        let reach = try #require(new.runs[0].metrics[0].reach)
        #expect(reach.above > 1.2 * reach.below)
        var old = new
        let halfWidth = 0.8.squareRoot() * StudentT.halfWidth(confidence: 0.95, degrees: 9)
        old.runs[0].metrics[0].reach = Reach(bothSides: halfWidth)
        var other = old
        other.runs[0].metrics[0].mean = 6
        for result in [new, old] {
            let difference = try #require(
                MeanDifference(from: result.runs[0].metrics[0], to: other.runs[0].metrics[0]))
            #expect(abs(difference.standardError - 1.6.squareRoot()) < 1e-9)
        }
    }

    @Test func `results with and without the ends of intervals are read`() throws {
        let document = #"""
            {"schema": "juicestand.simulation/1", "seed": 1, "replications": 12, "horizon": 60, "warmUp": 0, "config": {},
             "runs": [{"set": {}, "metrics": {
               "a": {"mean": 5, "halfWidth": 3, "low": 4, "high": 8, "confidence": 0.95, "n": 12},
               "b": {"mean": 5, "halfWidth": 3, "confidence": 0.95, "n": 12},
               "c": {"mean": 5, "halfWidth": null, "low": null, "high": null, "confidence": 0.95, "n": 1}}}]}
            """#
        let estimates = try SimulationResult(Array(document.utf8), source: "a.json").runs[0].metrics
        #expect(estimates[0].reach == Reach(below: 1, above: 3))
        #expect(estimates[1].reach == Reach(bothSides: 3))
        #expect(estimates[2].reach == nil)
        let wrong = document.replacing(#""low": 4"#, with: #""low": 6"#)
        #expect(throws: ResultFileError.self) { try SimulationResult(Array(wrong.utf8), source: "a.json") }
    }

    // MARK: - Errors of the tests

    @Test(arguments: [6, 12]) func `equal stands with different seeds rarely differ`(replications: Int) throws {
        // 5 comparisons at 95%: more than 2 alarms happen once in 900 times; of 1,000, more than 73 once in 1,000.
        let alarms = try (0..<Study.size(5, full: 1000)).count { index in
            let pair = try [2 * index, 2 * index + 1].map { index in
                try Self.simulate(seed: UInt64(index), replications: replications)
            }
            let difference = try ResultDifference(pair[0], pair[1], confidence: 0.95)
            #expect(difference.method == .welch)
            return difference.differs
        }
        #expect(alarms <= Study.size(2, full: 73))
    }

    @Test(arguments: [true, false]) func `a difference of five standard errors is mostly found`(isPaired: Bool) throws {
        let metrics = 40
        let replications = 40
        var random = SplitMix64(seed: 5)
        let trials = Study.size(3, full: 300)
        let found = try (0..<trials).count { _ in
            let seeds: [UInt64] = isPaired ? [1, 1] : [1, 2]
            // The standard error of a difference, of independent values.
            let error = (2 / Double(replications)).squareRoot()
            let results = try seeds.enumerated().map { index, seed in
                try Self.result(
                    (0..<metrics).map { metric in
                        let shift = index == 1 && metric == 7 ? 5 * error : 0
                        return ("m\(metric)", (0..<replications).map { _ in Self.normal(&random) + shift })
                    }, seed: seed)
            }
            let difference = try ResultDifference(results[0], results[1], confidence: 0.95)
            return difference.runs[0].metrics.contains { $0.name == "m7" && $0.differs }
        }
        // Testing 40 independent metrics at 5% together, Student's test finds 92.5% with 40 pairs and 94.6% without pairs (by
        // the noncentral t distribution). Fewer than 262 and 270 of 300 happen once in a thousand times.
        let least = Study.size(2, full: isPaired ? 262 : 270)
        #expect(found >= least, "\(found) of \(trials), seed 5")
    }

    @Test func `a metric differs if its probability is at most the error, and intervals grow with the confidence`()
        throws
    {
        for (seeds, count) in [([3, 3], 20), ([3, 4], 20), ([3, 4], 6)] as [([UInt64], Int)] {
            let results = try zip(seeds, [1, 2]).map { try Self.simulate(seed: $0, replications: count, makers: $1) }
            var widths: [Double] = []
            for confidence in [0.5, 0.8, 0.95, 0.99] {
                let found = try ResultDifference(results[0], results[1], confidence: confidence).runs[0].metrics
                for metric in found {
                    #expect(
                        metric.differs == (metric.probability.map { $0 <= 1 - confidence } ?? false),
                        "\(metric.name) at \(confidence)")
                }
                widths.append(try #require(found.first { $0.name == "queue.mean" }?.halfWidth))
            }
            #expect(zip(widths, widths.dropFirst()).allSatisfy { $0 < $1 }, "\(widths)")
        }
    }

    @Test(arguments: [true, false])
    func `among many metrics one has a larger probability than alone`(isPaired: Bool) throws {
        var random = SplitMix64(seed: 8)
        let metrics = (0...1).map { side in
            (0..<30).map { metric in
                // Three standard errors of the mean difference.
                let shift = side == 1 && metric == 0 ? 3 * (2.0 / 40).squareRoot() : 0
                return ("m\(metric)", (0..<40).map { _ in Self.normal(&random) + shift } as [Double?])
            }
        }
        let probabilities = try [1, 30].map { count in
            let results = try (0...1).map {
                try Self.result(Array(metrics[$0].prefix(count)), seed: isPaired ? 1 : UInt64($0))
            }
            let found = try ResultDifference(results[0], results[1], confidence: 0.95).runs[0].metrics
            return try #require(found.first { $0.name == "m0" }?.probability)
        }
        #expect(probabilities[1] > 5 * probabilities[0], "\(probabilities), seed 8")
    }

    /// Twelve differences of 1 or −1. Of their 4096 signs 3.9% give a sum of 8 or more, without its sign, and 14.6% one of 6
    /// or more: a mean of 1/2, and a variance of (12 − 12/4)/11. So that ratio is the 95% point.
    @Test func `the 95% point of pairs is that of all signs`() throws {
        let pairs = (0..<12).map { $0 < 7 ? 1.0 : -1 }
        let difference = try #require(MeanDifference(pairs: pairs))
        let test = FamilyTest([difference], pairs: [pairs], confidence: 0.95)
        #expect(abs(difference.standardError - ((12 - 12.0 / 36) / 11 / 12).squareRoot()) < 1e-12)
        #expect(abs(test.halfWidths[0] / difference.standardError - 0.5 / (9.0 / 11 / 12).squareRoot()) < 1e-9)
    }

    /// Twelve values of 1 among 24 are drawn into the first sample: with 3.9% three more or fewer than six, and with 22.0%
    /// two. Then the means are 1/3 and −1/3, and both variances (12 − 12/9)/11.
    @Test func `the 95% point of independent samples is that of all exchanges`() throws {
        let values = [[7, 5], [5, 7]].map { counts in (0..<12).map { $0 < counts[0] ? 1.0 : -1 } }
        let estimates = values.map { Estimate(name: "x", of: $0.map(Optional.some)) }
        let difference = try #require(MeanDifference(from: estimates[0], to: estimates[1]))
        let test = FamilyTest(
            [difference], [values[0].map(Optional.some)], [values[1].map(Optional.some)],
            confidence: 0.95)
        let ratio = 2.0 / 3 / (2 * (12 - 12.0 / 9) / 11 / 12).squareRoot()
        #expect(abs(test.halfWidths[0] / difference.standardError - ratio) < 1e-9)
    }

    @Test func `the fewer replications of two results decide how the tests are adjusted`() throws {
        let results = try [20, 12, 11].map { count in
            try Self.result([("x", (0..<count).map { Double($0 * 7 % 5) })], seed: UInt64(count))
        }
        let adjustments = try results.dropFirst().map {
            [
                try ResultDifference(results[0], $0, confidence: 0.95),
                try ResultDifference($0, results[0], confidence: 0.95),
            ]
            .map(\.adjustment)
        }
        #expect(adjustments == [[.maxT, .maxT], [.holm, .holm]])
    }

    @Test func `pairs with the same customers show a difference that independent runs hide`() throws {
        let noise = (0..<30).map { Double(($0 * 7919) % 101) }
        let first = try Self.result([("x", noise)])
        let second = try Self.result([("x", noise.enumerated().map { $1 + 1 + Double($0 % 2) })], source: "b.json")
        let paired = try ResultDifference(first, second, confidence: 0.95)
        #expect(paired.method == .pairs && paired.adjustment == .maxT && paired.differs)
        var otherSeed = second
        otherSeed.seed = 2
        var otherNumbers = second
        otherNumbers.runs[0].outcomes = second.runs[0].outcomes.map { .init(number: $0.number + 1, values: $0.values) }
        for other in [otherSeed, otherNumbers] {
            let difference = try ResultDifference(first, other, confidence: 0.95)
            #expect(difference.method == .welch && !difference.differs)
        }
    }

    // MARK: - Figures

    @Test func `Welch's test agrees with scipy`() throws {
        let a = Estimate(name: "x", of: [12.1, 9.8, 11.4, 10.9, 13.0, 10.2])
        let b = Estimate(name: "x", of: [14.9, 11.0, 15.2, 13.3, 12.8, 16.1, 14.0, 13.7])
        let found = try #require(MeanDifference(from: a, to: b))
        #expect(abs(found.difference - 2.6416666666666675) < 1e-9)
        #expect(abs(found.standardError - 0.7424688011188892) < 1e-9)
        // scipy.stats.ttest_ind has 11.99 degrees of freedom; they are rounded down.
        #expect(found.degrees == 11)
        #expect(abs(found.probability - 0.004488978659651829) < 1e-9)
    }

    @Test func `the test of pairs agrees with scipy`() throws {
        let found = try #require(MeanDifference(pairs: [1.2, -0.4, 2.2, 1.9, 0.3]))
        #expect(abs(found.difference - 1.04) < 1e-12)
        #expect(abs(found.ratio - 2.138089935299395) < 1e-9)
        #expect(abs(found.probability - 0.09930068321372679) < 1e-9)
    }

    @Test func `values that never vary are judged by the number of their permutations`() throws {
        #expect(MeanDifference(pairs: [2, 2, 2, 2])?.probability == 0.125)
        #expect(MeanDifference(pairs: [0, 0, 0])?.probability == 1)
        #expect(MeanDifference(pairs: [1]) == nil)
        let pair = [Estimate(name: "x", of: [3, 3, 3]), Estimate(name: "x", of: [4, 4, 4])]
        #expect(abs(try #require(MeanDifference(from: pair[0], to: pair[1])).probability - 0.1) < 1e-12)
    }

    @Test func `Holm's method multiplies each probability by the tests left`() throws {
        let differences = try [[1.0, 1.1, 0.9, 1.0], [1, 2, 3, 4], [1, -1, 2, -2]].map {
            try #require(MeanDifference(pairs: $0))
        }
        let found = FamilyTest(holm: differences, confidence: 0.95).probabilities
        let alone = differences.map(\.probability)
        #expect(found == [3 * alone[0], 2 * alone[1], alone[2]])
    }

    @Test func `differences come first, the largest of them at the top`() throws {
        let values = (0..<20).map { Double($0 % 5) }
        let first = try Self.result([
            ("same", values), ("small", values.map { $0 + 100 }), ("large", values.map { $0 + 10 }),
            ("none", values.map { _ in nil }),
        ])
        let second = try Self.result(
            [
                ("same", values), ("small", values.map { $0 + 101 }), ("large", values.map { $0 + 5 }),
                ("none", values.map { _ in nil }),
            ], source: "b.json")
        let difference = try ResultDifference(first, second, confidence: 0.95)
        #expect(difference.runs[0].metrics.map(\.name) == ["large", "small", "same", "none"])
        #expect(difference.runs[0].metrics.map(\.differs) == [true, true, false, false])
        #expect(difference.runs[0].metrics[0].relative == -5.0 / 12)
        #expect(
            difference.report().text(width: 200) == """
                a.json and b.json differ in 2 of 4 metrics: 20 pairs of replications, 95% confidence for all metrics together

                  metric  a.json  b.json  difference  relative
                  large       12       7      -5 ± 0    -41.7%
                  small      102     103      +1 ± 0     +1.0%

                All metrics: --verbose or --format json

                """)
        let page = try #require(PageReading(difference.report().html()), "not well-formed")
        let rows = try #require(page.table("All metrics, those that differ first"))
        #expect(rows.map { $0[0] } == ["metric", "large", "small", "same", "none"])
        #expect(rows[1][3...] == ["-5 ± 0", "-41.7%", "0.0015"])
        #expect(page.all("tr").filter { $0.attributes["class"] == "marked" }.count == 2, "those that differ")
        let sure = try ResultDifference(first, second, confidence: 0.999)
        #expect(sure.adjustment == .holm && sure.runs[0].metrics.map(\.differs) == [true, true, false, false])
        let mirrored = try ResultDifference(second, first, confidence: 0.95)
        #expect(
            mirrored.runs[0].metrics.map(\.difference)
                == difference.runs[0].metrics.map { $0.difference.map { 0 - $0 } })
    }

    // MARK: - Documents

    @Test func `the wall clock is neither compared nor among the values of a whole result`() throws {
        var base = try settings(queue)
        base.seed = 9
        let timed = Experiment(base: base, replications: 3, horizon: SimulationTime(seconds: 60))
        let bare = Experiment(
            base: base, replications: 3, horizon: SimulationTime(seconds: 60), includesTiming: false)
        let documents = [timed, bare].map { $0.run(.init()).json()["runs"]?.elements.first?["outcomes"] }
        #expect(documents[0] != nil && documents[0] == documents[1])
        var shard = timed
        shard.shard = Shard(index: 1, count: 1)
        shard.drawsCharts = true
        let results = try [timed, bare, shard].map {
            try SimulationResult(Self.document($0.run(.init())), source: "a.json")
        }
        #expect(results[0].runs[0].metrics == results[1].runs[0].metrics)
        #expect(results[2].runs[0].names == results[1].runs[0].names)
        #expect(results[0].runs[0].outcomes.map(\.values) == results[2].runs[0].outcomes.map(\.values))
        #expect(try !ResultDifference(results[0], results[2], confidence: 0.95).differs)
    }

    @Test func `results without values of replications are compared by Welch's test`() throws {
        let values = (0..<20).map { Double($0 % 5) }
        let results = try ["a.json", "b.json"].map { try Self.result([("x", values)], source: $0, hasOutcomes: false) }
        let difference = try ResultDifference(results[0], results[1], confidence: 0.95)
        #expect(difference.method == .welch && difference.adjustment == .holm && !difference.differs)
        #expect(difference.notes.count == 1)
    }

    @Test func `results of other settings are refused`() throws {
        var results = try ["a.json", "b.json"].map { try Self.result([("x", [1, 2])], source: $0) }
        for index in 0...1 {
            results[index].runs[0].set = [.init(key: "makers", value: 1)]
            results[index].runs.append(results[index].runs[0])
            results[index].runs[1].set = [.init(key: "makers", value: .integer(Int64(2 + index)))]
        }
        let error = #expect(throws: ResultFileError.self) {
            try ResultDifference(results[0], results[1], confidence: 0.95)
        }
        #expect(
            error?.problems.map(\.description) == [
                "b.json: must have the settings of a.json, which are makers=1; makers=2; found makers=1; makers=3"
            ])
    }

    @Test(arguments: [
        (
            #"{"schema": "juicestand.simulation/1", "partial": true}"#,
            "x.json: is partial: its run was interrupted; run it again"
        ),
        (
            #"{"schema": "juicestand.simulation/1", "shard": {"count": 3}}"#,
            "x.json: is a shard: merge all shards with juicestand merge first"
        ),
        (
            #"{"schema": "juicestand.simulation/1", "seed": 1, "replications": 1}"#,
            "x.json: has one replication, which cannot show what is chance; use simulate --replications 30 or more"
        ),
        (
            #"{"schema": "juicestand.simulation/1", "seed": 1, "replications": 2, "horizon": 1, "warmUp": 0, "runs": [{"set": {}, "metrics": {}, "outcomes": [{"replication": 1, "values": []}]}]}"#,
            #"x.json: "outcomes" must have every replication from 0 to 1 once"#
        ),
        ("{", "x.json:1:2: expected '}' to close the bracket at x.json:1:1, found the end of the text"),
    ])
    func `a file that cannot be compared is refused in one line`(text: String, message: String) {
        let error = #expect(throws: ResultFileError.self) { try SimulationResult(Array(text.utf8), source: "x.json") }
        #expect(error?.problems.map(\.description) == [message])
    }
}
