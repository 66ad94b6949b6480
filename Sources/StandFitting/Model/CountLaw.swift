import JuiceStand
import Platform

/// The law of a day's count: Poisson, or Poisson with a mean that a gamma variable of mean 1 multiplies.
package enum CountLaw {
    /// The counts from the 5% to the 95% point.
    ///
    /// - Parameters:
    ///   - shape: The shape of the gamma variable; infinite for Poisson.
    ///   - chanceOfNone: The probability that the count is 0 for another reason.
    package static func interval90(_ mean: Double, _ shape: Double, chanceOfNone: Double) -> ClosedRange<Int> {
        var sum = 0.0
        var low: Int?
        var count = 0
        while count < 10_000_000 {
            let n = Double(count)
            let probability = exp(logLikelihood(n, mean: mean, shape: shape) - lgamma(n + 1))
            sum += probability
            let reached = chanceOfNone + (1 - chanceOfNone) * sum
            if low == nil, reached >= 0.05 { low = count }
            if reached >= 0.95 { return (low ?? count)...count }
            count += 1
            // Rounding keeps the sum of many tiny probabilities below 95%.
            if n > mean + 1, probability < 1e-17 { break }
        }
        return (low ?? 0)...max(low ?? 0, count)
    }

    /// The logarithm of the probability of `count`, without the term −log(`count`!), which no parameter changes.
    ///
    /// - Parameter shape: The shape of the gamma variable; infinite for Poisson.
    package static func logLikelihood(_ count: Double, mean: Double, shape: Double) -> Double {
        guard shape < 1e7 else { return (count > 0 ? count * log(mean) : 0) - mean }
        let powers = shape * log(shape) - (count + shape) * log(shape + mean) + (count > 0 ? count * log(mean) : 0)
        return lgamma(count + shape) - lgamma(shape) + powers
    }
}

/// The shape of the gamma law of days, by maximum likelihood.
///
/// The likelihood is that of counts with given means. The means were estimated from the same counts, which would make
/// the shape too large. So half the logarithm of the information about each mean is subtracted, times the leverage of
/// its days: means that are drawn toward each other are fewer than one for each weekday. Source: Cox and Reid,
/// "Parameter orthogonality and approximate conditional inference", JRSS B 49 (1987).
package struct ShapeLikelihood {
    package struct Day {
        var count: Double
        var mean: Double
        /// How much the mean depends on the count: 1 for the mean of this day alone, 0 for a mean of other days.
        var leverage: Double

        package init(count: Double, mean: Double, leverage: Double = 0) {
            self.count = count
            self.mean = mean
            self.leverage = leverage
        }
    }

    /// The range of the logarithm of the shape.
    static let range = log(0.05)...log(1e5)

    /// Days with the same mean.
    private struct Mean {
        var mean: Double
        var days = 0.0
        var orders = 0.0
        var leverage = 0.0
    }

    private var means: [Mean] = []
    /// The different counts in order, and the number of days with each or a greater one.
    private var steps: [(count: Int, days: Double)] = []
    private var days = 0.0

    init(_ days: [Day]) {
        var places: [Double: Int] = [:]
        var counts: [Int] = []
        for day in days where day.mean > 0 {
            let place = places[day.mean] ?? means.count
            if place == means.count {
                places[day.mean] = place
                means.append(Mean(mean: day.mean))
            }
            means[place].days += 1
            means[place].orders += day.count
            means[place].leverage += day.leverage
            counts.append(Int(day.count))
        }
        self.days = Double(counts.count)
        counts.sort()
        for (index, count) in counts.enumerated() where count > steps.last?.count ?? 0 {
            steps.append((count, Double(counts.count - index)))
        }
    }

    func callAsFunction(_ logShape: Double) -> Double {
        let shape = exp(logShape)
        var sum = days * shape * logShape + logsOfGamma(shape)
        for mean in means {
            sum -= (mean.orders + mean.days * shape) * log(shape + mean.mean)
            sum -= 0.5 * mean.leverage * log(mean.days * mean.mean * shape / (shape + mean.mean))
        }
        return sum
    }

    /// The sum of log Γ(count + `shape`) − log Γ(`shape`) over the days.
    private func logsOfGamma(_ shape: Double) -> Double {
        var sum = 0.0
        var last = 0
        for step in steps {
            if step.count - last > 32 {
                sum += step.days * (lgamma(Double(step.count) + shape) - lgamma(Double(last) + shape))
            } else {
                // Γ(x + 1) = x Γ(x), which takes fewer logarithms.
                var product = 1.0
                for count in last..<step.count { product *= Double(count) + shape }
                sum += step.days * log(product)
            }
            last = step.count
        }
        return sum
    }

    /// The shape of greatest likelihood.
    ///
    /// - Parameter steps: See ``goldenMaximum(_:steps:_:)``.
    func maximum(steps: Int = 32) -> Double { exp(goldenMaximum(Self.range, steps: steps) { self($0) }) }

    /// The shapes whose likelihood is near enough to the greatest for 95% confidence.
    func interval(around shape: Double) -> ClosedRange<Double> {
        let top = self(log(shape))
        func isNear(_ other: Double) -> Bool { top - self(other) <= Normal.halfOfChiSquare }
        let least = Self.range.lowerBound
        let most = Self.range.upperBound
        let low = isNear(least) ? least : bisection(least...log(shape), steps: 40) { !isNear($0) }
        let high = isNear(most) ? most : bisection(log(shape)...most, steps: 40, while: isNear)
        return exp(low)...exp(high)
    }
}
