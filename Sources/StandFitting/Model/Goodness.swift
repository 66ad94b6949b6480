import JuiceStand
import Platform
import TextFormats
import Tills

/// Tests whether orders could have come from the fitted week, with p-values from a parametric bootstrap.
///
/// Every statistic is computed again for days drawn from the fitted law and fitted anew. So the p-values allow for the
/// parameters having been estimated. Source: Stute, González Manteiga and Presedo Quindimil, "Bootstrap based
/// goodness-of-fit tests", Metrika 40 (1993).
///
/// The tests condition on the number of orders of each day. Given that number, the orders of a Poisson process are
/// independent, so that they say nothing about the level of the day. Source: Kim and Whitt, "Are call center and
/// hospital arrivals well modeled by nonhomogeneous Poisson processes?", M&SOM 16 (2014). As they advise, an order with
/// a rounded time gets a random time within the rounding.
package struct Goodness: Sendable {
    package struct Test: Equatable, Sendable {
        package var name: String
        package var statistic: Double
        package var p: Double
        /// The number of orders, gaps, hours or days that the test looks at.
        package var n: Int
    }

    static let names = ["rescaledGaps", "timesOfDay", "hours", "days", "independence"]
    /// The statistics that depend on the share of followers, which is too uncertain for a test.
    private static let ofFollowers: Set = ["rescaledGaps", "hours", "independence"]
    /// The statistics that cast doubt only if they are large. A spread or a correlation also does if it is small.
    private static let distances: Set = ["rescaledGaps", "timesOfDay"]
    static let samples = 199
    /// The tests use the latest days, up to this number of orders. More would only take time.
    static let mostOrders = 10_000

    package private(set) var tests: [Test] = []
    /// The number of days that the tests look at.
    package private(set) var days = 0

    private let model: WeekModel
    private var random: RandomStream

    init(_ model: WeekModel, _ till: Till, samples: Int = Goodness.samples) {
        self.model = model
        // Each till draws its own samples. Shared samples would give every fit the same error.
        var times = Fingerprint()
        for order in till.orders.suffix(Self.mostOrders) {
            times.combine((0..<8).map { UInt8(truncatingIfNeeded: order.time >> (8 * $0)) })
        }
        var streams = RandomStreams(seed: times.value)
        random = streams.stream(named: "goodness")
        let sample = observed(till)
        days = sample.days.count
        guard sample.orders >= 10 else { return }
        let fit = Fit(sample, model)
        let found = sample.statistics(fit)
        var above = [Int](repeating: 0, count: found.values.count)
        var below = above
        for _ in 0..<samples {
            let drawn = draw(sample, fit)
            let values = drawn.statistics(Fit(drawn, model)).values
            for (index, value) in values.enumerated() {
                if value >= found.values[index] { above[index] += 1 }
                if value <= found.values[index] { below[index] += 1 }
            }
        }
        for (index, name) in Self.names.enumerated() where found.n[index] > 0 && isTested(name, till) {
            let upper = Double(above[index] + 1) / Double(samples + 1)
            let lower = Double(below[index] + 1) / Double(samples + 1)
            let p = Self.distances.contains(name) ? upper : min(1, 2 * min(upper, lower))
            tests.append(Test(name: name, statistic: found.values[index], p: p, n: found.n[index]))
        }
    }
}

// MARK: - Samples

extension Goodness {
    /// Whether the p-value of a statistic is uniform for tills of the fitted law.
    private func isTested(_ name: String, _ till: Till) -> Bool {
        let gaps = model.law.shortGaps
        if gaps.share > 0 { return !Self.ofFollowers.contains(name) }
        // Times drawn at random within a longer resolution may be closer together than the spacing.
        let isHidden = Double(till.resolution) / Double(DurationText.second) > gaps.spacing
        return !(name == "rescaledGaps" && gaps.spacing > 0 && isHidden)
    }

    /// The orders of some days, observed or drawn.
    struct Sample {
        struct Day {
            var weekday: Int
            /// The time of day of each order, in bins, sorted.
            var times: [Double]
        }

