import JuiceStand
import Platform
import StandFitting
import Testing
import TextFormats
import Tills

/// Likelihoods, p-values and intervals on data that can be worked out by hand.
struct FitReferenceTests {
    // MARK: - Counts

    /// Negative binomial with mean 9 and shape 1: P(5) = 0.1 · 0.9^5. Poisson with mean 2: P(3) = e^−2 · 2^3 / 3!. The
    /// factorial is left out.
    @Test func `the likelihood of a count is that of its law`() {
        let geometric = CountLaw.logLikelihood(5, mean: 9, shape: 1)
        #expect(abs(geometric - (log(0.1) + 5 * log(0.9) + log(120))) < 1e-12)
        #expect(abs(CountLaw.logLikelihood(3, mean: 2, shape: .infinity) - (3 * log(2) - 2)) < 1e-12)
        #expect(abs(CountLaw.logLikelihood(0, mean: 9, shape: 1) - log(0.1)) < 1e-12)
    }

    /// 8, 12, 10 and 10 orders with an estimated mean of 10: (4 + 4) / 10 with three degrees of freedom, whose tail is
    /// .8495. Orders in groups of two would double the variance.
    @Test func `the dispersion of days divides by the degrees of freedom that the means leave`() {
        let days = [8.0, 12, 10, 10].map { ShapeLikelihood.Day(count: $0, mean: 10, leverage: 0.25) }
        let found = DayLaw.dispersion(days, chance: 1)
        #expect(abs(found.index - 0.8 / 3) < 1e-12)
        #expect(abs(found.p - 0.8495) < 0.003)
        #expect(abs(DayLaw.dispersion(days, chance: 2).p - 0.9402) < 0.005)
    }

    /// 5, 15, 10 and 10 orders with a mean of 10: a variance of 50/3, of which chance makes 10. What is left is 20/3 of
    /// 100, so the shape is 15.
    @Test func `the shape that keeps the variance of days divides it by one less than their number`() {
        let days = [5.0, 15, 10, 10].map { ShapeLikelihood.Day(count: $0, mean: 10, leverage: 0) }
        #expect(abs(DayLaw.levelShape(days, 1, chance: 1) - 15) < 1e-9)
    }

    // MARK: - Gaps

    /// 289 orders, 299 s apart, in a day that is open throughout: the rate of the 288 others is 1/300 s. The clock shows
    /// seconds, so a gap of at least 240 s is one of 239.5 s on average. The last order is 288 s before midnight.
    private func logLikelihood(_ gaps: ShortGaps) -> Double {
        var counts = GapCounts(resolution: 1_000_000_000)
        counts.add((0..<289).map { Double($0) * 299 }, Array(repeating: 1 / 24, count: 24))
        return counts.logLikelihood(gaps)
    }

    /// What the 288 gaps of 240 to 300 s and the one beyond 240 s make of the probability of longer ones.
    private func expected(_ longer: (Double) -> Double) -> Double {
        288 * log(longer(239.5) - longer(299.5)) + log(longer(239.5))
    }

    @Test func `the likelihood of independent gaps is that of exponential ones`() {
        #expect(abs(logLikelihood(ShortGaps()) - expected { exp(-$0 / 300) }) < 1e-9)
    }

    /// With a spacing of 30 s the others come in nine tenths of the time, at 1/270 s.
    @Test func `the likelihood of spaced gaps begins with the spacing`() {
        var gaps = ShortGaps()
        gaps.spacing = 30
        #expect(abs(logLikelihood(gaps) - expected { exp(-($0 - 30) / 270) }) < 1e-9)
    }

    /// A fifth of the orders is followed after an exponential delay of 100 s on average. No order comes within g of another
    /// if its own follower does not, nor an order of the base rate, nor a follower of an earlier one.
    @Test func `the likelihood of gaps with followers is that of the cluster process`() {
        var gaps = ShortGaps()
        gaps.share = 0.2
        gaps.delay = .init(isGamma: true, mean: 100, variation: 1)
        let found = logLikelihood(gaps)
        let exact = expected { g in
            let later = exp(-g / 100)
            return (1 - 0.2 * (1 - later)) * exp(-0.8 * g / 300 - 0.2 * 100 * (1 - later) / 300)
        }
        #expect(abs(found - exact) < 0.05, "\(found) and \(exact)")
    }

