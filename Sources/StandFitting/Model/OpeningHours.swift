import Platform

/// The bins of each weekday in which the shop is open.
struct OpeningHours: Equatable, Sendable {
    /// Whether the shop is open, by weekday, then by bin.
    var mask: [[Bool]]

    /// Finds the hours of opening.
    ///
    /// An hour of the day belongs to them if orders came in it on at least 1 day in 50, and on 2 days or more in two
    /// weeks or more. A stretch without orders on one weekday is closed if the orders of the other weekdays make that
    /// less likely than once in 1,000 times.
    init(_ counts: DayCounts, hours: DayCounts, isClosed: [Bool]) {
        let open = isClosed.count { !$0 }
        let fewest = max((open + 49) / 50, open >= 14 ? 2 : 1)
        let isOpenHour = hours.busyDays.map { $0 >= fewest }
        let perHour = counts.bins / hours.bins
        mask = Array(repeating: (0..<counts.bins).map { isOpenHour[$0 / perHour] }, count: 7)
        closeStretches(counts, isClosed)
    }

    /// Closes the weekdays without an open day.
    mutating func closeWeekdays(_ counts: DayCounts, _ isClosed: [Bool]) {
        let open = Set(isClosed.indices.filter { !isClosed[$0] }.map(counts.weekday))
        for weekday in 0..<7 where !open.contains(weekday) { mask[weekday] = mask[weekday].map { _ in false } }
    }

    private mutating func closeStretches(_ counts: DayCounts, _ isClosed: [Bool]) {
        var sums = [[Double]](repeating: [Double](repeating: 0, count: counts.bins), count: 7)
        for day in 0..<counts.days where !isClosed[day] {
            let weekday = counts.weekday(day)
            for (bin, count) in counts.counts(on: day).enumerated() where mask[weekday][bin] {
                sums[weekday][bin] += count
            }
        }
        let common = (0..<counts.bins).map { bin in sums.reduce(0) { $0 + $1[bin] } }
        let all = common.reduce(0, +)
        for weekday in 0..<7 {
            let total = sums[weekday].reduce(0, +)
            guard total > 0 else {
                mask[weekday] = mask[weekday].map { _ in false }
                continue
            }
            for stretch in (0..<counts.bins).stretches(where: { sums[weekday][$0] == 0 }) {
                let start = stretch.lowerBound
                let end = stretch.upperBound
                let expected = stretch.reduce(0) { $0 + common[$1] / all * total }
                // A break of less than an hour within the day is taken for chance.
                let isBreak = start > 0 && end < counts.bins && mask[weekday][start - 1] && mask[weekday][end]
                let isShort = isBreak && stretch.count * 24 < counts.bins
                if !isShort, expected > -log(ClosedDays.leastChance) {
                    for bin in stretch { mask[weekday][bin] = false }
                }
            }
        }
    }
}