        var days: [Day] = []
        /// The resolution of the till's clock in nanoseconds; 0 if its times are exact.
        let resolution: Int64
        let bins: Int

        var orders: Int { days.reduce(0) { $0 + $1.times.count } }

        fileprivate func gaps(_ rates: WeekRates) -> GapCounts {
            var counts = GapCounts(resolution: resolution)
            let seconds = 86_400 / Double(bins)
            for day in days { counts.add(day.times.map { $0 * seconds }, rates.shares[day.weekday]) }
            return counts
        }
    }

    /// The rates and the law of days, fitted to a sample as they were fitted to the till.
    struct Fit {
        let rates: WeekRates
        let law: DayLaw
        /// By weekday: the share of orders before each bin, with 1 at the end.
        let cumulative: [[Double]]
        /// The same for the base rates, which hold outside the spacing and without followers.
        let outside: [[Double]]
        /// By weekday, the orders of a day if only the base rates held.
        let totalsOutside: [Double]
        /// The delay of followers, in seconds.
        let delay: Distribution
        /// The spacing, in bins.
        let spacing: Double

        init(_ sample: Sample, _ model: WeekModel) {
            var week = RunningWeek(bins: sample.bins, memory: model.memory)
            var counts = [Double](repeating: 0, count: sample.bins)
            for day in sample.days {
                for index in counts.indices { counts[index] = 0 }
                for time in day.times { counts[Int(time)] += 1 }
                week.add(counts[...], weekday: day.weekday)
            }
            let rates = WeekRates(week, model.opening, isFlat: !model.restriction.allowsHours)
            self.rates = rates
            cumulative = rates.shares.map(Self.cumulative)
            // Whether there is a level is decided anew for each sample, too, unless the till has more days to decide
            // it.
            let isWhole = sample.days.count == model.openDays.count
            let gaps = model.law.shortGaps.refitted(sample.gaps(rates))
            law = DayLaw(
                of: sample.days.map { ($0.weekday, Double($0.times.count)) }, rates, gaps, model.restriction,
                p: isWhole ? nil : model.law.dispersion.p, steps: 20)
            let seconds = 86_400 / Double(sample.bins)
            spacing = gaps.spacing / seconds
            delay = gaps.delay.law
            let perBin = (0..<7).map { weekday in
                rates.shares[weekday].map { gaps.outside($0 * rates.totals[weekday] / seconds) * seconds }
            }
            totalsOutside = perBin.map { $0.reduce(0, +) }
            outside = zip(perBin, totalsOutside).map { counts, total in
                Self.cumulative(counts.map { total > 0 ? $0 / total : 0 })
            }
        }

        /// The sum of the shares before each bin, with 1 at the end.
        private static func cumulative(_ shares: [Double]) -> [Double] {
            var sum = 0.0
            return shares.map { share in
                defer { sum += share }
                return sum
            } + [1]
        }

        /// The share of the orders before a time of day, in bins.
        static func share(before position: Double, _ cumulative: [Double]) -> Double {
            let bin = Int(position)
            guard bin < cumulative.count - 1 else { return 1 }
            return cumulative[bin] + (position - Double(bin)) * (cumulative[bin + 1] - cumulative[bin])
        }
    }

    /// Days like those of `sample`, drawn from a fitted law.
    private mutating func draw(_ sample: Sample, _ fit: Fit) -> Sample {
        var drawn = Sample(resolution: sample.resolution, bins: sample.bins)
        for day in sample.days {
            let shape = fit.law.levelShape
            let level = shape.isFinite ? Distribution.gamma(shape: shape, mean: 1).sample(using: &random) : 1
            let mean = fit.totalsOutside[day.weekday] * level
            let times = mean > 0 ? drawOrders(mean, fit, fit.outside[day.weekday]) : []
            drawn.days.append(.init(weekday: day.weekday, times: roundedToClock(times, of: sample)))
        }
        return drawn
    }

