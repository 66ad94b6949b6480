import JuiceStand
import Platform
import TextFormats
import Tills

/// The arrivals of a till as a law: rates by weekday and time of day, and the gamma law of days.
package struct WeekModel: Sendable {
    /// Restricts the model that is fitted. Restricted models serve to see that the tests of goodness reject them.
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
    /// The half-life in days of weights with which forecasts are better, and the orders of a week with these weights,
    /// divided by those with equal weights; nil if forecasts are no better when recent days weigh more.
    let recent: (halfLife: Double, factor: Double)?
    let rates: WeekRates
    let law: DayLaw
    /// The orders of each day within the opening hours.
    let totals: [Double]
    let restriction: Restriction

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
        recent = Self.recent(Self.week(counts, opening, isClosed, choice.simplest), beside: week)
        let rates = WeekRates(week, opening, isFlat: !restriction.allowsHours)
        self.rates = rates
        var gaps = GapCounts(resolution: till.resolution)
        for (day, times) in counts.times(till) where !isClosed[day] {
            gaps.add(times, rates.shares[counts.weekday(day)])
        }
        let open = (0..<counts.days).filter { [isClosed] in !isClosed[$0] }
        let days = open.map { [counts, totals] in (weekday: counts.weekday($0), orders: totals[$0]) }
        law = DayLaw(of: days, rates, ShortGaps(gaps), restriction)
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

    /// See ``recent``.
    private static func recent(_ recent: RunningWeek, beside all: RunningWeek) -> (halfLife: Double, factor: Double)? {
        let before = (0..<7).reduce(0) { $0 + all.total($1) }
        guard recent.memory.halfLife.isFinite, before > 0 else { return nil }
        return (recent.memory.halfLife, (0..<7).reduce(0) { $0 + recent.total($1) } / before)
    }
}
