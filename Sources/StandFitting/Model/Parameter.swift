import JuiceStand
import Platform
import TextFormats

/// An estimate with its 95% interval.
package struct Parameter: Equatable, Sendable {
    package var name: String
    package var value: Double
    package var low: Double
    package var high: Double

    init(_ name: String, _ value: Double, _ interval: ClosedRange<Double>) {
        self.name = name
        self.value = value
        low = interval.lowerBound
        high = interval.upperBound
    }
}

extension WeekModel {
    /// Mean orders by weekday and by hour, as counted, the shape of the law of days, and the spacing.
    var parameters: [Parameter] {
        var all: [Parameter] = []
        let days = openDays
        let shape = law.shape
        let isEstimated = shape.isFinite && days.count > 10
        let factor = isEstimated ? StudentT.halfWidth(confidence: 0.95, degrees: days.count - 7) / Normal.z : 1
        /// - Parameter chance: The variance of a count within a day of known level, divided by its mean.
        func mean(_ name: String, _ chosen: [Double], chance: Double) {
            guard !chosen.isEmpty else { return }
            let value = chosen.reduce(0, +) / Double(chosen.count)
            let error = ((value * chance + value * value / shape) / Double(chosen.count)).squareRoot()
            all.append(Parameter(name, value, Normal.interval(ofCounts: value, error: error, factor: factor)))
        }
        for weekday in 0..<7 {
            mean(
                "ordersPerDay.\(Weekday.short[weekday])",
                days.filter { counts.weekday($0) == weekday }.map { totals[$0] }, chance: 1)
        }
        let chance = chanceInHours
        for hour in 0..<24 where days.contains(where: { counts(hours, $0, hour) > 0 }) {
            mean(
                "ordersPerHour.\(hour < 10 ? "0" : "")\(hour)",
                days.filter { opening.isOpen(counts.weekday($0), hour: hour) }.map { counts(hours, $0, hour) },
                chance: chance)
        }
        if shape.isFinite {
            all.append(Parameter("level.shape", shape, law.intervalOfShape))
        }
        if let interval = law.shortGaps.interval {
            all.append(Parameter("spacing.seconds", law.shortGaps.spacing, interval))
        }
        return all
    }

    /// The variance of an hour's count within a day of known level, divided by its mean: 1 if chance alone makes it,
    /// and more if orders come in bursts.
    private var chanceInHours: Double {
        var squares = 0.0
        var expected = 0.0
        var ofLevel = 0.0
        var cells = 0.0
        let perHour = counts.bins / 24
        for day in openDays {
            let weekday = counts.weekday(day)
            for hour in 0..<24 where opening.isOpen(weekday, hour: hour) {
                let share = rates.shares[weekday][hour * perHour..<(hour + 1) * perHour].reduce(0, +)
                let mean = share * rates.totals[weekday]
                squares += pow(counts(hours, day, hour) - mean, 2)
                expected += mean
                ofLevel += mean * mean / law.shape
                cells += 1
            }
        }
        // 31 means were estimated, of 24 hours and 7 weekdays.
        guard expected > 0, cells > 62 else { return 1 }
        return max(1, (squares * cells / (cells - 31) - ofLevel) / expected)
    }

    private func counts(_ hours: DayCounts, _ day: Int, _ hour: Int) -> Double { hours.counts[day * 24 + hour] }
}

extension OpeningHours {
    /// Whether any bin of an hour is open.
    func isOpen(_ weekday: Int, hour: Int) -> Bool {
        let perHour = mask[weekday].count / 24
        return (hour * perHour..<(hour + 1) * perHour).contains { mask[weekday][$0] }
    }
}

extension Parameter {
    /// The mean of some whole numbers, given by how often each occurs.
    static func mean(_ name: String, of counts: [Int: Int]) -> Parameter? {
        let number = Double(counts.reduce(0) { $0 + $1.value })
        guard number > 1 else { return nil }
        let mean = counts.reduce(0) { $0 + Double($1.key) * Double($1.value) } / number
        let squares = counts.reduce(0) { $0 + pow(Double($1.key) - mean, 2) * Double($1.value) }
        let error = (squares / (number - 1) / number).squareRoot()
        let half = StudentT.halfWidth(confidence: 0.95, degrees: Int(number) - 1) * error
        return Parameter(name, mean, mean - half...mean + half)
    }
}
