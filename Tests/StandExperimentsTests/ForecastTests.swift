import JuiceStand
import Reports
import StandExperiments
import TestSupport
import Testing
import TextFormats

/// Forecasts of stands whose answers are known.
struct ForecastTests {
    private func run(
        _ configuration: String, at seconds: Double = 0, _ span: Forecast.Span = .init(),
        comparing: [Forecast.Course] = [],
        jobs: Int = 2
    ) throws -> ForecastResult {
        let now = SimulationTime(seconds: seconds)
        let stand = try openStand(configuration, at: now)
        return try #require(try Forecast(of: stand, at: now, span, comparing: comparing).answer(jobs: jobs)).result
    }

    private static func span(_ seconds: Double, every: Double? = nil, _ replications: Int = 200) -> Forecast.Span {
        .init(
            length: SimulationTime(seconds: seconds), every: every.map { SimulationTime(seconds: $0) },
            replications: replications)
    }

    /// 40 pineapples, two for each cup, one customer a minute: sold out by the twentieth.
    private let pineapples = """
        {"fruits": {"pineapple": {"initial": 40}}, "menu": {"j": {"recipe": {"pineapple": 2}}}, "makers": "unlimited",
         "customers": {"arrivals": {"poisson": {"perSecond": \(1.0 / 60)}}}}
        """

    @Test func `the first stockout has its exact law`() throws {
        let count = Study.size(500, full: 100_000)
        let whole = try run(pineapples, Self.span(7200, every: 900, count)).runs[0].fruits[0]
        #expect(whole.stockout.probability.mean == 1)
        let at = try #require(whole.stockout.at)
        // Erlang of 20 stages: quantiles, and the standard errors √(p(1−p)/n) ÷ density, times four.
        for (found, exact, density) in [
            (at.p05, 795.3, 3.34e-4), (at.p50, 1180.1, 1.495e-3), (at.p95, 1672.8, 2.62e-4),
        ] {
            let share = exact == 1180.1 ? 0.5 : 0.05
            let error = (share * (1 - share) / Double(count)).squareRoot() / density
            #expect(abs(found - exact) < 4 * error, "seed 42: \(found) instead of \(exact)")
        }
        let early = try run(pineapples, Self.span(900, every: 900, count)).runs[0].fruits[0].stockout.probability
        #expect(abs(early.mean - 0.12478) < 4 * (0.12478 * 0.87522 / Double(count)).squareRoot(), "seed 42: \(early)")
        #expect(early.low < early.mean && early.mean < early.high)
    }

    @Test func `fruit is short before it is sold out`() throws {
        // Three pieces: the first customer, at 100 s, leaves one, which is too few for a cup.
        let fruit = try run(
            """
            {"fruits": {"fig": {"initial": 3}}, "menu": {"j": {"recipe": {"fig": 2}}},
             "customers": {"arrivals": {"renewal": 100}}}
            """, Self.span(150, every: 150, 20)
        ).runs[0].fruits[0]
        #expect(fruit.short.probability.mean == 1 && fruit.short.at?.p50 == 100)
        #expect(fruit.stockout.probability.mean == 0 && fruit.stockout.at == nil)
    }

    /// 50 of 200: (0.25 + z²/400 ± z·√(0.1875/200 + z²/160,000)) / (1 + z²/200) with z = 1.959964.
    @Test(
        arguments: [
            (50, 200, 0.195082, 0.314341), (1, 10, 0.017876, 0.404150), (10, 10, 0.722467, 1), (0, 200, 0, 0.018845),
        ])
    func `the interval of a share has the ends of Wilson's formula`(hits: Int, count: Int, low: Double, high: Double) {
        let found = ForecastResult.Probability(hits, of: count)
        #expect(found.mean == Double(hits) / Double(count))
        #expect(abs(found.low - low) < 1e-6 && abs(found.high - high) < 1e-6, "\(found)")
    }

    @Test(arguments: [(10, [1, 3, 5, 8, 10]), (20, [1, 5, 10, 15, 19]), (3, [1, 1, 2, 3, 3])])
    func `a quantile is the smallest value with its share of all values at or below it`(
        count: Int, expected: [Double]
    ) throws {
        let found = try #require(ForecastResult.Quantiles((1...count).map(Double.init).reversed()))
        #expect([found.p05, found.p25, found.p50, found.p75, found.p95] == expected)
    }

    @Test func `the number of threads changes nothing`() throws {
        let changes = [Forecast.Course(change: .rate(2))]
        let one = try run(lively, at: 500, Self.span(600, every: 100), comparing: changes, jobs: 1)
        let four = try run(lively, at: 500, Self.span(600, every: 100), comparing: changes, jobs: 4)
        #expect(one.json.compact() == four.json.compact())
        #expect(one.seed == 42 && one.at == 500 && one.horizon == 1100 && one.seq > 0)
        #expect(one.runs[0].queue.map(\.at) == [600, 700, 800, 900, 1000, 1100])
    }