    /// On a clock with minutes, a gap of n minutes is one of n − 1 to n + 1, each as likely as the other.
    @Test func `on a clock with minutes a gap is spread over its minute`() {
        var counts = GapCounts(resolution: 60_000_000_000)
        counts.add((0..<289).map { Double($0) * 299 }, Array(repeating: 1 / 24, count: 24))
        // 299 s shift by a second with each order: 283 gaps show 5 minutes and 5 show 4.
        let shown = (0..<289).map { $0 * 299 / 60 }
        let minutes = zip(shown.dropFirst(), shown).map { $0 - $1 }
        func longer(_ cell: Int) -> Double {
            let start = Double(cell) * 60
            return (exp(-start / 300) - exp(-(start + 60) / 300)) * 300 / 60
        }
        // A gap below one minute is within the same minute, so the first cell ends where the mean is over 0 to 60 s.
        let exact = minutes.reduce(0.0) { $0 + log(longer($1 - 1) - longer($1)) }
        let left = 1440 - shown[288]
        let found = counts.logLikelihood(ShortGaps())
        #expect(abs(found - exact - log(longer(left - 1))) < 0.05, "\(found) and \(exact)")
    }

    // MARK: - Parameters and forecasts

    private func till(days: Int, at times: [Double]) -> Till {
        var orders: [Till.Order] = []
        for day in 0..<days {
            let midnight = Int64(DrawnTill.firstDay + day) * CalendarTime.day
            for time in times { orders.append(.init(time: midnight + Int64(time * 3600) * 1_000_000_000, lines: 1)) }
        }
        var columns = TillColumns()
        columns[.time] = ["time"]
        return Till(file: "drawn.csv", orders: orders, columns: columns)
    }

    /// Six times 1 cup and four times 2: a mean of 1.4, a variance of 2.4/9, and t with 9 degrees of freedom 2.262157.
    @Test func `the interval of a mean divides the variance by one less than the number`() throws {
        var till = till(days: 14, at: [9, 9.5, 12])
        till.quantities = [1: 6, 2: 4]
        let cups = try #require(
            FittedStand(till, samples: 0).parameters.first { $0.name == "cups.mean" })
        let half = 2.262157 * (2.4 / 9 / 10).squareRoot()
        #expect(abs(cups.value - 1.4) < 1e-12)
        #expect(abs(cups.low - (1.4 - half)) < 1e-4 && abs(cups.high - (1.4 + half)) < 1e-4)
    }

    /// Two orders from 9 to 10 and one from 12 to 13 each day. A constant rate is 1.5 in each of the two hours, so a day has
    /// the probability e^−3 · 1.5^2 / 2! · 1.5.
    @Test func `a constant rate forecasts the hourly counts with the likelihood of Poisson counts`() throws {
        let fitted = try FittedStand(till(days: 28, at: [9, 9.5, 12]), holdOut: 0.5, samples: 0)
        let found = try #require(fitted.holdOut)
        #expect(found.days == 14 && found.orders == 42)
        #expect(abs(found.stationaryLogLikelihoodPerOrder - (3 * log(1.5) - 3 - log(2)) / 3) < 1e-9)
        // Equal days are forecast better, but not with certainty: at most e^−3 · 3^3 / 3! · 3 (2/3)^2 (1/3), and that only if
        // the shop is open. After two or three weeks it is closed with the probability 0.1/3 or 0.1/4.
        let open = (log1p(-0.1 / 3) + log1p(-0.1 / 4)) / 2
        let best = (log(27.0 / 6) - 3 + log(3 * 4 / 27.0) + open) / 3
        #expect(found.logLikelihoodPerOrder > found.stationaryLogLikelihoodPerOrder)
        #expect(found.logLikelihoodPerOrder < best + 1e-9, "\(found.logLikelihoodPerOrder) and \(best)")
    }

    /// With one sample either that or the till has the larger value, each with the probability (1 + 1) / (1 + 1) or 1 / 2.
    @Test func `the p-value of a test with two sides is twice the smaller probability`() throws {
        let fitted = try FittedStand(DrawnTill(days: 56).draw(seed: 3), samples: 1)
        let p = Dictionary(uniqueKeysWithValues: fitted.goodness.tests.map { ($0.name, $0.p) })
        for name in ["hours", "days", "independence"] { #expect(p[name] == 1, "\(name)") }
        for name in ["rescaledGaps", "timesOfDay"] { #expect([0.5, 1].contains(p[name]), "\(name)") }
    }
}