    /// Draws the orders of a day.
    ///
    /// - Parameter mean: The orders of the day if only the base rates held.
    private mutating func drawOrders(_ mean: Double, _ fit: Fit, _ cumulative: [Double]) -> [Double] {
        let bins = cumulative.count - 1
        let seconds = 86_400 / Double(bins)
        // The clock counts expected orders of the base rates, so the gaps on it are exponential.
        var clock = exponential() / mean
        var bin = 0
        var free = 0.0
        var followers: [Double] = []
        var times: [Double] = []
        while true {
            var next = Double(bins)
            if clock < 1 {
                while cumulative[bin + 1] <= clock { bin += 1 }
                let width = cumulative[bin + 1] - cumulative[bin]
                next = Double(bin) + min((clock - cumulative[bin]) / width, 1 - 1e-9)
            }
            if let index = followers.indices.min(by: { followers[$0] < followers[$1] }),
                case let due = max(followers[index], free), due < next
            {
                followers.remove(at: index)
                // Nobody follows into a closed bin.
                guard cumulative[Int(due) + 1] > cumulative[Int(due)] else { continue }
                next = due
            }
            guard next < Double(bins) else { return times }
            times.append(next)
            free = next + fit.spacing
            bin = Int(next)
            clock = Fit.share(before: free, cumulative) + exponential() / mean
            if fit.law.shortGaps.share > 0, random.uniform() < fit.law.shortGaps.share {
                followers.append(next + fit.delay.sample(using: &random) / seconds)
            }
        }
    }

    /// Times moved within the span that the till's clock shows for them, as ``observed(_:)`` does.
    private mutating func roundedToClock(_ times: [Double], of sample: Sample) -> [Double] {
        guard sample.resolution > 0 else { return times }
        let span = Double(sample.resolution) / Double(CalendarTime.day) * Double(sample.bins)
        let moved = times.map { time in
            min(((time / span).rounded(.down) + random.uniform()) * span, Double(sample.bins) - 1e-9)
        }
        return moved.sorted()
    }

    private mutating func exponential() -> Double { -log(random.positiveUniform()) }

    private mutating func observed(_ till: Till) -> Sample {
        let counts = model.counts
        var first = counts.days
        var orders = 0.0
        while first > 0, orders + model.totals[first - 1] <= Double(Self.mostOrders) || orders == 0 {
            first -= 1
            orders += model.totals[first]
        }
        var sample = Sample(resolution: till.resolution, bins: counts.bins)
        let width = CalendarTime.day / Int64(counts.bins)
        var next = till.orders.partitioningIndex { Till.day(of: $0.time) >= counts.firstDay + first }
        for day in first..<counts.days {
            let midnight = Int64(counts.firstDay + day) * CalendarTime.day
            let weekday = counts.weekday(day)
            var times: [Double] = []
            while next < till.orders.count, till.orders[next].time < midnight + CalendarTime.day {
                let ofDay = till.orders[next].time - midnight
                next += 1
                guard !model.isClosed[day], model.opening.mask[weekday][Int(ofDay / width)] else { continue }
                let moved = Double(ofDay) + random.uniform() * Double(max(till.resolution, 1))
                times.append(min(moved / Double(width), Double(counts.bins) - 1e-9))
            }
            if !model.isClosed[day] { sample.days.append(.init(weekday: weekday, times: times.sorted())) }
        }
        return sample
    }
}

// MARK: - Statistics

extension Goodness.Sample {
    private static let classes = 400

