import JuiceStand
import Platform
import StandFitting
import TestSupport
import Testing
import TextFormats
import Tills

private func fit(
    _ till: Till, holdOut: Double? = nil, _ restriction: WeekModel.Restriction = .init(), samples: Int = 0
) throws(TillError) -> FittedStand {
    try FittedStand(till, holdOut: holdOut, restriction, samples: samples)
}

private let restaurant = DrawnTill(
    weekdays: [0, 1, 1, 1.2, 1.5, 2, 0.5], hours: [1, 2, 4, 4, 2, 1, 1, 3], shape: 12)

/// By which share a figure of the fitted stand's days exceeds that of the till's.
private func excess(_ fitted: FittedStand, _ figure: (DaysOfOrders) -> Double?) throws -> Double {
    let observed = try #require(figure(fitted.observedDays))
    let simulated = try #require(figure(fitted.simulatedDays()))
    return simulated / observed - 1
}

// MARK: - The configuration

@Test func `the configuration is accepted as it is and has the rates of the till`() throws {
    let till = restaurant.draw(seed: 1)
    let fitted = try fit(till)
    let text = fitted.configurationText
    let settings = try StandConfiguration(Array(text.utf8), source: "shop.json").settings
    guard case .week(let week) = settings.customers.arrivals else {
        Issue.record("expected arrivals by week, found \(settings.customers.arrivals)")
        return
    }
    #expect(week.perSecond[0].isEmpty, "Monday is closed")
    #expect(week.level != nil)
    let perWeek = week.perSecond.reduce(0) { $0 + $1.reduce(0, +) } * week.every.seconds
    #expect(abs(perWeek - Double(till.orders.count) / 20) < 0.05 * perWeek)
    // Nobody comes before nine.
    let bins = Int(9 * 3600 / week.every.seconds)
    #expect(week.perSecond.allSatisfy { $0.prefix(bins).allSatisfy { $0 == 0 } })
    #expect(fitted.configuration["customers"] != nil)
}

@Test func `the same till gives the same bytes`() throws {
    let till = restaurant.draw(seed: 2)
    #expect(try fit(till, samples: 9).json() == (try fit(till, samples: 9).json()))
    #expect(try fit(till).configurationText == (try fit(till).configurationText))
}

@Test func `simulated days of the fitted stand vary as those of the till`() throws {
    let excess = try excess(fit(restaurant.draw(seed: 3)), \.dispersion)
    #expect(abs(excess) < 0.15)
}

// MARK: - Recovery

@Test func `Poisson days have no level and gamma days have one`() throws {
    let poisson = try fit(DrawnTill().draw(seed: 4))
    #expect(!poisson.parameters.contains { $0.name == "level.shape" })
    let gamma = try fit(DrawnTill(shape: 10).draw(seed: 4))
    let shape = try #require(gamma.parameters.first { $0.name == "level.shape" })
    #expect(shape.low < 10 && 10 < shape.high)
}

