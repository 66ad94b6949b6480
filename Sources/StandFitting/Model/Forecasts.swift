import Platform

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
    init(_ counts: DayCounts, isClosed: [Bool], _ memory: Memory, days: Int) {
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
            if !isClosed[day] { week.add(today, weekday: weekday) }
            week.endDay()
        }
    }

    /// The logarithm of the probability of a day's hourly counts, without the terms that no model changes.
    func logLikelihood(_ day: Int, count: Double, shape: Double) -> Double {
        hours[day] + CountLaw.logLikelihood(count, mean: means[day], shape: shape)
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

extension Memory {
    /// Memories chosen by the likelihood of their forecasts of each day from the days before.
    struct Choice {
        /// The longest memory with a log-likelihood within one standard error of the best. It describes the days more
        /// simply than the best one.
        var simplest: Memory
        /// The best memory that weighs all days equally.
        var ofAll: Memory
    }

    /// - Parameter days: Only days before this one count.
    static func best(
        _ model: Model, _ counts: DayCounts, isClosed: [Bool], totals: [Double], days: Int
    ) -> Memory {
        let choices = model.choices
        let scores = scores(choices, counts, isClosed: isClosed, totals: totals, days: days)
        guard let scores else { return .standard }
        let sums = scores.map { $0.reduce(0, +) }
        return choices[sums.indices.max { sums[$0] < sums[$1] } ?? 0]
    }

    /// The log-likelihood of each day's forecast by each of some memories; nil if there are too few days.
    private static func scores(
        _ choices: [Memory], _ counts: DayCounts, isClosed: [Bool], totals: [Double], days: Int
    ) -> [[Double]]? {
        let first = min(28, days / 3)
        let judged = (first..<max(first, days)).filter { !isClosed[$0] }
        guard judged.count >= 10 else { return nil }
        return choices.map { memory in
            let forecasts = Forecasts(counts, isClosed: isClosed, memory, days: days)
            let likelihood = ShapeLikelihood(
                judged.map { .init(count: totals[$0], mean: forecasts.means[$0]) })
            let shape = likelihood.maximum(steps: 16)
            return judged.map { forecasts.logLikelihood($0, count: totals[$0], shape: shape) }
        }
    }

    /// - Parameter days: Only days before this one count.
    static func choose(_ counts: DayCounts, isClosed: [Bool], totals: [Double], days: Int) -> Choice {
        guard let scores = scores(choices, counts, isClosed: isClosed, totals: totals, days: days) else {
            return Choice(simplest: .standard, ofAll: .standard)
        }
        let sums = scores.map { $0.reduce(0, +) }
        func best(_ indices: Range<Int>) -> Int { indices.max { sums[$0] < sums[$1] } ?? 0 }
        let top = best(choices.indices)
        let perHalfLife = choices.count / halfLives.count
        let ofHalfLives = halfLives.indices.map { best($0 * perHalfLife..<($0 + 1) * perHalfLife) }
        let simplest = ofHalfLives.first { candidate in
            let gaps = zip(scores[top], scores[candidate]).map { $0 - $1 }
            let mean = gaps.reduce(0, +) / Double(gaps.count)
            let squares = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return mean * Double(gaps.count) <= squares.squareRoot()
        }
        return Choice(simplest: choices[simplest ?? top], ofAll: choices[ofHalfLives[0]])
    }
}
