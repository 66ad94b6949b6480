import Platform

/// Tells closed days from quiet ones.
///
/// Days without an order in a row count as closed if chance would leave an open shop without orders on all of them less
/// often than once in 1,000 times.
enum ClosedDays {
    static let leastChance = 1e-3

    /// Whether each day is closed.
    ///
    /// - Parameters:
    ///   - totals: The orders of each day.
    ///   - weekday: The weekday of a day, from 0 to 6.
    static func find(_ totals: [Double], weekday: (Int) -> Int) -> [Bool] {
        let busy = totals.indices.filter { totals[$0] > 0 }
        guard !busy.isEmpty else { return totals.map { _ in true } }
        let mean = busy.reduce(0) { $0 + totals[$1] } / Double(busy.count)
        var sums = [Double](repeating: 0, count: 7)
        var counts = [Double](repeating: 0, count: 7)
        for day in busy {
            sums[weekday(day)] += totals[day]
            counts[weekday(day)] += 1
        }
        let means = (0..<7).map { counts[$0] > 0 ? sums[$0] / counts[$0] : mean }
        // By moments: only the order of magnitude matters.
        var excess = 0.0
        var squares = 0.0
        for day in busy {
            let expected = means[weekday(day)]
            excess += (totals[day] - expected) * (totals[day] - expected) - expected
            squares += expected * expected
        }
        let shape = 1 / max(excess / squares, 1e-6)
        var closed = [Bool](repeating: false, count: totals.count)
        var start = 0
        while start < totals.count {
            var end = start
            var chance = 0.0
            while end < totals.count, totals[end] == 0 {
                chance += CountLaw.logLikelihood(0, mean: means[weekday(end)], shape: shape)
                end += 1
            }
            if chance < log(leastChance) { for day in start..<end { closed[day] = true } }
            start = max(end, start + 1)
        }
        return closed
    }
}
