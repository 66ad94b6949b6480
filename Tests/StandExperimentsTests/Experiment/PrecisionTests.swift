import JuiceStand
import StandExperiments
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PrecisionTests {
    @Test(arguments: [
        ("wait.mean=1%", "wait.mean", Tolerance.relative(0.01)),
        (" fillRate = 0.005 ", "fillRate", .absolute(0.005)),
        ("a=2.5%", "a", .relative(0.025)), ("stock.a=b.mean=3", "stock.a=b.mean", .absolute(3)),
    ])
    func `a precision reads as written`(text: String, metric: String, bound: Tolerance) throws {
        let precision = try #require(Precision(text))
        #expect(precision.metric == metric)
        #expect(precision.bound == bound)
    }

    @Test(arguments: [
        "", "wait.mean", "=1%", "wait.mean=", "wait.mean=%", "wait.mean=0", "wait.mean=-1%", "a=inf", "a=nan%",
    ])
    func `refuses any other text`(text: String) {
        #expect(Precision(text) == nil)
    }

    @Test func `a precision is met by a narrow interval and never without one`() throws {
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

    @Test func `a metric that is always 0 has no relative precision`() throws {
        let zero = Estimate(name: "customers.balked", of: [0, 0, 0])
        #expect(zero.halfWidth == 0)
        #expect(!(try #require(Precision("customers.balked=1%")).isMet(by: zero)))
        #expect(try #require(Precision("customers.balked=0.1")).isMet(by: zero))
        let result = try experiment(["customers.balked=1%"]).run(.init())
        #expect(result.replications == 30)
        let verdict = Verdict(
            try #require(Precision("customers.balked=1%")), found: result.runs[0].metric("customers.balked"))
        #expect(!verdict.isMet)
        #expect(
            verdict.message
                == "✗ customers.balked within 1% of its mean: 0; 0 has no relative precision: use one such as customers.balked=0.01"
        )
    }

    private func experiment(_ precisions: [String], replications: Int = 1, seed: UInt64 = 42) throws -> Experiment {
        var base = try settings(queue)
        base.seed = seed
        return Experiment(
            base: base, replications: replications, horizon: SimulationTime(seconds: 300),
            precisions: try precisions.map { try #require(Precision($0)) }, includesTiming: false)
    }

    @Test func `an experiment ends with the wanted precision, whatever its number of jobs`() throws {
        let wanted = ["makers.utilization=0.02", "throughput=2.5%"]
        let experiment = try experiment(wanted)
        let result = experiment.run(.init(jobs: 2))
        let run = result.runs[0]
        for text in wanted {
            let precision = try #require(Precision(text))
            let estimate = try #require(run.metric(precision.metric))
            #expect(precision.isMet(by: estimate), "\(estimate)")
        }
        #expect(result.replications > 30 && run.outcomes.map(\.number) == Array(0..<result.replications))
        for jobs in [1, 8] { #expect(experiment.run(.init(jobs: jobs)) == result) }
        // The precision changes only the number of replications.
        var plain = try self.experiment([])
        plain.replications = result.replications
        #expect(plain.run(.init(jobs: 2)).runs == result.runs)
    }

    @Test func `takes at least thirty replications`() throws {
        #expect(try experiment(["wait.mean=1000"]).run(.init()).replications == 30)
        #expect(try experiment(["wait.mean=1000"], replications: 44).run(.init()).replications == 44)
    }
}