@Test func `the spread of days is neither over- nor underestimated`() throws {
    // Three weeks with seven estimated means: without a correction the spread would be a third too small. Equal means
    // are drawn together, so with a correction for each of them it would be too large.
    let count = Study.size(40, full: 400)
    // Different means that are drawn together miss the true ones a little, which adds to the spread.
    let cases: [(days: Int, weekdays: [Double], range: ClosedRange<Double>)] = [
        (42, [1, 1, 1, 1, 1, 1, 1], 0.87...1.13), (21, [0.4, 1, 0.6, 1.2, 1.5, 2, 0.5], 0.9...1.25),
    ]
    for (days, weekdays, range) in cases {
        var sum = 0.0
        for seed in 0..<count {
            let till = DrawnTill(days: days, perDay: 200, weekdays: weekdays, shape: 20).draw(seed: UInt64(2000 + seed))
            sum += 1 / (try #require(try fit(till).parameters.first { $0.name == "level.shape" }).value)
        }
        // The standard error of each is about a quarter, and with three weeks a third.
        let ratio = sum / Double(count) * 20
        #expect(range.contains(ratio), "\(ratio) of \(weekdays)")
    }
}

@Test func `about 95% of the intervals contain the true parameters`() throws {
    var hits = 0
    var all = 0
    for seed: UInt64 in 1...20 {
        for parameter in try fit(restaurant.draw(seed: 1000 + seed)).parameters {
            let truth: Double? =
                switch parameter.name {
                case "level.shape": 12
                case "ordersPerDay.sat": 80
                case "ordersPerDay.sun": 20
                case "ordersPerHour.11": 40 * 7.2 / 6 * 4 / 18
                default: nil
                }
            guard let truth else { continue }
            all += 1
            if parameter.low <= truth, truth <= parameter.high { hits += 1 }
        }
    }
    // Of 80, 76 are expected. Chance gives fewer than 69 less often than once in 1,000 times.
    #expect(all == 80)
    #expect(hits >= 69, "\(hits) of \(all)")
}

@Test func `a till that takes one order at a time gets a spacing, and its share of short gaps`() throws {
    var till = DrawnTill(perDay: 150, shape: 20).draw(seed: 11)
    till.orders = spaced(till.orders, by: 25)
    let fitted = try fit(till, samples: 39)
    let spacing = try #require(fitted.parameters.first { $0.name == "spacing.seconds" })
    #expect(spacing.low < 25 && 25 < spacing.high, "\(spacing)")
    let excess = try excess(fitted) { $0.gaps[0] }
    #expect(abs(excess) < 0.05)
    let gaps = try #require(fitted.goodness.tests.first { $0.name == "rescaledGaps" })
    #expect(gaps.p > 0.05, "\(gaps)")
}

/// The orders without those that come sooner than `seconds` after another.
private func spaced(_ orders: [Till.Order], by seconds: Int64) -> [Till.Order] {
    var last = Int64.min / 2
    return orders.filter { order in
        guard order.time - last >= seconds * 1_000_000_000 else { return false }
        last = order.time
        return true
    }
}

/// Spaced orders at a constant rate.
private func spacedTill(seed: UInt64, spacing: Int64 = 25, resolution: Int64 = 1_000_000_000) -> Till {
    var till = DrawnTill(days: 60, perDay: 80).draw(seed: seed)
    till.orders = spaced(till.orders, by: spacing).map { .init(time: $0.time - $0.time % resolution, lines: 1) }
    till.resolution = resolution
    return till
}

@Test(arguments: [Int64(1_000_000_000), 60_000_000_000])
func `intervals of a spacing cover it, and the gaps of the model are not rejected`(resolution: Int64) throws {
    var found = 0
    var covered = 0
    var rejected = 0
    let count = Study.size(20, full: 400)
    for seed in 0..<count {
        let fitted = try fit(spacedTill(seed: UInt64(700 + seed), resolution: resolution), samples: 39)
        if let spacing = fitted.parameters.first(where: { $0.name == "spacing.seconds" }) {
            found += 1
            if spacing.low <= 25, 25 <= spacing.high { covered += 1 }
        }
        let gaps = fitted.goodness.tests.first { $0.name == "rescaledGaps" }
        if let gaps, gaps.p <= 0.05 { rejected += 1 }
        // On a clock with minutes nobody sees whether gaps within a minute keep the spacing.
        #expect((gaps == nil) == (resolution > 25_000_000_000))
    }
    // Of 20, 19 intervals cover it and one till is rejected. Chance gives fewer than 15, or more than 5, less often than
    // once in 1,000 times.
    #expect(found * 10 >= count * 9, "\(found) of \(count)")
    #expect(covered * 4 >= found * 3, "\(covered) of \(found)")
    #expect(rejected * 4 <= count, "\(rejected) of \(count)")
}

/// Orders at least 45 s apart, of which every tenth is followed as soon as that allows.
@Test func `a spacing beside followers is not shorter than the shortest gap`() throws {
    var found = 0
    for seed in 1...6 as ClosedRange<UInt64> {
        var till = spacedTill(seed: seed, spacing: 45)
        var times: [Int64] = []
        for (index, order) in till.orders.enumerated() {
            guard order.time - (times.last ?? 0) >= 45_000_000_000 else { continue }
            times.append(order.time)
            if index % 10 == 0 { times.append(order.time + 45_000_000_000 + Int64(index % 7) * 9_000_000_000) }
        }
        till.orders = times.map { .init(time: $0, lines: 1) }
        let week = try fit(till).configuration["customers"]?["arrivals"]?["week"]
        guard week?["followers"] != nil, let spacing = week?["spacing"]?.seconds else { continue }
        found += 1
        #expect(spacing >= 44, "seed \(seed)")
    }
    #expect(found > 0)
}

@Test func `customers with company give followers, and the till's share of short gaps`() throws {
    var till = DrawnTill(perDay: 30, shape: 15).draw(seed: 13)
    // Every tenth customer is followed within 20 to 80 seconds.
    let company = stride(from: 0, to: till.orders.count, by: 10).map { index in
        Till.Order(time: till.orders[index].time + Int64(20 + index % 61) * 1_000_000_000, lines: 1)
    }
    till.orders = (till.orders + company).sorted { $0.time < $1.time }
    let fitted = try fit(till, samples: 39)
    let share = try #require(followers(fitted))
    #expect(abs(share - 0.0909) < 0.02, "\(share)")
    let observed = fitted.observedDays
    let simulated = try fitted.simulatedDays()
    #expect(isClose(simulated.gaps, observed.gaps), "\(simulated.gaps) and \(observed.gaps)")
    // Followers make groups; the level leaves room for them.
    let days = try #require(observed.dispersion)
    let simulatedDays = try #require(simulated.dispersion)
    #expect(abs(simulatedDays / days - 1) < 0.25, "\(simulatedDays) and \(days)")
    #expect(fitted.configurationText.contains("\"followers\": { \"share\": "))
    // The gaps do not tell these numbers well enough for an interval or a test.
    #expect(!fitted.parameters.contains { $0.name.hasPrefix("followers") || $0.name.hasPrefix("spacing") })
    #expect(fitted.goodness.tests.map(\.name) == ["timesOfDay", "days"])
    #expect(fitted.notes.contains { $0.hasSuffix("gaps and hourly counts are not tested.") })
}

/// The share of followers in the configuration; nil if there are none.
private func followers(_ fitted: FittedStand) -> Double? {
    fitted.configuration["customers"]?["arrivals"]?["week"]?["followers"]?["share"]?.seconds
}

/// Whether the shares of gaps of 0, 1, 2 and 3 minutes agree within .02.
private func isClose(_ simulated: [Double], _ observed: [Double]) -> Bool {
    func shares(_ below: [Double]) -> [Double] { zip(below.prefix(4), [0] + below).map { $0 - $1 } }
    return zip(shares(simulated), shares(observed)).allSatisfy { abs($0 - $1) < 0.02 }
}

/// Tills whose customers come one after another: the share, the law of the delay in seconds, and the till's clock.
@Test(arguments: [
    (0.26, Distribution.lognormal(mean: 74, deviation: 18), 60, 12.0), (0.15, .exponential(mean: 40), 60, 60),
    (0.3, .constant(75), 60, 60), (0.2, .uniform(from: 20, to: 50), 1, 80), (0.1, .gamma(shape: 2, mean: 150), 60, 25),
    (0.4, .gamma(shape: 6, mean: 90), 1, 30),
])
func `the fitted stand has the till's shares of short gaps`(
    share: Double, delay: Distribution, clock: Int64, perDay: Double
) throws {
    var till = DrawnTill(days: 200, perDay: perDay, shape: 20).draw(seed: 31)
    var streams = RandomStreams(seed: 31)
    var random = streams.stream(named: "followers")
    var times = till.orders.map(\.time)
    for time in times {
        var time = time
        while random.uniform() < share {
            time += Int64(delay.sample(using: &random) * 1e9)
            times.append(time)
        }
    }
    let resolution = clock * 1_000_000_000
    till.orders = times.sorted().map { .init(time: $0 - $0 % resolution, lines: 1) }
    till.resolution = resolution
    let fitted = try fit(till)
    let observed = fitted.observedDays
    let simulated = try fitted.simulatedDays()
    #expect(isClose(simulated.gaps, observed.gaps), "\(simulated.gaps) and \(observed.gaps)")
    let found = try #require(followers(fitted))
    #expect(abs(found - share) < 0.08, "\(found)")
}

@Test(arguments: [Int64(0), 60_000_000_000])
func `gaps that differ by chance alone get neither spacing nor followers`(resolution: Int64) throws {
    var effects = 0
    let count = Study.size(40, full: 1000)
    for seed in 0..<count {
        let perDay = seed % 2 == 0 ? 12.0 : 60
        let till = DrawnTill(days: 60, perDay: perDay, shape: 15, resolution: resolution).draw(seed: UInt64(400 + seed))
        let fitted = try fit(till)
        if followers(fitted) != nil || fitted.parameters.contains(where: { $0.name == "spacing.seconds" }) {
            effects += 1
        }
    }
    // One in 50 is expected at most. Chance gives more than 5 of 40 less often than once in 10,000 times.
    #expect(effects * 8 <= count, "\(effects) of \(count)")
}

@Test func `a shop that grows has the mean of all its days, and a note on today`() throws {
    // 40 orders a day for 200 days, then 80.
    var till = DrawnTill(days: 200, shape: 30).draw(seed: 14)
    let later = DrawnTill(days: 100, perDay: 80, shape: 30).draw(seed: 15)
    till.orders += later.orders.map { .init(time: $0.time + 203 * CalendarTime.day, lines: 1) }
    let fitted = try fit(till)
    let excess = try excess(fitted) { days in Double(days.counts.reduce(0, +)) / Double(days.counts.count) }
    // Days vary by half of their mean. 300 simulated days have a standard error of 2.5%.
    #expect(abs(excess) < 0.1)
    let note = try #require(fitted.notes.first { $0.hasPrefix("Recent days have 1.") })
    #expect(note.contains("--set customers.arrivals.week.level.gamma.mean=1."))
}

// MARK: - Goodness

/// How often each test rejects at 5%, of `count` tills.
private func rejections(
    _ till: DrawnTill, count: UInt64, _ restriction: WeekModel.Restriction = .init()
) throws -> [String: Int] {
    var rejected: [String: Int] = [:]
    for seed in 1...count {
        for test in try fit(till.draw(seed: seed), restriction, samples: 39).goodness.tests where test.p <= 0.05 {
            rejected[test.name, default: 0] += 1
        }
    }
    return rejected
}

@Test(arguments: [Int64(0), 60_000_000_000])
func `true models are rejected about as often as the level says`(resolution: Int64) throws {
    var till = restaurant
    till.days = 56
    till.perDay = 20
    till.resolution = resolution
    let rejected = try rejections(till, count: 12)
    // Of 12, 0.6 are expected. Chance gives more than 4 less often than once in 1,000 times.
    #expect(rejected.values.allSatisfy { $0 <= 4 }, "\(rejected)")
}

/// Tills that break an assumption of the model, each with the test that notices it. The first has days whose variance
/// is 4 times their mean.
@Test(arguments: [
    ("days", DrawnTill(days: 56, shape: 40 / 3), false, true),
    ("timesOfDay", DrawnTill(days: 56, hours: [1, 2, 3, 3, 2, 1, 1, 2]), true, false),
    ("rescaledGaps", DrawnTill(days: 56, pace: 720), true, true),
])
func `a till that the model cannot describe is noticed`(
    test: String, till: DrawnTill, allowsLevel: Bool, allowsHours: Bool
) throws {
    var restriction = WeekModel.Restriction()
    restriction.allowsLevel = allowsLevel
    restriction.allowsHours = allowsHours
    let count = Study.size(10, full: 200)
    let rejected = try rejections(till, count: UInt64(count), restriction)
    #expect(rejected[test, default: 0] * 10 >= count * 9, "\(rejected) of \(count)")
}

@Test func `a p-value is never 0`() throws {
    // Nothing drawn is as far from the law as paced orders.
    let fitted = try fit(DrawnTill(days: 56, pace: 720).draw(seed: 1), samples: 19)
    #expect(fitted.goodness.tests.map(\.p).min() == 0.05)
    var till = DrawnTill(days: 21).draw(seed: 10)
    till.durations = (0..<300).map { $0 % 2 == 0 ? 30 : 300 }
    #expect(try #require(try fit(till).preparation).candidates.allSatisfy { $0.p == 0.01 })
}

// MARK: - What is not fitted to noise

@Test func `rates that change by the hour get bins of an hour, and steps within the hour shorter ones`() throws {
    for seed in 21...24 as ClosedRange<UInt64> {
        let text = try fit(DrawnTill(days: 60, hours: [1, 2, 4, 4, 2, 1, 1, 3]).draw(seed: seed)).configurationText
        #expect(text.contains("\"every\": \"1h\""), "seed \(seed)")
    }
    var till = DrawnTill(days: 140, perDay: 80).draw(seed: 25)
    till.orders.removeAll { $0.time / 1_000_000_000 % 3600 >= 900 }
    #expect(try fit(till).configurationText.contains("\"every\": \"15m\""))
}

@Test func `a law with more parameters must fit better by more than chance`() throws {
    var till = DrawnTill(days: 21).draw(seed: 10)
    var streams = RandomStreams(seed: 12)
    var random = streams.stream(named: "durations")
    var simplest = 0
    for _ in 0..<10 {
        till.durations = (0..<200).map { _ in Distribution.exponential(mean: 60).sample(using: &random) }
        if try #require(try fit(till).preparation).candidates[0].name == "exponential" { simplest += 1 }
    }
    // Akaike's criterion prefers a gamma or Weibull law to the true exponential one in about a sixth of the cases.
    #expect(simplest >= 5, "\(simplest) of 10")
}

@Test func `a short break of one weekday is chance, a long one is closing`() throws {
    func hours(without minutes: Range<Int>) throws -> String {
        var till = DrawnTill(days: 70, perDay: 80).draw(seed: 26)
        // Quarters of an hour, because the first quarter of each hour is busy.
        till.orders += till.orders.map { .init(time: $0.time - $0.time % 3_600_000_000_000 / 4 * 3, lines: 1) }
        till.orders.sort { $0.time < $1.time }
        till.orders.removeAll {
            Till.day(of: $0.time) % 7 == DrawnTill.firstDay % 7
                && minutes.contains(Int($0.time % CalendarTime.day / 60_000_000_000))
        }
        let text = try fit(till).report().text()
        return String(text.split(separator: "\n").first { $0.hasPrefix("  Monday") } ?? "")
    }
    #expect(try hours(without: 720..<765).contains("09:00–17:00"))
    #expect(try hours(without: 720..<840).contains("09:00–12:00, 14:00–17:00"))
}

@Test func `quiet days of a quiet weekday are not closed`() throws {
    // Mondays have 1 order on average, the other days 40.
    let till = DrawnTill(weekdays: [0.025, 1, 1, 1, 1, 1, 1]).draw(seed: 28)
    let fitted = try fit(till)
    #expect(!fitted.notes.contains { $0.description.contains("closed:") }, "\(fitted.notes)")
    let mondays = Dictionary(grouping: till.orders) { Till.day(of: $0.time) }.keys.count { $0 % 7 == 4 }
    #expect(mondays < 20, "some Mondays have no order")
}

@Test func `days that no gamma law describes vary in the stand as in the till`() throws {
    // One day in ten has four times the orders.
    var till = DrawnTill(days: 210, perDay: 30).draw(seed: 29)
    for order in till.orders where Till.day(of: order.time) % 10 == 0 {
        for copy in 1...3 {
            till.orders.append(.init(time: order.time + Int64(copy) * 611_000_000_000, lines: 1))
        }
    }
    till.orders.sort { $0.time < $1.time }
    let excess = try excess(fit(till), \.dispersion)
    #expect(abs(excess) < 0.25)
}

// MARK: - Closed days

@Test func `a weekday that is open now and then is closed`() throws {
    var till = DrawnTill(days: 140).draw(seed: 27)
    // Of 20 Sundays 3 are left.
    till.orders.removeAll {
        (Till.day(of: $0.time) - DrawnTill.firstDay) % 7 == 6
            && ![6, 55, 104].contains(Till.day(of: $0.time) - DrawnTill.firstDay)
    }
    let fitted = try fit(till)
    #expect(fitted.configuration["customers"]?["arrivals"]?["week"]?["perSecond"]?["sun"] == nil)
    #expect(fitted.report().text().contains("Sunday     closed"))
    #expect(fitted.notes.contains { $0.description.contains("outside the opening hours or on closed weekdays") })
}

@Test func `a closed week is told from quiet days`() throws {
    var till = DrawnTill(perDay: 15).draw(seed: 6)
    let closed = DrawnTill.firstDay + 40..<DrawnTill.firstDay + 47
    till.orders.removeAll { closed.contains(Till.day(of: $0.time)) }
    #expect(try fit(till).notes.contains("7 days closed: 2017-02-11 to 2017-02-17."))
    let quiet = try fit(DrawnTill(perDay: 2).draw(seed: 6))
    #expect(!quiet.notes.contains { $0.description.contains("closed:") })
}

// MARK: - Hold-out

@Test func `held-out days are forecast better than by a constant rate, and nine of ten lie in their interval`() throws {
    let holdOut = try #require(try fit(DrawnTill(days: 365, shape: 20).draw(seed: 7), holdOut: 0.5).holdOut)
    #expect(holdOut.days == 183)
    #expect(holdOut.logLikelihoodPerOrder > holdOut.stationaryLogLikelihoodPerOrder)
    #expect((0.83...0.97).contains(holdOut.coverage90), "\(holdOut)")
}

@Test(
    arguments: [
        // Poisson: the probabilities of at most 4, 5, 14 and 15 are .029, .067, .917 and .951.
        (10, Double.infinity, 0, 5...15), (0.5, .infinity, 0, 0...2),
        // Geometric with mean 9: of at most n it is 1 − 0.9^(n + 1).
        (9, 1, 0, 0...28), (10, .infinity, 0.06, 0...15),
    ] as [(Double, Double, Double, ClosedRange<Int>)])
func `a 90% interval leaves 5% on either side`(
    mean: Double, shape: Double, none: Double, interval: ClosedRange<Int>
) {
    #expect(CountLaw.interval90(mean, shape, chanceOfNone: none) == interval)
}

@Test func `days that follow a moving level are forecast by the model with one`() throws {
    var streams = RandomStreams(seed: 30)
    var random = streams.stream(named: "level")
    var till = DrawnTill(days: 1).draw(seed: 30)
    var level = 1.0
    till.orders = (0..<240).flatMap { day -> [Till.Order] in
        level *= exp(0.25 * (random.uniform() - 0.5) - 0.1 * (level - 1))
        let drawn = DrawnTill(days: 1, perDay: 60 * level, hours: [1, 2, 4, 4, 2, 1, 1, 3]).draw(seed: UInt64(day))
        return drawn.orders.map { .init(time: $0.time + Int64(day) * CalendarTime.day, lines: 1) }
    }
    let holdOut = try #require(try fit(till, holdOut: 0.3).holdOut)
    #expect(holdOut.model == "level", "\(holdOut)")
    let steady = try #require(try fit(DrawnTill(days: 240).draw(seed: 30), holdOut: 0.3).holdOut)
    #expect(steady.model != "level", "\(steady)")
}

@Test func `a hold-out that leaves too few days is refused`() {
    #expect(
        throws: TillError.badOption("--hold-out must leave at least 7 days on either side, found 14 and 0 of 14 days")
    ) {
        try fit(DrawnTill(days: 14).draw(seed: 8), holdOut: 0.01)
    }
}

