import JuiceStand
import StandExperiments
import Testing

@Suite(.timeLimit(.minutes(60)))
struct WarmUpTests {
    /// MSER of a truncation at d: Σ(x − mean of the rest)² / (n − d)², the smallest wins.
    @Test(
        arguments: [
            // Already at rest: any truncation is worse. 1,−1,… : n/n² falls with n, so that nothing is cut.
            ([1, -1, 1, -1, 1, -1, 1, -1], 0),
            // d = 0: 8 values of mean 12.5, Σ = 8,750 / 64; d = 1: all 0.
            ([100, 0, 0, 0, 0, 0, 0, 0], 1),
            // d = 2: 0 from there on; before it the 3 is left in.
            ([9, 3, 0, 0, 0, 0, 0, 0], 2),
            // All alike: nothing to be gained, nothing is cut.
            ([4, 4, 4, 4, 4, 4], 0),
            // 4, 0, 1, 0, 1, 0: d = 0: mean 1, Σ = 9+1+0+1+0+1 = 12, 12/36 = 0.333; d = 1: mean 0.4, Σ = 1.2, 1.2/25 = 0.048;
            // d = 2: mean 0.5, Σ = 1, 1/16 = 0.0625.
            ([4, 0, 1, 0, 1, 0], 1),
            ([], 0), ([7], 0),
        ] as [([Double], Int)])
    func `the cut minimizes the standard error of the rest`(series: [Double], cut: Int) {
        #expect(MSER5.truncation(ofBatches: series) == cut)
    }

    // Of a ramp of 8 the half 5, 6, 7, 8 is best: 5 / 16 against 42 / 64 of the whole. It would be cut further.
    @Test(arguments: [[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]] as [[Double]])
    func `a cut beyond one half is rejected`(series: [Double]) {
        #expect(MSER5.truncation(ofBatches: series) == nil)
    }

    // Two steps: at batch 10 from 100 to 5, at batch 40 to 0. The error is about .13 for a cut at 10, .19 at one half and .013
    // at 40.
    @Test func `a better cut beyond one half rejects every earlier one`() {
        var random = SplitMix64(seed: 3)
        let noise = Distribution.normal(mean: 10, deviation: 0.5)
        let series = (0..<60).map { batch in
            noise.sample(using: &random) + (batch < 10 ? 100 : batch < 40 ? 5 : 0)
        }
        #expect(MSER5.truncation(ofBatches: series) == nil)
    }

    /// A ramp of 60 batches up to a level, then noise around it: the cut lies where the ramp sinks into the noise.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `finds the end of a ramp`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let noise = Distribution.normal(mean: 100, deviation: 1)
        let series = (0..<400).map { batch in noise.sample(using: &random) - max(0, 30 - Double(batch) / 2) }
        let cut = try #require(MSER5.truncation(ofBatches: series))
        #expect((50...75).contains(cut), "seed \(seed): cut at \(cut)")
    }

    /// Shifting and scaling a series moves no cut, though a level of a million makes squares cancel.
    @Test func `level and unit do not move the cut`() {
        var random = SplitMix64(seed: 5)
        let series = (0..<300).map { batch in random.uniform() + (batch < 40 ? Double(40 - batch) / 10 : 0) }
        let cut = MSER5.truncation(ofBatches: series)
        #expect(cut.map { (25...60).contains($0) } == true)
        #expect(MSER5.truncation(ofBatches: series.map { $0 * 1000 }) == cut)
        #expect(MSER5.truncation(ofBatches: series.map { 1e6 + $0 }) == cut)
    }

    // MARK: - In an experiment

    private static let fewReplications =
        "with fewer than 10 replications, the intervals assume that the values of replications are about normally "
        + "distributed"

    /// Customers stay for about 1,000 s, so that it takes some thousands until there are 50 of them.
    private func slow(
        horizon: Double, seed: UInt64 = 42, perSecond: Double = 0.05, replications: Int = 5
    ) throws -> Experiment {
        let settings = try settings(
            #"""
            {"fruits": {"a": {"initial": "unlimited"}}, "makers": "unlimited", "seed": \#(seed),
             "menu": {"j": {"recipe": {"a": 1}, "preparation": {"exponential": {"mean": 1000}}}},
             "customers": {"arrivals": {"poisson": {"perSecond": \#(perSecond)}}}}
            """#)
        return Experiment(
            base: settings, replications: replications, horizon: SimulationTime(seconds: horizon), warmUp: .automatic,
            includesTiming: false)
    }

    @Test func `an automatic warm-up removes the bias of an empty start`() throws {
        var experiment = try slow(horizon: 60_000)
        let result = experiment.run(.init(jobs: 2))
        // After t seconds exp(−t/1000) of the customers is missing still: 13% at 2,000 s, 0.7% at 5,000.
        #expect((1500...9000).contains(result.warmUp.seconds), "\(result.warmUp.seconds) s")
        #expect(result.notes == [Self.fewReplications])
        let found = try #require(result.runs[0].metric("present.mean"))
        #expect(abs(found.mean! - 50) <= 1.5 * found.halfWidth!, "\(found)")
        // The figures are those of a warm-up given as a number.
        experiment.warmUp = .fixed(result.warmUp)
        #expect(experiment.run(.init(jobs: 1)).runs == result.runs)
    }

    /// The cut of this run depends on the last of its 400 batches, which ends with the sample at the horizon. Without it
    /// the cut would be at 2,650 s.
    @Test func `the search looks at every batch`() throws {
        let result = try slow(horizon: 20_000, seed: 5, perSecond: 0.1, replications: 1).run(.init())
        #expect(result.warmUp == SimulationTime(seconds: 2800))
    }

    @Test func `a warm-up beyond half of the run is noted`() throws {
        let result = try slow(horizon: 800).run(.init(jobs: 2))
        #expect(result.warmUp == SimulationTime(seconds: 400))
        #expect(
            result.notes == [
                "the warm-up may take more than half of the run: half of each run is left out; use longer runs",
                Self.fewReplications,
            ])
    }
}