    @Test func `a forecast reads back from its JSON`() throws {
        let courses = [
            Forecast.Course(change: try ForecastChange("restock b=5")),
            Forecast.Course(set: [.init(key: "makers", value: 3)]),
        ]
        var result = try run(lively, at: 500, Self.span(600, every: 300, 20), comparing: courses)
        // Only reports show faces.
        result.faces = [:]
        let text = result.json.compact()
        let (root, problems) = JSON5Parser.parse(Array(text.utf8), source: "forecast")
        #expect(problems.isEmpty)
        #expect(root.flatMap { JSONValue($0) }.flatMap { ForecastResult(json: $0) } == result)
        #expect(result.runs.map(\.title) == ["as it is", "restock b=5", "makers=3"])
        #expect(result.runs[0].differences.isEmpty && !result.runs[2].differences.isEmpty)
    }

    // MARK: - Changes

    @Test func `a change that changes nothing has no difference at all`() throws {
        let courses = [
            Forecast.Course(change: try ForecastChange("rate 1")),
            Forecast.Course(set: [.init(key: "makers", value: 2)]),
        ]
        let result = try run(lively, at: 500, Self.span(1200, every: 300), comparing: courses)
        for run in result.runs.dropFirst() {
            #expect(run.metrics == result.runs[0].metrics && run.fruits == result.runs[0].fruits)
            #expect(run.differences.allSatisfy { ($0.mean ?? 0) == 0 && ($0.halfWidth ?? 0) == 0 })
        }
    }

