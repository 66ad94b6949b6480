import JuiceStand
import StandExperiments
import Testing
import TextFormats

@Suite(.timeLimit(.minutes(60)))
struct ExpectationTests {
    @Test(arguments: [
        ("wait.p95<120", "wait.p95 < 120 s", 119.0, 120.0), ("fillRate >= 0.909", "fillRate >= 90.9%", 0.909, 0.9),
        ("customers.served == 12", "customers.served == 12", 12, 13), ("a!=1", "a != 1", 2, 1),
        ("wait.p95<2m", "wait.p95 < 120 s", 119, 120), ("fillRate>90%", "fillRate > 90%", 0.91, 0.9),
        ("queue.max<=3", "queue.max <= 3", 3, 4), (" revenue > 10.5 ", "revenue > 10.5 EUR", 11, 10.5),
    ])
    func `an expectation is read and evaluated`(text: String, shown: String, good: Double, bad: Double) throws {
        let expectation = try #require(Expectation(text))
        #expect(expectation.holds(for: good))
        #expect(!expectation.holds(for: bad))
        #expect(expectation.inWords("EUR") == shown)
    }

    @Test(arguments: ["", "wait.p95", "<120", "wait.p95<", "wait.p95<fast", "wait.p95=120", "a<inf", "a<nan"])
    func `refuses any other text as an expectation`(text: String) {
        #expect(Expectation(text) == nil)
    }

    @Test(arguments: [
        ("wait.p95<90%", "wait.p95 is compared with seconds, or a duration such as 2m"),
        ("fillRate>2m", "fillRate is compared with a number, or a percentage such as 90%"),
        ("profit>90%", "profit is compared with a number"), ("queue.hours<2h", "queue.hours is compared with a number"),
        ("delivery.count>2s", "delivery.count is compared with a number"),
    ])
    func `a unit that does not fit the metric is named`(text: String, problem: String) throws {
        #expect(try #require(Expectation(text)).problem == problem)
        #expect(throws: TextProblem.self) {
            try Constraint(text, metrics: ["wait.p95", "fillRate", "profit", "queue.hours", "delivery.count"])
        }
    }

    @Test(arguments: ["wait.p95<2m", "stay.mean<90s", "fillRate>90%", "makers.utilization<=.8", "lateness.p99<5ms"])
    func `a unit that fits the metric is taken`(text: String) throws {
        #expect(try #require(Expectation(text)).problem == nil)
    }

    @Test func `a constraint has the units of an expectation`() throws {
        let constraint = try Constraint("wait.p95 + wait.mean < 2m", metrics: ["wait.p95", "wait.mean"])
        #expect(constraint.bound == 120)
    }

    @Test(
        arguments: [
            ("wait.p95 < 120", [], "✗ wait.p95 < 120 s, found no observations"),
            ("wait.p95 < 120", [100, 104], "✓ wait.p95 < 120 s, found 102 ± 25 s"),
            // Rounded to three digits it would equal the bound.
            ("wait.p95 < 120", [120.04], "✗ wait.p95 < 120 s, found 120.04 s"),
            ("fillRate>=99%", [0.985], "✗ fillRate >= 99%, found 98.5%"),
            ("profit > 3000", [3500], "✓ profit > 3,000 EUR, found 3,500 EUR"),
        ] as [(String, [Double?], String)])
    func `a verdict has the units of its metric and the digits of its interval`(
        text: String, values: [Double?], message: String
    ) throws {
        let expectation = try #require(Expectation(text))
        let found = Estimate(name: expectation.metric, of: values)
        let verdict = Verdict(expectation, found: found, currency: "EUR")
        #expect(verdict.message == message && verdict.isMet == message.hasPrefix("✓"))
        #expect(!Verdict(expectation, found: nil).isMet)
    }
}
