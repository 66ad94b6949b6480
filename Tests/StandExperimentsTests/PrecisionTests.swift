import JuiceStand
import StandExperiments
import Testing

struct PrecisionTests {
    @Test(arguments: [
        ("wait.mean=1%", "wait.mean", Precision.Bound.relative(0.01)),
        (" fillRate = 0.005 ", "fillRate", .absolute(0.005)),
        ("a=2.5%", "a", .relative(0.025)), ("stock.a=b.mean=3", "stock.a=b.mean", .absolute(3)),
    ])
    func `a precision reads as written`(text: String, metric: String, bound: Precision.Bound) throws {
        let precision = try #require(Precision(text))
        #expect(precision.metric == metric)
        #expect(precision.bound == bound)
    }

    @Test(arguments: [
        "", "wait.mean", "=1%", "wait.mean=", "wait.mean=%", "wait.mean=0", "wait.mean=-1%", "a=inf", "a=nan%",
    ])
    func `what is no precision is refused`(text: String) {
        #expect(Precision(text) == nil)
    }

    @Test func `a precision is met by an interval narrow enough to either side, and never by none`() throws {
        let relative = try #require(Precision("a=10%"))
        let absolute = try #require(Precision("a=0.5"))
        // Half widths of 12.706 · 1/√2 · √2 / … : two values d apart have a standard error of d/2.
        let narrow = Estimate(name: "a", of: [-4.99, -5.01])
        let wide = Estimate(name: "a", of: [-4.9, -5.1])
        #expect(relative.isMet(by: narrow) && absolute.isMet(by: narrow))
        #expect(!relative.isMet(by: wide) && !absolute.isMet(by: wide))
        #expect(!relative.isMet(by: Estimate(name: "a", of: [5])))
        #expect(!relative.isMet(by: Estimate(name: "a", of: [nil, nil])))
    }

    private func experiment(_ precisions: [String], replications: Int = 1, seed: UInt64 = 42) throws -> Experiment {
        var base = try settings(queue)
        base.seed = seed
        return Experiment(
            base: base, replications: replications, horizon: SimulationTime(seconds: 300),
            precisions: try precisions.map { try #require(Precision($0)) }, includesTiming: false)
    }

    @Test func `where an experiment with a precision ends does not depend on jobs`() throws {
        let experiment = try experiment(["makers.utilization=2.5%"])
        let alone = experiment.run(.init(jobs: 1))
        for jobs in [2, 8] {
            let several = experiment.run(.init(jobs: jobs))
            #expect(several == alone)
            #expect(several.json().pretty() == alone.json().pretty())
        }
    }

    @Test func `an experiment with precisions ends with the intervals that were asked for`() throws {
        let wanted = ["makers.utilization=0.02", "throughput=2.5%"]
        let result = try experiment(wanted).run(.init(jobs: 2))
        let run = result.runs[0]
        for text in wanted {
            let precision = try #require(Precision(text))
            let estimate = try #require(run.metric(precision.metric))
            #expect(precision.isMet(by: estimate), "\(estimate)")
        }
        #expect(result.replications == run.outcomes.count)
        #expect(run.outcomes.map(\.number) == Array(0..<result.replications))
        #expect(result.replications > 10)
    }

    @Test func `what comes of a precision is what as many replications alone would have come to`() throws {
        let wanted = try experiment(["makers.utilization=2.5%"]).run(.init(jobs: 2))
        var plain = try experiment([])
        plain.replications = wanted.replications
        #expect(plain.run(.init(jobs: 2)).runs == wanted.runs)
    }

    @Test func `a precision that is met at once takes ten replications, or as many as were asked for`() throws {
        #expect(try experiment(["wait.mean=1000"]).run(.init()).replications == 10)
        #expect(try experiment(["wait.mean=1000"], replications: 14).run(.init()).replications == 14)
    }
}