    @Test func `fruit that comes in now lasts longer`() throws {
        let courses = [
            Forecast.Course(change: try ForecastChange("restock pineapple=20")),
            Forecast.Course(change: try ForecastChange("adjust pineapple=-40")),
        ]
        let result = try run(pineapples, Self.span(1200, every: 300, 400), comparing: courses)
        let lost = result.runs.map { run in run.metrics.first { $0.name == "customers.soldOut" }?.mean ?? -1 }
        #expect(lost[1] < lost[0] && lost[0] < lost[2])
        let difference = try #require(result.runs[1].differences.first { $0.name == "customers.soldOut" })
        #expect(abs((difference.mean ?? 0) - (lost[1] - lost[0])) < 1e-9)
        // Pairs with the same customers differ far less than two forecasts do.
        #expect((difference.halfWidth ?? 1) < 0.3)
        // An empty shelf is sold out now.
        #expect(
            result.runs[2].fruits[0].stockout.at?.p95 == 0 && result.runs[2].fruits[0].stockout.probability.mean == 1)
    }

    @Test func `changes read back from their text and JSON`() throws {
        for text in ["restock banana=20 kiwi=5", "adjust sugar=free=-3", "rate 2", "rate 0.5"] {
            let change = try ForecastChange(text)
            #expect(try ForecastChange(json: change.json) == change)
            #expect(try ForecastChange(change.text) == change)
        }
        #expect(try ForecastChange("restock banana=20 kiwi=5").text == "restock banana=20 kiwi=5")
    }

    @Test(arguments: [
        ("restok b=5", #"unknown change "restok b=5"; did you mean "restock"? (known: restock, adjust, rate)"#),
        ("restock b", #"the change "restock b" must name fruit and pieces, such as restock banana=20"#),
        ("rate", #"the change "rate" must be rate FACTOR, such as rate 2"#),
        ("restock c=5", #"unknown fruit "c""#),
        ("restock b=-5", "pieces of b must be from 1 to 1,000,000,000 and not 0, found -5"),
        ("adjust b=-500", "b would be 488 short"), ("restock", "a change of the stock must name at least one fruit"),
        ("restock b=1 b=2", "name each fruit once, found b twice"),
        ("rate -1", "a rate must be 0 or from 0.001 to 1000000, found -1"),
    ])
    func `a wrong change is refused with the reason`(text: String, reason: String) throws {
        let stand = try openStand(lively, at: .zero)
        let error = #expect(throws: ForecastError.self) {
            _ = try Forecast(of: stand, at: .zero, comparing: [.init(change: try ForecastChange(text))])
        }
        #expect(error?.lines == ["\(reason)"])
        guard case .cannotEdit = error else { return #expect(error == .invalid("\(reason)")) }
        #expect(text == "adjust b=-500")
    }

    @Test func `what cannot be forecast is refused`() throws {
        var stand = try openStand(lively, at: .zero)
        func refusal(_ span: Forecast.Span = .init(), comparing courses: [Forecast.Course] = []) -> ForecastError? {
            do throws(ForecastError) {
                _ = try Forecast(of: stand, at: .zero, span, comparing: courses)
                return nil
            } catch { return error }
        }
        #expect(refusal() == nil)
        #expect(
            refusal(Self.span(60, every: 90))
                == .invalid("every must be at most in and at least a 1,000th of it, found 90 s in 60 s"))
        #expect(refusal(Self.span(60, 0)) == .invalid("replications must be from 1 to 100,000, found 0"))
        let tooLarge = ForecastError.tooLarge(
            "too many levels and metrics at a time; use fewer replications, fewer changes or a longer every")
        #expect(refusal(Self.span(6000, every: 6, 100_000)) == tooLarge)
        // Metrics count, too: here each course has one instant.
        let courses = try (1...40).map { Forecast.Course(change: try ForecastChange("rate \($0)")) }
        #expect(refusal(Self.span(6000, every: 6000, 100_000), comparing: courses) == tooLarge)
        let makers = refusal(comparing: [.init(set: [.init(key: "makers", value: 0)])])
        guard case .badConfiguration(let problems)? = makers else {
            Issue.record("makers=0 was accepted")
            return
        }
        #expect(problems.count == 1 && problems[0].description.contains("makers"))
        guard case .cannotChange? = refusal(comparing: [.init(set: [.init(key: "seed", value: 1)])]) else {
            Issue.record("another seed was accepted")
            return
        }
        stand.close(at: .zero, FactPublisher(WiringChoice.closure.makeWiring()))
        #expect(refusal() == .closed)
    }

    @Test func `a forecast of too many events is refused with what is possible`() throws {
        let stand = try openStand(lively, at: .zero)
        let forecast = try Forecast(of: stand, at: .zero, Self.span(5000, every: 1000, 10))
        let error = #expect(throws: ForecastError.self) { _ = try forecast.answer(jobs: 2, mostEvents: 500) }
        guard case .tooLarge(let text)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "it was not refused")")
            return
        }
        let beginning = "the forecast would take more than 500 events; with 10 futures, in can be about "
        #expect(text.description.hasPrefix(beginning))
        let whole = try #require(try forecast.answer(jobs: 2, mostEvents: 100_000_000))
        let alone = try forecast.answer(jobs: 1)
        #expect(whole.result.json == alone?.result.json)
    }

    @Test func `a stopped computation has no result`() throws {
        let stand = try openStand(lively, at: .zero)
        let forecast = try Forecast(of: stand, at: .zero, Self.span(600, every: 300))
        #expect(try forecast.answer(jobs: 2, while: { false }) == nil)
    }

    // MARK: - As text, CSV and a page

    @Test func `every format has the figures`() throws {
        let courses = [Forecast.Course(change: try ForecastChange("restock pineapple=20"))]
        let result = try run(pineapples, Self.span(1200, every: 300), comparing: courses)
        let fruit = result.runs[0].fruits[0]
        let text = result.report().text(width: 200)
        #expect(text.contains("the next 20 min: from 0"))
        #expect(text.contains("200 futures, seed 42"))
        #expect(text.contains("\npineapple is most likely to run short: in "))
        #expect(text.contains("  restock pineapple=20\n") && text.contains("difference from as it is"))
        #expect(result.report().text(isVerbose: true).contains("\nrestock pineapple=20\n"))
        #expect(text.contains("  pineapple  "))
        #expect(!text.contains("throughput") && result.report().text(isVerbose: true).contains("throughput"))
        let csv = result.csv().split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(csv.allSatisfy { $0.count == 12 })
        let level = try #require(csv.first { $0[0] == "as it is" && $0[1] == "level" && $0[3] == "1200" })
        #expect(Double(level[9]) == fruit.levels[3].quantiles.p50)
        let row = try #require(
            csv.first { $0[0] == "restock pineapple=20" && $0[1] == "difference" && $0[2] == "revenue" })
        let difference = try #require(result.runs[1].differences.first { $0.name == "revenue" })
        let (mean, half) = (try #require(difference.mean), try #require(difference.halfWidth))
        #expect(row[4...6].map { Double($0) } == [mean, mean - half, mean + half])
        let page = try #require(PageReading(result.report().html()))
        #expect(page.all("h2").map(\.text) == ["as it is", "restock pineapple=20"])
        #expect(page.all("path").filter { $0.attributes["class"] == "band s0" }.count == 8)
        #expect(page.table("When fruit becomes short")?.map { $0[0] } == ["", "pineapple", "queue"])
    }

    @Test func `fruit that is short now is named before fruit that may run short`() throws {
        let stand = """
            {"fruits": {"a": {"initial": 0}, "b": {"initial": 30}}, "menu": {"x": {"recipe": {"a": 1}}, "y": {"recipe": {"b": 1}}},
             "makers": "unlimited", "customers": {"arrivals": {"poisson": {"perSecond": 0.05}}}}
            """
        let report = try run(stand, Self.span(1200, every: 300)).report()
        #expect(report.headline.hasPrefix("a is short now. b is most likely to run short: in "), "\(report.headline)")
        let rows = try #require(PageReading(report.html())?.table("When fruit becomes short"))
        #expect(rows[1].prefix(4) == ["a", "100% (98–100)", "now", "100%"])
        #expect(rows[2][2].hasPrefix("in "))
    }
}
