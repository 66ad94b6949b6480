import JuiceStand
import Platform
import TextFormats
import Tills

/// The arrivals of a till as a law: rates by weekday and time of day, and the gamma law of days.
package struct WeekModel: Sendable {
    /// What is fitted. The restricted models are there to be rejected by the tests of goodness.
    package struct Restriction: Equatable, Sendable {
        /// Whether days may differ by more than chance.
        package var allowsLevel = true
        /// Whether rates may differ between times of day.
        package var allowsHours = true

        package init() {}
    }

    let counts: DayCounts
    let hours: DayCounts
    let isClosed: [Bool]
    let opening: OpeningHours
    let memory: Memory
    /// How recent days differ from all days together; nil if forecasts are not better when recent days weigh more.
    let recent: Recent?
    let rates: WeekRates
    /// The shape of the law of days, by maximum likelihood; infinite if days differ by chance alone.
    let shape: Double
    /// The shape that gives simulated days the variance of the till's days.
    let levelShape: Double
    let shortGaps: ShortGaps
    /// The orders of each day within the opening hours.
    let totals: [Double]
    /// The days as the likelihood of the shape sees them.
    private let days: [ShapeLikelihood.Day]
    /// The test of whether days differ by more than chance.
    let dispersion: (index: Double, p: Double)
    let restriction: Restriction

    /// Days differ by more than chance if chance gives as much less often than this.
    private static let levelChance = 0.01

    package init(_ till: Till, _ restriction: Restriction = Restriction()) {
        self.restriction = restriction
        hours = DayCounts(till, bins: 24)
        let closed = ClosedDays.find(hours.totals) { [hours] in hours.weekday($0) }
        counts = DayCounts(till, bins: Self.bins(till))
        var opening = OpeningHours(counts, hours: hours, isClosed: closed)
        // Orders outside the opening hours do not open a day.
        let inside = Self.totals(counts, opening)
        isClosed = Self.withoutRareWeekdays(
            ClosedDays.find(inside) { [counts] in counts.weekday($0) }, counts)
        opening.closeWeekdays(counts, isClosed)
        self.opening = opening
        totals = inside
        let choice = Memory.choose(History(hours, isClosed: isClosed))
        memory = choice.ofAll
        let week = Self.week(counts, opening, isClosed, memory)
        recent = Recent(choice.simplest, than: week, Self.week(counts, opening, isClosed, choice.simplest))
        let rates = WeekRates(week, opening, isFlat: !restriction.allowsHours)
        self.rates = rates
        let open = (0..<counts.days).filter { [isClosed] in !isClosed[$0] }
        days = open.map { [counts, totals] day in
            let weekday = counts.weekday(day)
            return .init(count: totals[day], mean: rates.totals[weekday], leverage: rates.leverages[weekday])
        }
        var gaps = GapCounts(resolution: till.resolution)
        for (day, times) in counts.times(till) where !isClosed[day] {
            gaps.add(times, rates.shares[counts.weekday(day)])
        }
        shortGaps = ShortGaps(gaps)
        let chance = shortGaps.dispersion(rates)
        dispersion = Self.dispersion(days, chance: chance)
        shape = Self.shape(days, dispersion.p, restriction)
        levelShape = Self.levelShape(days, shape, chance: chance)
    }

    /// The open days, counted from the first day of the till.
    var openDays: [Int] { (0..<counts.days).filter { !isClosed[$0] } }

    /// The orders that the rates leave out: those outside the opening hours or on closed days.
    var ordersOutside: Int {
        Int(counts.counts.reduce(0, +) - totals.indices.reduce(0) { $0 + (isClosed[$1] ? 0 : totals[$1]) })
    }
}

// MARK: - Steps

extension WeekModel {
    /// The number of bins of a day: 24, 48 or 96, by Akaike's information criterion for the shares of all days
    /// together.
    private static func bins(_ till: Till) -> Int {
        var best = (bins: 24, criterion: Double.infinity)
        for bins in [24, 48, 96] where CalendarTime.day / Int64(bins) >= till.resolution {
            let sums = DayCounts(till, bins: bins).totalsByBin.filter { $0 > 0 }
            let all = sums.reduce(0, +)
            let logLikelihood = sums.reduce(0) { $0 + $1 * log($1 / all * Double(bins)) }
            let criterion = 2 * Double(sums.count - 1) - 2 * logLikelihood
            if criterion < best.criterion { best = (bins, criterion) }
        }
        return best.bins
    }

