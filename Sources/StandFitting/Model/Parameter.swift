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
        (self.name, self.value, low, high) = (name, value, interval.lowerBound, interval.upperBound)
    }
}

extension WeekModel {
    /// Mean orders by weekday and by hour, as counted, and the shape of the law of days.
    var parameters: [Parameter] {
        var all: [Parameter] = []
        let days = openDays
        let weights = days.map { memory.weight(age: counts.days - 1 - $0) }
        let effective = pow(weights.reduce(0, +), 2) / weights.reduce(0) { $0 + $1 * $1 }
        let factor = shape.isFinite && effective > 10 ? NormalLaw.t(degrees: effective - 7) / NormalLaw.z : 1
        func mean(_ name: String, _ chosen: [(value: Double, weight: Double)]) {
            let weight = chosen.reduce(0) { $0 + $1.weight }
            guard weight > 0 else { return }
            let value = chosen.reduce(0) { $0 + $1.value * $1.weight } / weight
            let squares = chosen.reduce(0) { $0 + $1.weight * $1.weight }.squareRoot()
            let error = CountLaw.deviation(mean: value, shape: shape) * squares / weight
            all.append(Parameter(name, value, NormalLaw.interval(ofCounts: value, error: error, factor: factor)))
        }
        for weekday in 0..<7 {
            mean(
                "ordersPerDay.\(Weekday.short[weekday])",
                zip(days, weights).filter { counts.weekday($0.0) == weekday }.map { (totals[$0], $1) })
        }
        for hour in 0..<24 where days.contains(where: { counts(hours, $0, hour) > 0 }) {
            mean(
                "ordersPerHour.\(hour < 10 ? "0" : "")\(hour)",
                zip(days, weights).filter { opening.isOpen(counts.weekday($0.0), hour: hour) }
                    .map { (counts(hours, $0, hour), $1) })
        }
        if shape.isFinite {
            all.append(Parameter("level.shape", shape, shapeLikelihood.interval(around: shape)))
        }
        if spacing != .none { all.append(Parameter("spacing.seconds", spacing.seconds, spacing.interval)) }
        return all
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

/// The names of weekdays, from Monday.
enum Weekday {
    static let short = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    static let long = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}

extension Parameter {
    /// The mean of some whole numbers, given by how often each occurs.
    static func mean(_ name: String, of counts: [Int: Int]) -> Parameter? {
        let number = Double(counts.reduce(0) { $0 + $1.value })
        guard number > 1 else { return nil }
        let mean = counts.reduce(0) { $0 + Double($1.key) * Double($1.value) } / number
        let squares = counts.reduce(0) { $0 + pow(Double($1.key) - mean, 2) * Double($1.value) }
        let half = NormalLaw.t(degrees: number - 1) * (squares / (number - 1) / number).squareRoot()
        return Parameter(name, mean, mean - half...mean + half)
    }
}
