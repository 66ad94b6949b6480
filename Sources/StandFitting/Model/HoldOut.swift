import Platform
import TextFormats
import Tills

/// The quality of forecasts of the last part of a till's days, each from the days before it.
package struct HoldOut: Equatable, Sendable {
    package var days: Int
    package var orders: Int
    /// The log-likelihood of the hourly counts, divided by the number of orders.
    package var logLikelihoodPerOrder: Double
    /// The same for a constant rate in all hours that ever had an order.
    package var stationaryLogLikelihoodPerOrder: Double
    /// The share of days whose count lies in its 90% interval.
    package var coverage90: Double
    /// The model that forecast the last third of the days before best.
    package var model: String
}

extension HoldOut {
    private static let fewestDays = 7
    /// The number of days after which the memory is chosen again, from the days before.
    private static let daysBetweenChoices = 28

    /// - Parameter share: The share of the calendar days to forecast.
    init(_ history: History, share: Double) throws(TillError) {
        let all = history.counts.days
        let days = Int((Double(all) * share).rounded())
        let first = all - days
        guard days >= Self.fewestDays, first >= Self.fewestDays else {
            throw .badOption(
                "--hold-out must leave at least \(Self.fewestDays) days on either side, found \(max(0, first)) and "
                    + "\(days) of \(Columns.counted(all, "day"))")
        }
        func forecast(_ days: Range<Int>, _ model: Memory.Model) -> Sums {
            var sums = Sums()
            for start in stride(from: days.lowerBound, to: days.upperBound, by: Self.daysBetweenChoices) {
                let memory = Memory.best(model, history, days: start)
                let end = min(start + Self.daysBetweenChoices, days.upperBound)
                let forecasts = Forecasts(history, memory, days: end)
                sums.add(forecasts, history, start..<end, Self.halfLife(ofShape: forecasts, history, start))
            }
            return sums
        }
        // The level must win by more than one standard error, because it has more parameters.
        let trial = first - first / 3..<first
        let model: Memory.Model =
            areBetter(forecast(trial, .level).byDay, than: forecast(trial, .weekdays).byDay) ? .level : .weekdays
        let sums = forecast(first..<all, model)
        self.init(
            days: days, orders: Int(sums.orders),
            logLikelihoodPerOrder: sums.byDay.reduce(0, +) / max(sums.orders, 1),
            stationaryLogLikelihoodPerOrder: sums.stationary / max(sums.orders, 1),
            coverage90: Double(sums.hits) / Double(days), model: model.rawValue)
    }

    /// The half-life that gives the best forecasts of the days up to `end`.
    private static func halfLife(ofShape forecasts: Forecasts, _ history: History, _ end: Int) -> Double {
        let start = min(28, end / 3)
        var best = (halfLife: Double.infinity, sum: -Double.infinity)
        for halfLife in Memory.halfLives {
            var running = RunningShape(halfLife: halfLife)
            var sum = 0.0
            for day in 0..<end where !history.isClosed[day] && forecasts.means[day] > 0 {
                let count = history.totals[day]
                let mean = forecasts.means[day]
                if day >= start + start / 2 {
                    sum += CountLaw.logLikelihood(count, mean: mean, shape: running.shape)
                }
                if day >= start { running.add(count: count, mean: mean) }
            }
            if sum > best.sum { best = (halfLife, sum) }
        }
        return best.halfLife
    }

    /// Sums over the days forecast so far.
    private struct Sums {
        var orders = 0.0
        var byDay: [Double] = []
        var stationary = 0.0
        var hits = 0

        /// Compares the counts of some days with their forecasts.
        ///
        /// - Parameter halfLife: The half-life in days for the shape of the law of days.
        mutating func add(_ forecasts: Forecasts, _ history: History, _ days: Range<Int>, _ halfLife: Double) {
            let counts = history.counts
            let totals = history.totals
            var running = RunningShape(halfLife: halfLife)
            var closed = [Double](repeating: 0, count: 7)
            var seen = [Double](repeating: 0, count: 7)
            let hours = Double(counts.totalsByBin.count { $0 > 0 })
            var before = 0.0
            for day in 0..<days.upperBound {
                let weekday = counts.weekday(day)
                let mean = max(forecasts.means[day], 0.01)
                if days.contains(day) {
                    // The logarithms of the factorials of the counts: a term that no forecast changes.
                    let orders = counts.counts(on: day).reduce(0) { $0 + lgamma($1 + 1) }
                    // Whether the shop is closed is not known before the day, so it has a probability.
                    let chanceClosed = (closed[weekday] + 0.1) / (seen[weekday] + 1)
                    judge(
                        totals[day], mean, running.shape, inHours: forecasts.hours[day] - orders,
                        chanceClosed: chanceClosed)
                    let rate = max(before / Double(day) / hours, 1e-9)
                    stationary += totals[day] * log(rate) - rate * hours - orders
                }
                seen[weekday] += 1
                if history.isClosed[day] {
                    closed[weekday] += 1
                } else if forecasts.means[day] > 0, day >= min(28, days.lowerBound / 3) {
                    running.add(count: totals[day], mean: mean)
                }
                before += totals[day]
            }
        }

        /// - Parameter inHours: The log-likelihood of the hours of the orders, given their number.
        private mutating func judge(
            _ count: Double, _ mean: Double, _ shape: Double, inHours: Double, chanceClosed: Double
        ) {
            let likelihood = CountLaw.logLikelihood(count, mean: mean, shape: shape) + inHours
            byDay.append(
                count > 0
                    ? log1p(-chanceClosed) + likelihood : log(chanceClosed + (1 - chanceClosed) * exp(likelihood)))
            if CountLaw.interval90(mean, shape, chanceOfNone: chanceClosed).contains(Int(count)) { hits += 1 }
            orders += count
        }
    }
}