@Test(.enabled(if: Bakery.isThere, "there is no ../shared/traces/bakery.csv"))
func `the bakery's gaps are kept, and its last days are forecast`() throws {
    let till = try TillReader(TillRequest(file: Bakery.path)).till()
    #expect(till.orders.count == 9531)
    let fitted = try fit(till, holdOut: 0.3)
    let observed = fitted.observedDays.gaps
    let simulated = try fitted.simulatedDays().gaps
    #expect(isClose(simulated, observed), "\(simulated) and \(observed)")
    #expect(abs(simulated[0] / observed[0] - 1) < 0.1, "\(simulated[0]) and \(observed[0])")
    let holdOut = try #require(fitted.holdOut)
    #expect(holdOut.logLikelihoodPerOrder > -0.43624, "\(holdOut)")
    #expect((0.85...0.97).contains(holdOut.coverage90), "\(holdOut)")
}

private enum Bakery {
    /// Beside the checkout, wherever it is.
    static let path =
        String(#filePath.prefix(#filePath.count - "Tests/StandFittingTests/FittedStandTests.swift".count))
        + "../shared/traces/bakery.csv"

    static var isThere: Bool { unsafe access(path, F_OK) == 0 }
}

// MARK: - Menu and preparation

@Test func `items that are juices keep the standard menu, others make a new one`() throws {
    var till = DrawnTill(days: 21).draw(seed: 9)
    till.items = [.init(name: "Mango Juice", lines: 30), .init(name: "kiwi juice", lines: 10)]
    let standard = try fit(till).configuration
    #expect(standard["menu"]?["mango juice"]?["popularity"] == 30)
    #expect(standard["menu"]?["banana juice"]?["popularity"] == 0)
    till.items = [.init(name: "Latte", lines: 30), .init(name: "Tea", lines: 40)]
    let new = try fit(till).configuration
    #expect(new["menu"]?.members.map(\.key) == ["Tea", "Latte"])
    #expect(new["menu"]?["Latte"]?["popularity"] == 30)
}

@Test func `preparation has the law that fits best`() throws {
    var till = DrawnTill(days: 21).draw(seed: 10)
    var streams = RandomStreams(seed: 10)
    var random = streams.stream(named: "durations")
    till.durations = (0..<500).map { _ in Distribution.gamma(shape: 4, mean: 60).sample(using: &random) }
    let preparation = try #require(try fit(till).preparation)
    #expect(preparation.candidates[0].name == "gamma")
    #expect(preparation.candidates[0].p > 0.05)
    #expect(preparation.candidates.last { $0.name == "uniform" || $0.name == "exponential" }!.p <= 0.05)
}

// MARK: - The menu of a shop

/// Four orders of coffee a day at nine, ten, eleven and twelve, and two of croissants; on Mondays to Fridays of two
/// weeks. Every third order of coffee has a croissant, too.
private let shopTill = {
    var lines = ["order,time,item"]
    var number = 0
    for day in [2, 3, 4, 5, 6, 9, 10, 11, 12, 13] {
        for hour in 9...14 {
            number += 1
            let time = "2017-01-\(day < 10 ? "0" : "")\(day) \(hour < 10 ? "0" : "")\(hour):\(10 + number % 50):07"
            if hour <= 12 { lines.append("\(number),\(time),\(number % 2 == 0 ? "Caffe Latte" : "Espresso")") }
            if hour > 12 || number % 3 == 0 { lines.append("\(number),\(time),Croissant") }
        }
    }
    return lines.joined(separator: "\n") + "\n"
}()

private let shop = """
    {"stand": "corner", "opens": "2026-05-04T08:00:00", "seed": 9, "currency": "KRW", "wage": 12,
     "fruits": {"bean": {"initial": 500, "capacity": 900, "restock": {"orderUpTo": {"reorderPoint": 100, "level": 800,
       "leadTime": "2h"}}, "costs": {"unit": 0.2, "order": 5}}},
     "menu": {"latte": {"recipe": {"bean": 2}, "price": 4.5, "preparation": 40}, "espresso": {"recipe": {"bean": 1}}},
     "makers": {"shifts": {"every": "2h", "makers": [1, 2, 1], "repeat": true}}, "queue": {"limit": 7},
     "customers": {"cups": 2, "patience": {"exponential": {"mean": "5m"}}, "whenSoldOut": "wait"}}
    """

@Test func `lines of items that the menu lacks are left out of the demand and counted`() throws {
    let till = try read(shopTill)
    let settings = try StandConfiguration(Array(shop.utf8), source: "shop.json").settings
    let fitted = try FittedStand(till, menu: settings, samples: 0)
    let coffees = till.items.filter { $0.name != "Croissant" }.reduce(0) { $0 + $1.lines }
    #expect(coffees == 40 && till.orders.count == 60)
    #expect(fitted.demand.orders.count == 40 && fitted.demand.lines == 40)
    #expect(fitted.demand.orders.allSatisfy { $0.lines == 1 })
    let croissants = till.lines - coffees
    #expect(
        fitted.notes.contains(
            "\(croissants) of \(till.lines) lines are of items that the menu does not have, and left out of the demand: "
                + "\"Croissant\"."))
    #expect(
        fitted.notes.contains("Taken for juices of the menu by a part of their names: \"Caffe Latte\" for \"latte\"."))
    let configuration = fitted.configuration
    #expect(configuration["menu"]?["latte"]?["popularity"] == 20)
    #expect(configuration["menu"]?["espresso"]?["popularity"] == 20)
    // A croissant makes no party of two.
    #expect(configuration["customers"]?["party"] == nil)
    // Four customers on each of ten open days: not six.
    #expect(fitted.parameters.first { $0.name == "ordersPerDay.mon" }?.value == 4)
    // The report shows the whole till.
    #expect(fitted.observedDays.counts == [Int](repeating: 6, count: 10))
    #expect(fitted.observedDays.items.map(\.name) == ["latte", "espresso", "Croissant"])
    // Each of the ten open days has six orders; the weekend is closed.
    let page = try fitted.report(beside: fitted.simulatedDays()).html().replacing(/<[^>]*>/, with: " ")
    #expect(page.contains(/Orders on an open day\s+6\.0\s/))
}

