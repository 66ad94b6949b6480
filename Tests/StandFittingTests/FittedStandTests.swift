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
    let till = restaurant.draw(seed: 3)
    let settings = try StandConfiguration(Array(try fit(till).configurationText.utf8), source: "shop.json").settings
    var sums: [Double] = [0]
    let day = SimulationTime(seconds: 86400)
    let driver = VirtualDriver(
        horizon: SimulationTime(seconds: 701 * 86400),
        sampling: .init(every: day) { stand, time in
            sums.append(stand.metrics(at: time).first { $0.name == "customers.arrived" }?.value ?? 0)
        })
    var stand = Stand(settings)
    driver.run(&stand, DirectWiring())
    let simulated = index(of: zip(sums.dropFirst(), sums).map { $0 - $1 })
    let days = Dictionary(grouping: till.orders) { Till.day(of: $0.time) }
    let observed = index(of: till.days.map { Double(days[$0]?.count ?? 0) })
    #expect(abs(simulated / observed - 1) < 0.15, "\(simulated) and \(observed)")
}

/// The variance of daily counts divided by their mean.
private func index(of counts: [Double]) -> Double {
    let mean = counts.reduce(0, +) / Double(counts.count)
    return counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(counts.count) / mean
}

// MARK: - Recovery

@Test func `Poisson days have no level and gamma days have one`() throws {
    let poisson = try fit(DrawnTill().draw(seed: 4))
    #expect(!poisson.parameters.contains { $0.name == "level.shape" })
    let gamma = try fit(DrawnTill(shape: 10).draw(seed: 4))
    let shape = try #require(gamma.parameters.first { $0.name == "level.shape" })
    #expect(shape.low < 10 && 10 < shape.high)
}

@Test func `about 95% of the intervals contain the true parameters`() throws {
    var (hits, all) = (0, 0)
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
    #expect(!(try fit(till)).parameters.contains { $0.name == "spacing.seconds" })
    // Nobody is served within 25 seconds of another.
    var last = Int64.min
    till.orders = till.orders.filter { order in
        guard last == .min || order.time - last >= 25_000_000_000 else { return false }
        last = order.time
        return true
    }
    let fitted = try fit(till, samples: 39)
    let spacing = try #require(fitted.parameters.first { $0.name == "spacing.seconds" })
    #expect(spacing.low < 25 && 25 < spacing.high, "\(spacing)")
    let (observed, simulated) = (fitted.observedDays.gaps[0], try fitted.simulatedDays().gaps[0])
    #expect(abs(simulated / observed - 1) < 0.05, "\(simulated) and \(observed)")
    let gaps = try #require(fitted.goodness.tests.first { $0.name == "rescaledGaps" })
    #expect(gaps.p > 0.05, "\(gaps)")
}

