import JuiceStand
import StandExperiments
import Testing

/// 2, 4, 4, 5, 10: mean 5, squares of the deviations 9 + 1 + 1 + 0 + 25 = 36, standard error √(36 / 4 / 5), and Student's
/// t with 4 degrees of freedom 2.776445.
@Test func `an estimate is the mean and Student's interval of the replications' values`() throws {
    let estimate = Estimate(name: "wait.mean", of: [2, 4, 4, 5, 10])
    #expect(estimate.mean == 5)
    #expect(estimate.count == 5)
    let reach = try #require(estimate.reach)
    #expect(abs(reach.below - 2.776445 * 1.8.squareRoot()) < 1e-5 && reach.above == reach.below)
    #expect(Estimate.confidence == 0.95)
    #expect(estimate.rounded() == "5.0 ± 3.7 s")
}

/// The same values twice: the deviation is √(72 / 9), and t with 9 degrees of freedom 2.262157. The cubes of the
/// deviations are −27 − 1 − 1 + 0 + 125 = 96, so the skewness is 96/5 / (36/5)^1.5 = 0.99381. Hall's transformation of
/// t/√10 = 0.715357 gives 3/0.99381 · (1 − ∛(1 − 0.99381·(0.715357 + 0.99381/60))) = 1.06135 deviations.
@Test func `from ten replications on the interval is lengthened on the side of the long tail`() throws {
    let values = [2.0, 4, 4, 5, 10, 2, 4, 4, 5, 10]
    let estimate = Estimate(name: "wait.mean", of: values)
    let reach = try #require(estimate.reach)
    let deviation = 8.0.squareRoot()
    #expect(abs(reach.below - 0.715357 * deviation) < 1e-5)
    #expect(abs(reach.above - 1.061349 * deviation) < 1e-5)
    #expect(estimate.halfWidth == reach.above)
    #expect(estimate.wholeInterval == 5 - reach.below...5 + reach.above)
    let mirrored = try #require(Estimate(name: "wait.mean", of: values.map { -$0 }).reach)
    #expect(abs(mirrored.above - reach.below) < 1e-12 && abs(mirrored.below - reach.above) < 1e-12)
    let nine = try #require(Estimate(name: "wait.mean", of: Array(values.dropLast())).reach)
    #expect(nine.above == nine.below)
}

@Test func `a replication without an observation does not count`() {
    #expect(Estimate(name: "a", of: [nil, 2, nil, 4]).mean == 3)
    #expect(Estimate(name: "a", of: [nil, 2, nil, 4]).count == 2)
    let one = Estimate(name: "a", of: [nil, 7])
    #expect(one.mean == 7 && one.halfWidth == nil && one.count == 1)
    let none = Estimate(name: "a", of: [nil, nil])
    #expect(none.mean == nil && none.halfWidth == nil && none.count == 0)
    #expect(none.rounded() == "no observations")
    #expect(one.rounded() == "7")
}

@Test(arguments: [
    ("fillRate", [0.9, 1, 1], 1.0, "97% (82% to 100%)"),
    ("stock.kiwi.soldOutFraction", [0, 0, 0.1], 0.0, "3% (0% to 18%)"),
    ("waitProbability", [0.5, 0.6, 0.7], nil, "60% ± 25%"),
    ("customers.balked", [0, 0, 1], nil, "0.3 ± 1.4"),
])
func `the interval of a share stays between 0 and 1`(
    name: String, values: [Double], end: Double?, text: String
) throws {
    let estimate = Estimate(name: name, of: values)
    #expect(estimate.rounded() == text)
    // The half-width of Student's interval stays as it is.
    let halfWidth = try #require(estimate.halfWidth)
    let mean = try #require(estimate.mean)
    if let end { #expect(end == 1 ? mean + halfWidth > 1 : mean - halfWidth < 0) }
}

@Test func `a half-width that is only rounding error is not printed`() {
    var estimate = Estimate(name: "a", of: [0.1216667])
    estimate.reach = Reach(bothSides: 2.1e-17)
    #expect(estimate.rounded() == "0.122")
    estimate.name = "fillRate"
    #expect(estimate.rounded() == "12.2%")
}

@Test(
    arguments: [
        ("wait.p95", [129], "129 s"), ("stay.mean", [9.5], "9.50 s"), ("queue.hours", [2], "2 h"),
        ("revenue", [4], "4.00 EUR"), ("cost.makers", [4.5], "4.50 EUR"), ("throughput", [0.025], "90 an hour"),
        ("fillRate", [0.939], "93.9%"), ("customers.served", [722], "722"), ("queue.mean", [1.09], "1.09"),
        ("stock.kiwi.shortFraction", [0.5], "50%"), ("engine.ordersPerSecond", [1000], "1,000 a second"),
        ("lateness.caughtUp", [3], "3"), ("cost.total", [1000.126, 1002.5], "1,001.31 ± 15.08 EUR"),
        ("wait.mean", [1000.126, 1002.5], "1,001 ± 15 s"), ("", [9.45, 9.55, 9.5], "9.50 ± 0.12"),
        ("", [725.3, 715, 735], "725 ± 25"), ("", [0.94, 0.95, 0.945], "0.945 ± 0.012"), ("", [9.45], "9.45"),
        ("", [1009.7], "1,010"), ("", [12_345], "12,345"), ("", [0, 0], "0"), ("", [7, 7, 7], "7"),
        ("", [0.000123456], "0.000123"), ("", [1e12 + 0.5, 3e12], "2000000000000.25 ± 12706204736171.52"),
    ] as [(String, [Double], String)])
func `people read a figure with its unit, and no digits that its interval makes meaningless`(
    name: String, values: [Double], text: String
) {
    #expect(Estimate(name: name, of: values).rounded("EUR") == text)
}

/// Of a thousand intervals about 950 cover the truth: a binomial count with a standard deviation of 6.9. Exponential
/// values are skew, so that intervals from few of them cover it more rarely: that is known and not promised otherwise.
@Test(arguments: [3, 10, 30])
func `an interval covers the true mean with its confidence`(replications: Int) {
    let seed: UInt64 = 20_260_504
    var random = SplitMix64(seed: seed)
    let law = Distribution.normal(mean: 100, deviation: 3)
    var covered = 0
    for _ in 0..<1000 {
        let estimate = Estimate(name: "a", of: (0..<replications).map { _ in law.sample(using: &random) })
        if abs(estimate.mean! - 100) <= estimate.halfWidth! { covered += 1 }
    }
    #expect(abs(covered - 950) <= 4 * 7, "seed \(seed): \(covered) of 1,000")
}
