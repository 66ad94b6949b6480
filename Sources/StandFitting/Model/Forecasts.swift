import JuiceStand
import Platform

/// The days of a till, from which the days after them are forecast.
struct History {
    /// The counts by hour.
    let counts: DayCounts
    let isClosed: [Bool]
    /// The orders of each day.
    let totals: [Double]

    init(_ counts: DayCounts, isClosed: [Bool]) {
        self.counts = counts
        self.isClosed = isClosed
        totals = counts.totals
    }
}

/// Forecasts of the hourly counts of each day from the days before it.
struct Forecasts {
    /// Orders that are spread over all hours, so that an order in a new hour is a surprise and not impossible.
    private static let spread = 0.5

    /// The mean count of each day if it is open; 0 before the first open day.
    private(set) var means: [Double]
    /// The sum over a day's orders of the logarithm of the share of its hour. All hours are alike before the first open
    /// day.
    private(set) var hours: [Double]

    /// - Parameter days: The forecasts end before this day.
    init(_ history: History, _ memory: Memory, days: Int) {
        let counts = history.counts
        means = [Double](repeating: 0, count: days)
        hours = means
        var week = RunningWeek(bins: counts.bins, memory: memory)
        var shares = [Double](repeating: 1 / Double(counts.bins), count: counts.bins)
        for day in 0..<days {
            let weekday = counts.weekday(day)
            let today = counts.counts(on: day)
            if !week.isEmpty {
                means[day] = week.total(weekday)
                week.shares(weekday, spread: Self.spread, into: &shares)
            }
            for (count, share) in zip(today, shares) where count > 0 { hours[day] += count * log(share) }
            if !history.isClosed[day] { week.add(today, weekday: weekday) }
            week.endDay()
        }
    }
}

/// The shape of the gamma law of days so far, by maximum likelihood among a list of shapes. Recent days weigh more.
struct RunningShape {
    private static let shapes: [Double] = (0..<36).map { 0.3 * pow(1.25, Double($0)) } + [.infinity]

    private let keep: Double
    private var logs = [Double](repeating: 0, count: Self.shapes.count)

    init(halfLife: Double) { keep = halfLife.isInfinite ? 1 : exp2(-1 / halfLife) }

    mutating func add(count: Double, mean: Double) {
        for index in logs.indices {
            logs[index] =
                logs[index] * keep + CountLaw.logLikelihood(count, mean: mean, shape: Self.shapes[index])
        }
    }

    var shape: Double { Self.shapes[logs.indices.max { logs[$0] < logs[$1] } ?? 0] }
}

/// Whether one model's forecasts of some days are better than another's, by more than one standard error.
///
/// - Parameters:
///   - scores: The log-likelihood of each day.
///   - others: The same of the other model.
func areBetter(_ scores: [Double], than others: [Double]) -> Bool {
    let gains = Moments(zip(scores, others).map { $0 - $1 })
    let days = Double(gains.count)
    return days > 0 && gains.mean * days > (gains.variance * (days - 1)).squareRoot()
}

extension Memory {
    /// Memories chosen by the likelihood of their forecasts of each day from the days before.
    struct Choice {
        /// The longest memory that is within one standard error of the best. It describes the days more simply than the
        /// best one.
        var simplest: Memory
        /// The best memory that weighs all days equally.
        var ofAll: Memory
    }

    /// The memory with the best forecasts; the standard one if there are too few days.
    ///
    /// - Parameter days: Only days before this one count.
    static func best(_ model: Model, _ history: History, days: Int) -> Memory {
        let choices = model.choices
        let scores = scores(choices, history, days: days)
        return scores.isEmpty ? .standard : choices[best(choices.indices, scores)]
    }

    static func choose(_ history: History) -> Choice {
        let scores = scores(choices, history, days: history.counts.days)
        guard !scores.isEmpty else { return Choice(simplest: .standard, ofAll: .standard) }
        let perHalfLife = choices.count / halfLives.count
        let ofHalfLives = halfLives.indices.map { best($0 * perHalfLife..<($0 + 1) * perHalfLife, scores) }
        let top = best(choices.indices, scores)
        let simplest = ofHalfLives.first { !areBetter(scores[top], than: scores[$0]) }
        return Choice(simplest: choices[simplest ?? top], ofAll: choices[ofHalfLives[0]])
    }

    /// The index of the memory with the greatest likelihood of all days.
    private static func best(_ places: Range<Int>, _ scores: [[Double]]) -> Int {
        let sums = scores.map { $0.reduce(0, +) }
        return places.max { sums[$0] < sums[$1] } ?? 0
    }

    /// The log-likelihood of each day's forecast by each of some memories; empty if there are too few days.
    private static func scores(_ choices: [Memory], _ history: History, days: Int) -> [[Double]] {
        let first = min(28, days / 3)
        let judged = (first..<max(first, days)).filter { !history.isClosed[$0] }
        guard judged.count >= 10 else { return [] }
        return choices.map { memory in
            let forecasts = Forecasts(history, memory, days: days)
            let likelihood = ShapeLikelihood(
                judged.map { .init(count: history.totals[$0], mean: forecasts.means[$0]) })
            let shape = likelihood.maximum(steps: 16)
            return judged.map { day in
                forecasts.hours[day]
                    + CountLaw.logLikelihood(history.totals[day], mean: forecasts.means[day], shape: shape)
            }
        }
    }
}