@Test func `customers with company give followers, and the till's share of short gaps`() throws {
    var till = DrawnTill(perDay: 30, shape: 15).draw(seed: 13)
    #expect(!(try fit(till)).parameters.contains { $0.name == "followers.share" })
    // Every tenth customer is followed within 20 to 80 seconds.
    let company = stride(from: 0, to: till.orders.count, by: 10).map { index in
        Till.Order(time: till.orders[index].time + Int64(20 + index % 61) * 1_000_000_000, lines: 1)
    }
    till.orders = (till.orders + company).sorted { $0.time < $1.time }
    let fitted = try fit(till, samples: 39)
    let share = try #require(fitted.parameters.first { $0.name == "followers.share" })
    #expect(share.low < 0.11 && 0.07 < share.high, "\(share)")
    let (observed, simulated) = (fitted.observedDays, try fitted.simulatedDays())
    #expect(abs(simulated.gaps[0] / observed.gaps[0] - 1) < 0.08, "\(simulated.gaps) and \(observed.gaps)")
    // Followers make groups; the level leaves room for them.
    let (days, simulatedDays) = (try #require(observed.dispersion), try #require(simulated.dispersion))
    #expect(abs(simulatedDays / days - 1) < 0.25, "\(simulatedDays) and \(days)")
    #expect(fitted.configurationText.contains("\"followers\": { \"perSecond\": "))
}

@Test func `a shop that grows has the mean of all its days, and a note on today`() throws {
    // 40 orders a day for 200 days, then 80.
    var till = DrawnTill(days: 200, shape: 30).draw(seed: 14)
    let later = DrawnTill(days: 100, perDay: 80, shape: 30).draw(seed: 15)
    till.orders += later.orders.map { .init(time: $0.time + 203 * CalendarTime.day, lines: 1) }
    let fitted = try fit(till)
    let (observed, simulated) = (fitted.observedDays, try fitted.simulatedDays())
    let mean = observed.counts.reduce(0) { $0 + Double($1) } / Double(observed.counts.count)
    let simulatedMean = simulated.counts.reduce(0) { $0 + Double($1) } / Double(simulated.counts.count)
    // Days vary by half of their mean. 300 simulated days have a standard error of 2.5%.
    #expect(abs(simulatedMean / mean - 1) < 0.1, "\(simulatedMean) and \(mean)")
    let note = try #require(fitted.notes.first { $0.hasPrefix("Recent days have 1.") })
    #expect(note.contains("--set customers.arrivals.week.level.gamma.mean=1."))
}

@Test func `simulated times are as exact as those of the till`() throws {
    let till = DrawnTill(perDay: 150, resolution: 60_000_000_000).draw(seed: 12)
    let fitted = try fit(till)
    let (observed, simulated) = (fitted.observedDays.gaps[0], try fitted.simulatedDays().gaps[0])
    #expect(abs(simulated / observed - 1) < 0.05, "\(simulated) and \(observed)")
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
    (till.days, till.perDay, till.resolution) = (56, 20, resolution)
    let rejected = try rejections(till, count: 12)
    // Of 12, 0.6 are expected. Chance gives more than 4 less often than once in 1,000 times.
    #expect(rejected.values.allSatisfy { $0 <= 4 }, "\(rejected)")
}

@Test func `days that differ more than the law allows are noticed`() throws {
    var restriction = WeekModel.Restriction()
    restriction.allowsLevel = false
    // The variance of a day's orders is 4 times their mean.
    let count = Study.size(10, full: 200)
    let rejected = try rejections(DrawnTill(days: 56, shape: 40 / 3), count: UInt64(count), restriction)
    #expect(rejected["days", default: 0] * 10 >= count * 9, "\(rejected) of \(count)")
}

@Test func `a flat day fitted to a profile is noticed`() throws {
    var restriction = WeekModel.Restriction()
    restriction.allowsHours = false
    let count = Study.size(10, full: 200)
    let till = DrawnTill(days: 56, hours: [1, 2, 3, 3, 2, 1, 1, 2])
    let rejected = try rejections(till, count: UInt64(count), restriction)
    #expect(rejected["timesOfDay", default: 0] * 10 >= count * 9, "\(rejected) of \(count)")
}

@Test func `paced arrivals are noticed`() throws {
    let count = Study.size(10, full: 200)
    let rejected = try rejections(DrawnTill(days: 56, pace: 720), count: UInt64(count))
    #expect(rejected["rescaledGaps", default: 0] * 10 >= count * 9, "\(rejected) of \(count)")
}

// MARK: - Closed days

@Test func `a closed week is told from quiet days`() throws {
    var till = DrawnTill(perDay: 15).draw(seed: 6)
    let closed = DrawnTill.firstDay + 40..<DrawnTill.firstDay + 47
    till.orders.removeAll { closed.contains(Till.day(of: $0.time)) }
    #expect(try fit(till).notes.contains("7 days closed: 2017-02-11 to 2017-02-17."))
    let quiet = try fit(DrawnTill(perDay: 2).draw(seed: 6))
    #expect(!quiet.notes.contains { $0.contains("closed:") })
}

// MARK: - Hold-out

@Test func `held-out days are forecast better than by a constant rate, and nine of ten lie in their interval`() throws {
    let holdOut = try #require(try fit(DrawnTill(days: 365, shape: 20).draw(seed: 7), holdOut: 0.5).holdOut)
    #expect(holdOut.days == 183)
    #expect(holdOut.logLikelihoodPerOrder > holdOut.stationaryLogLikelihoodPerOrder)
    #expect((0.83...0.97).contains(holdOut.coverage90), "\(holdOut)")
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
    let till = try TillReader(file: Bakery.path).read()
    #expect(till.orders.count == 9531)
    let fitted = try fit(till, holdOut: 0.3)
    let (observed, simulated) = (fitted.observedDays.gaps[0], try fitted.simulatedDays().gaps[0])
    #expect(abs(simulated / observed - 1) < 0.1, "\(simulated) and \(observed)")
    let holdOut = try #require(fitted.holdOut)
    #expect(holdOut.logLikelihoodPerOrder >= -0.4450, "\(holdOut)")
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