    /// The statistics in the order of ``Goodness/names``, and the number of observations of each.
    func statistics(_ fit: Goodness.Fit) -> (values: [Double], n: [Int]) {
        var gapClasses = [Int](repeating: 0, count: Self.classes)
        var timeClasses = gapClasses
        var gaps = 0
        var correlation = Correlation()
        var hourSum = 0.0
        var hours = 0
        var daySum = 0.0
        var dayCount = 0
        var uniform: [Double] = []
        var perHour = [Double](repeating: 0, count: 24)
        for day in days {
            let shares = fit.rates.shares[day.weekday]
            let cumulative = fit.cumulative[day.weekday]
            let mean = fit.rates.totals[day.weekday]
            guard mean > 0 else { continue }
            let count = Double(day.times.count)
            daySum += (count - mean) * (count - mean) / (mean + mean * mean / fit.law.shape)
            dayCount += 1
            uniform.removeAll(keepingCapacity: true)
            for index in perHour.indices { perHour[index] = 0 }
            let binsPerHour = shares.count / 24
            for time in day.times {
                let bin = Int(time)
                uniform.append(cumulative[bin] + (time - Double(bin)) * shares[bin])
                perHour[bin / binsPerHour] += 1
            }
            for end in uniform { timeClasses[min(Int(end * Double(Self.classes)), Self.classes - 1)] += 1 }
            addGaps(of: day, fit, uniform, &gapClasses, &correlation)
            if !day.times.isEmpty { gaps += day.times.count + 1 }
            for hour in 0..<24 {
                let expected = count * (cumulative[(hour + 1) * binsPerHour] - cumulative[hour * binsPerHour])
                guard expected > 0.2 else { continue }
                hourSum += (perHour[hour] - expected) * (perHour[hour] - expected) / expected
                hours += 1
            }
        }
        return (
            [
                Self.distance(gapClasses), Self.distance(timeClasses), hourSum / Double(max(hours, 1)),
                daySum / Double(max(dayCount, 1)), correlation.value,
            ], [gaps, orders, hours, dayCount, correlation.n]
        )
    }

    /// Adds the gaps of a day on the clock of the expected orders, each as the probability of a shorter gap.
    ///
    /// - Parameter shares: The share of orders before each order, sorted.
    private func addGaps(
        of day: Day, _ fit: Goodness.Fit, _ shares: [Double], _ classes: inout [Int], _ correlation: inout Correlation
    ) {
        guard !day.times.isEmpty else { return }
        var times = shares
        var open = 1.0
        if fit.spacing > 0 {
            // The clock stands still within the spacing.
            let cumulative = fit.outside[day.weekday]
            var last = 0.0
            var shift = 0.0
            for (index, time) in day.times.enumerated() {
                let now = max(last, Goodness.Fit.share(before: time, cumulative))
                times[index] = now + shift
                last = max(now, Goodness.Fit.share(before: time + fit.spacing, cumulative))
                shift -= last - now
            }
            open = max(1 + shift, 1e-9)
        }
        // The spacing of uniform points exceeds s with probability (1 − s)^n.
        var last = 0.0
        var before: Double?
        let count = times.count
        for place in 0...count {
            let end = place < count ? times[place] : open
            let v = 1 - exp(Double(count) * log(1 - min(max((end - last) / open, 0), 1 - 1e-12)))
            classes[min(Int(v * Double(Self.classes)), Self.classes - 1)] += 1
            if let before { correlation.add(before, v) }
            before = v
            last = end
        }
    }

    /// Kolmogorov and Smirnov's distance to the uniform law, times the root of the number.
    private static func distance(_ classes: [Int]) -> Double {
        let n = Double(classes.reduce(0, +))
        guard n > 0 else { return 0 }
        var sum = 0
        var most = 0.0
        for (index, count) in classes.enumerated() {
            sum += count
            most = max(most, abs(Double(sum) / n - Double(index + 1) / Double(classes.count)))
        }
        return most * n.squareRoot()
    }

    /// Pearson's correlation of pairs.
    private struct Correlation {
        private(set) var n = 0
        private var x = 0.0
        private var y = 0.0
        private var xx = 0.0
        private var yy = 0.0
        private var xy = 0.0

        mutating func add(_ a: Double, _ b: Double) {
            n += 1
            x += a
            y += b
            xx += a * a
            yy += b * b
            xy += a * b
        }

        var value: Double {
            let count = Double(n)
            let spread = ((xx - x * x / count) * (yy - y * y / count)).squareRoot()
            return n > 2 && spread > 0 ? (xy - x * y / count) / spread : 0
        }
    }
}