    private static func totals(_ counts: DayCounts, _ opening: OpeningHours) -> [Double] {
        (0..<counts.days).map { counts.total(on: $0, in: opening.mask[counts.weekday($0)]) }
    }

    /// Counts a weekday as closed if it is closed in most weeks in which the shop is open.
    private static func withoutRareWeekdays(_ isClosed: [Bool], _ counts: DayCounts) -> [Bool] {
        var result = isClosed
        for weekday in 0..<7 {
            let days = (0..<counts.days).filter { day in
                let week = max(0, day - 3)...min(counts.days - 1, day + 3)
                return counts.weekday(day) == weekday && week.contains { !isClosed[$0] }
            }
            if days.count(where: { isClosed[$0] }) * 2 > days.count { for day in days { result[day] = true } }
        }
        return result
    }

    static func week(
        _ counts: DayCounts, _ opening: OpeningHours, _ isClosed: [Bool], _ memory: Memory
    ) -> RunningWeek {
        var week = RunningWeek(bins: counts.bins, memory: memory)
        for day in 0..<counts.days {
            if day > 0 { week.endDay() }
            guard !isClosed[day] else { continue }
            let weekday = counts.weekday(day)
            let masked = zip(counts.counts(on: day), opening.mask[weekday]).map { $1 ? $0 : 0 }
            week.add(masked[...], weekday: weekday)
        }
        return week
    }

    /// The shape of the law of days; infinite if days do not differ by more than chance.
    static func shape(_ days: [ShapeLikelihood.Day], _ p: Double, _ restriction: Restriction, steps: Int = 32) -> Double
    {
        restriction.allowsLevel && p < levelChance ? ShapeLikelihood(days).maximum(steps: steps) : .infinity
    }

    /// The shape that gives simulated days the variance of the till's days.
    ///
    /// This is `shape` if its variance is within 2% of the till's. Otherwise the shape follows from the variance alone.
    ///
    /// - Parameter chance: The variance of a count within a day of known level, divided by its mean.
    package static func levelShape(_ days: [ShapeLikelihood.Day], _ shape: Double, chance: Double) -> Double {
        guard shape.isFinite, days.count > 1 else { return shape }
        let number = Double(days.count)
        let count = days.reduce(0) { $0 + $1.count } / number
        let mean = days.reduce(0) { $0 + $1.mean } / number
        let squares = days.reduce(0) { $0 + $1.mean * $1.mean } / number
        let variance = days.reduce(0) { $0 + ($1.count - count) * ($1.count - count) } / (number - 1)
        let ofWeekdays = squares - mean * mean
        let fitted = ofWeekdays + chance * mean + squares / shape
        guard abs(fitted - variance) > 0.02 * variance else { return shape }
        let excess = variance - ofWeekdays - chance * mean
        return excess > 1e-5 * squares ? squares / excess : .infinity
    }

    /// Pearson's test of independent counts, with the mean of each weekday.
    ///
    /// - Parameter chance: The variance of a count divided by its mean; 1 for Poisson counts.
    package static func dispersion(_ days: [ShapeLikelihood.Day], chance: Double) -> (index: Double, p: Double) {
        let open = days.filter { $0.mean > 0 }
        let sum = open.reduce(0) { $0 + ($1.count - $1.mean) * ($1.count - $1.mean) / $1.mean }
        let degrees = open.reduce(0) { $0 + 1 - $1.leverage }
        guard degrees > 0 else { return (1, 1) }
        return (sum / degrees, Normal.chiSquareTail(sum / chance, degrees: degrees))
    }

    var shapeLikelihood: ShapeLikelihood { ShapeLikelihood(days) }
}

// MARK: - Recent days

extension WeekModel {
    /// How many orders recent days have.
    struct Recent: Sendable {
        /// The days after which a day counts half.
        let halfLife: Double
        /// The orders of a week, divided by those of a week of all days together.
        let factor: Double

        fileprivate init?(_ memory: Memory, than all: RunningWeek, _ recent: RunningWeek) {
            let before = (0..<7).reduce(0) { $0 + all.total($1) }
            guard memory.halfLife.isFinite, before > 0 else { return nil }
            halfLife = memory.halfLife
            factor = (0..<7).reduce(0) { $0 + recent.total($1) } / before
        }
    }
}
