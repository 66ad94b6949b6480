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
        // Estimates the shape by moments, because only its order of magnitude matters.
        var excess = 0.0
        var squares = 0.0
        for day in busy {
            let expected = means[weekday(day)]
            excess += (totals[day] - expected) * (totals[day] - expected) - expected
            squares += expected * expected
        }
        let shape = 1 / max(excess / squares, 1e-6)
        var closed = [Bool](repeating: false, count: totals.count)
        for stretch in totals.indices.stretches(where: { totals[$0] == 0 }) {
            let chance = stretch.reduce(0) { $0 + CountLaw.logLikelihood(0, mean: means[weekday($1)], shape: shape) }
            if chance < log(leastChance) { for day in stretch { closed[day] = true } }
        }
        return closed
    }
}

extension Range<Int> {
    /// The longest stretches of numbers that satisfy a condition, in order.
    func stretches(where holds: (Int) -> Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for number in self where holds(number) {
            if let last = found.last, last.upperBound == number {
                found[found.count - 1] = last.lowerBound..<number + 1
            } else {
                found.append(number..<number + 1)
            }
        }
        return found
    }
}