@Test func `what a configuration has and the till does not tell stays`() throws {
    let settings = try StandConfiguration(Array(shop.utf8), source: "shop.json").settings
    let fitted = try FittedStand(read(shopTill), menu: settings, samples: 0)
    let kept = try StandConfiguration(Array(fitted.configurationText.utf8), source: "fitted").settings
    #expect(kept.stand == "corner" && kept.seed == 9 && kept.currency == "KRW" && kept.wage == 12)
    #expect(kept.shelves == settings.shelves && kept.shifts == settings.shifts && kept.queueLimit == 7)
    #expect(kept.customers.patience == settings.customers.patience)
    #expect(kept.customers.whenSoldOut == settings.customers.whenSoldOut)
    #expect(kept.customers.cups == settings.customers.cups)
    #expect(kept.offers.map(\.price) == settings.offers.map(\.price))
    #expect(kept.offers.map(\.preparation) == settings.offers.map(\.preparation))
    // Shifts count from the opening.
    #expect(kept.opens == "2017-01-14T08:00:00")
}

@Test func `a till without an item of the menu gets one clear line`() throws {
    let till = try read(shopTill.replacing("Espresso", with: "Tea").replacing("Caffe Latte", with: "Cake"))
    let settings = try StandConfiguration(Array(shop.utf8), source: "shop.json").settings
    let problem = TextProblem(
        place: Place(source: "till.csv", line: 1, column: 1),
        message: "expected at least 10 orders of items on the menu, found 0; the items of the till are \"Tea\", "
            + "\"Cake\", \"Croissant\"")
    #expect(throws: TillError.badTill(problem)) { try FittedStand(till, menu: settings, samples: 0) }
}
