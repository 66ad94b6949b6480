import JuiceStand
import StandExperiments
import Terms
import TestSupport
import Testing

/// Intervals within one long replication.
struct BatchIntervalTests {
    private static func experiment(seed: UInt64, seconds: Double, precisions: [Precision] = []) throws -> Experiment {
        var base = try settings(queue)
        base.seed = seed
        return Experiment(
            base: base, horizon: SimulationTime(seconds: seconds), warmUp: .fixed(SimulationTime(seconds: 500)),
            precisions: precisions, usesBatches: true, includesTiming: false)
    }

    /// M/M/1 at load 0.8: the mean wait is 4 and its 95th percentile ln(16) / 0.2.
    @Test func `most intervals contain the true mean and percentile`() throws {
        let exact = ["wait.mean": 4.0, "wait.p95": 13.862943611198906]
        let trials = Study.size(4, full: 1000)
        var inside: [String: Int] = [:]
        for seed in 1...trials {
            // A few of a thousand runs of 20,000 s are too short for an interval of the percentile, and 91% have the mean in theirs.
            let seconds = Study.isFull ? 200_000.0 : 20_000
            let run = try Self.experiment(seed: UInt64(seed), seconds: seconds).run(.init()).runs[0]
            for (name, value) in exact {
                let estimate = try #require(run.metric(name))
                let (mean, halfWidth) = (try #require(estimate.mean), try #require(estimate.halfWidth))
                #expect(estimate.batches == 20 && estimate.count == 1)
                #expect(halfWidth < value)
                if abs(mean - value) <= halfWidth { inside[name, default: 0] += 1 }
            }
        }
        // Of 4 intervals at 95%, fewer than 2 are right once in 2,000 times.
        for name in exact.keys { #expect(inside[name] ?? 0 >= Study.size(2, full: 930), "\(name): \(inside)") }
    }

    /// Ten batches with a mean of 0 and ten with 1, of 30 spans each: the squares come to 20 · 0.25 = 5, the standard
    /// error to √(5 / 19 / 20), and Student's t with 19 degrees of freedom is 2.093024.
    @Test func `an interval from batches has the width of its formula`() throws {
        let sums = (0..<20).map { (sum: $0 % 2 == 0 ? 0.0 : 30, count: 30.0) }
        let halfWidth = try #require(BatchIntervals.halfWidth(sums))
        #expect(abs(halfWidth - 2.093024054408263 * (5.0 / 19 / 20).squareRoot()) < 1e-9)
        #expect(BatchIntervals.halfWidth(sums.map { ($0.sum / 30, 1) }) == nil)
    }

    @Test func `a precision lengthens the run`() throws {
        let precision = try #require(Precision("wait.p95=20%"))
        let result = try Self.experiment(seed: 2, seconds: 2000, precisions: [precision]).run(.init())
        let estimate = try #require(result.runs[0].metric("wait.p95"))
        #expect(precision.isMet(by: estimate))
        #expect(result.replications == 1 && result.runs[0].outcomes.count == 1)
        #expect(try #require(result.horizon).seconds > 2000)
        #expect(result.text([], .english).contains("95% confidence intervals from 20 batches"))
        // The same run, of the length that was found.
        let again = try Self.experiment(seed: 2, seconds: try #require(result.horizon).seconds).run(.init())
        #expect(again.json() == result.json())
    }

    @Test func `other metrics have no interval, nor has a run too short for it`() throws {
        let long = try Self.experiment(seed: 1, seconds: 2000).run(.init()).runs[0]
        #expect(long.metric("queue.mean")?.halfWidth == nil && long.metric("wait.mean")?.halfWidth != nil)
        let run = try Self.experiment(seed: 1, seconds: 520).run(.init()).runs[0]
        for name in ["wait.mean", "wait.p99"] {
            #expect(run.metric(name)?.halfWidth == nil && run.metric(name)?.batches == nil)
        }
    }
}
