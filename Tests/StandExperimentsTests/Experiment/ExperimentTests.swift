import JuiceStand
import StandExperiments
import Synchronization
import TestSupport
import Testing
import TextFormats

/// ``lively`` in several settings.
private func sweep(replications: Int, shard: Shard? = nil, charts: Bool = false) throws -> Experiment {
    let base = try settings(lively)
    let makers = [2, 1, 3]
    return Experiment(
        base: base,
        settings: makers.map { makers in
            var varied = base
            varied.makers = makers
            return .init(set: [.init(key: "makers", value: .integer(Int64(makers)))], settings: varied)
        },
        replications: replications, horizon: SimulationTime(seconds: 900),
        warmUp: .fixed(SimulationTime(seconds: 200)), shard: shard, includesTiming: false, drawsCharts: charts)
}

/// A shard as its file would hold it.
func file(_ result: SimulationResult, _ name: String) -> (name: String, bytes: [UInt8]) {
    (name, Array(result.json().pretty().utf8))
}

@Suite(.timeLimit(.minutes(60)))
struct ExperimentTests {
    @Test(arguments: [2, 64])
    func `the number of jobs changes nothing`(jobs: Int) throws {
        let experiment = try sweep(replications: 4)
        let alone = experiment.run(.init(jobs: 1))
        #expect(alone.runs.allSatisfy { $0.outcomes.map(\.number) == Array(0..<4) })
        let values = alone.runs[0].outcomes.map(\.values)
        for (index, value) in values.enumerated() { #expect(!values[..<index].contains(value), "no two are alike") }
        #expect(experiment.run(.init(jobs: jobs)) == alone)
    }

    /// Random numbers of shards, run on random numbers of threads and merged in random order.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `merged shards equal the unsharded run, byte for byte`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let replications = Int.random(in: 2...5, using: &random)
        let whole = try sweep(replications: replications, charts: true).run(.init(jobs: 2))
        let count = Int.random(in: 1...(3 * replications), using: &random)
        let parts = try (1...count).map { index in
            let part = try sweep(
                replications: replications, shard: Shard(index: index, count: count), charts: true)
            return file(part.run(.init(jobs: Int.random(in: 1...4, using: &random))), "part\(index).json")
        }
        let merged = try SimulationResult.merge(parts.shuffled(using: &random))
        #expect(merged.json().pretty() == whole.json().pretty(), "seed \(seed): \(count) shards of \(replications)")
        // What plots are drawn from is merged as well.
        #expect(merged.runs == whole.runs, "seed \(seed): \(count) shards of \(replications)")
    }

    @Test func `observers change no figure`() throws {
        let experiment = try sweep(replications: 3)
        let alone = experiment.run(.init())
        let counter = OrderCounter()
        let observed = experiment.run(
            .init(
                jobs: 2,
                makeAudience: { _ in
                    let wiring = WiringChoice.notification.makeWiring()
                    wiring.connect(counter)
                    return Audience(wiring)
                }))
        #expect(observed == alone)
        #expect(counter.served > 0)
    }

    // MARK: - Common random numbers

    /// The same stand with 5% quicker makers: its customers being the same, the difference is known far better than
    /// either figure.
    @Test func `paired differences have narrower intervals than independent ones`() throws {
        let base = try settings(queue)
        var quicker = base
        quicker.offers[0].preparation = .exponential(mean: 0.95)
        func experiment(_ stands: [StandSettings]) -> Experiment {
            Experiment(
                base: base, settings: stands.map { .init(set: [], settings: $0) }, replications: 20,
                horizon: SimulationTime(seconds: 2000), includesTiming: false)
        }
        let paired = experiment([base, quicker]).run(.init(jobs: 2))
        let difference = try #require(paired.runs[1].differences(from: paired.runs[0]).first { $0.name == "wait.mean" })
        // Strangers: other seeds, and the two errors added as those of independent means.
        quicker.seed = base.seed + 1
        let stranger = experiment([quicker]).run(.init(jobs: 2)).runs[0].metric("wait.mean")!
        let first = paired.runs[0].metric("wait.mean")!
        let apart = (first.halfWidth! * first.halfWidth! + stranger.halfWidth! * stranger.halfWidth!).squareRoot()
        #expect(difference.halfWidth! < apart / 3, "seed \(base.seed)")
        // 4 less 0.95 · 0.76 / 0.24, by Pollaczek and Khinchine.
        #expect(abs(difference.mean! - (0.95 * 0.76 / 0.24 - 4)) < 2 * difference.halfWidth!, "seed \(base.seed)")
        #expect(difference.mean! + difference.halfWidth! < 0)
    }

    @Test func `a difference is the mean over pairs, and needs an observation on both sides`() throws {
        func run(_ values: [Double?], from number: Int = 0) -> SimulationResult.Run {
            .init(
                set: [], names: ["a", "b"],
                juices: [],
                outcomes: values.enumerated().map {
                    ReplicationOutcome(number: number + $0.offset, values: [0, $0.element])
                })
        }
        let first = run([1, 2, 3, nil, 9])
        // Pairs 5 − 1, 5 − 2, 9 − 3: mean 13/3, deviations −1/3, −4/3, 5/3, standard error √(42/9 / 2 / 3).
        let differences = run([5, 5, 9, 7, nil]).differences(from: first)
        #expect(differences.map(\.name) == ["a", "b"])
        #expect(differences[1].count == 3)
        #expect(abs(differences[1].mean! - 13.0 / 3) < 1e-12)
        #expect(abs(differences[1].halfWidth! - 4.302653 * (42.0 / 54).squareRoot()) < 1e-5)
        // Pairs are of one number, not of one place.
        #expect(run([10, 20], from: 1).differences(from: first)[1].mean == 12.5)
        #expect(run([1], from: 7).differences(from: first)[1].mean == nil)
    }

    // MARK: - Saying so when something is wrong

    @Test func `an interrupted experiment keeps whole replications, which do not depend on their number`() throws {
        let experiment = try sweep(replications: 20)
        let progress = ExperimentProgress()
        let result = experiment.run(
            .init(jobs: 1, progress: progress, while: { progress.reading.replicationsDone < 3 }))
        #expect(result.isPartial)
        #expect(result.runs[0].outcomes.map(\.number) == Array(0..<3))
        let whole = try sweep(replications: 3).run(.init())
        #expect(result.runs[0].outcomes == whole.runs[0].outcomes)
        // Of a setting that was not reached there are no figures.
        #expect(result.runs[1].outcomes.isEmpty && result.runs[1].metric("wait.mean")?.mean == nil)
    }

    @Test func `an experiment that is interrupted within a replication ends and is marked as partial`() {
        let experiment = Experiment(base: .standard, horizon: SimulationTime(seconds: 1e9), includesTiming: false)
        let asked = Atomic(0)
        let result = experiment.run(.init(while: { asked.add(1, ordering: .relaxed).newValue < 4 }))
        #expect(result.isPartial && result.json()["partial"] == true)
    }

    @Test func `a problem found by an observer is a fault of the result`() throws {
        let result = try sweep(replications: 2).run(
            .init(makeAudience: { settings in
                Audience(WiringChoice.closure.makeWiring()) { _ in settings.makers == 3 ? "is odd" : nil }
            }))
        #expect(result.faults == ["replication 0 of makers=3 is odd", "replication 1 of makers=3 is odd"])
        #expect(try sweep(replications: 2).run(.init()).faults == [])
    }
}
