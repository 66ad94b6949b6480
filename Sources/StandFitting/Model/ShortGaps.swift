import Platform
import TextFormats
import Tills

/// The effect of an order on the time after it.
///
/// A till takes one order at a time, so it may have fewer gaps under a minute than independent customers would leave.
/// People who come together cause more of them. A spacing or followers give the stand the till's share of these gaps.
///
/// The base rate holds outside the spacing and without followers. It is higher than the counted rate with a spacing,
/// and lower with followers.
struct ShortGaps: Equatable, Sendable {
    /// The seconds after an order in which no other comes.
    private(set) var spacing = 0.0
    /// Orders per second added to the base rate for `lasting` seconds after an order.
    private(set) var followers = 0.0
    private(set) var lasting = minute
    /// The 95% interval of ``spacing`` or ``followers``.
    private(set) var interval = 0.0...0.0

    /// The probability that an order has a follower within ``lasting``, if followers come at this rate.
    func followed(_ perSecond: Double) -> Double { 1 - exp(-perSecond * lasting) }

    private static let minute = 60.0
    private static let spacings = 0.0...59.0
    private static let rates = 0.0...1.0
    private static let lengths = minute...5 * minute

    private init() {}
}

// MARK: - Fitting

extension ShortGaps {
    /// The gaps between the orders of a day, on the till's clock.
    struct Counts {
        private(set) var all = 0.0
        private(set) var underMinute = 0.0
        private(set) var underFive = 0.0

        mutating func add(_ seconds: Double) {
            all += 1
            if seconds < minute { underMinute += 1 }
            if seconds < 5 * minute { underFive += 1 }
        }
    }

    /// The orders of open days and their mean rates. They give the expected shares of short gaps.
    struct Orders {
        private var parts: [(orders: Double, perSecond: Double)] = []
        private var orders = 0.0
        private let shape: Double
        /// Seconds.
        private let resolution: Double
        /// Up to this resolution one point per span is accurate enough.
        private static let fineResolution = 2.0

        /// - Parameter openDays: The number of open days of each weekday.
        init(_ rates: WeekRates, shape: Double, openDays: [Int], resolution: Int64) {
            self.shape = shape
            self.resolution = Double(resolution) / Double(DurationText.second)
            for weekday in 0..<7 where openDays[weekday] > 0 {
                let width = 86_400 / Double(rates.shares[weekday].count)
                for share in rates.shares[weekday] where share > 0 {
                    let count = share * rates.totals[weekday]
                    parts.append((Double(openDays[weekday]) * count, count / width))
                    orders += Double(openDays[weekday]) * count
                }
            }
        }

        /// The expected number of gaps per order that are shorter than `seconds` on the till's clock.
        func share(below seconds: Double, _ gaps: ShortGaps) -> Double {
            // On a clock with minutes a gap is short if both orders fall into the same minute. So its end is uniform
            // over a span of the clock's resolution. Gauss–Legendre quadrature with three points integrates over that
            // span.
            let end = resolution > 0 ? (seconds / resolution).rounded(.up) * resolution : seconds
            let start = max(0, end - resolution - gaps.spacing)
            let (middle, half) = ((end - gaps.spacing + start) / 2, (end - gaps.spacing - start) / 2)
            let points: [(Double, Double)] =
                resolution < Self.fineResolution
                ? [(middle, 1)]
                : [(middle - 0.774597 * half, 5.0 / 18), (middle, 8.0 / 18), (middle + 0.774597 * half, 5.0 / 18)]
            let reached = resolution > 0 ? 2 * half / resolution : 1
            var sum = 0.0
            for part in parts {
                let rate = gaps.outside(part.perSecond)
                var short = 0.0
                for (time, weight) in points { short += weight * (1 - chanceOfNone(rate, time, gaps)) }
                sum += part.orders * short * reached
            }
            return sum / orders
        }

        /// The probability that no order comes for some seconds after the spacing. It is a mean over orders, so busy
        /// days weigh more.
        private func chanceOfNone(_ rate: Double, _ seconds: Double, _ gaps: ShortGaps) -> Double {
            let expected = rate * seconds
            let none = shape.isFinite ? exp((-shape - 1) * log1p(expected / shape)) : exp(-expected)
            return gaps.followers > 0 ? none * exp(-gaps.followers * min(seconds, gaps.lasting)) : none
        }

        /// The index of dispersion of the number of orders at a constant rate: variance divided by mean.
        func dispersion(_ gaps: ShortGaps) -> Double {
            let more = exp(-gaps.followers * gaps.lasting)
            let sum = parts.reduce(0) { $0 + $1.orders * pow(1 - min(0.95, $1.perSecond * gaps.spacing), 2) }
            // Followers make groups whose size is geometric.
            return sum / orders * (2 - more) / more
        }
    }

    /// - Parameters:
    ///   - orderCount: The orders of the days of `counts`.
    ///   - lasting: The seconds in which followers come; nil to choose them.
    init(_ counts: Counts, _ orders: Orders, orderCount: Int, lasting: Double? = nil) {
        self.init()
        guard counts.all >= 100 else { return }
        // The last order of a day has no gap.
        let perGap = Double(orderCount) / counts.all
        let (observed, expected) = (counts.underMinute / counts.all, orders.share(below: Self.minute, self) * perGap)
        let difference = abs(observed - expected)
        let error = (expected * (1 - expected) / counts.all).squareRoot()
        // A small number of short gaps varies much by chance.
        guard difference > NormalLaw.z * error || (counts.underMinute >= 20 && difference > 0.05 * expected) else {
            return
        }
        func solve(
            _ share: Double, _ seconds: Double, _ value: WritableKeyPath<Self, Double>, _ range: ClosedRange<Double>
        )
            -> Double
        {
            var candidate = self
            return Self.root(range) {
                candidate[keyPath: value] = $0
                return orders.share(below: seconds, candidate) * perGap - share
            }
        }
        let half = NormalLaw.z * (max(observed, 1 / counts.all) * (1 - observed) / counts.all).squareRoot()
        let (least, most) = (max(0, observed - half), observed + half)
        if observed < expected {
            spacing = solve(observed, Self.minute, \.spacing, Self.spacings)
            interval =
                solve(most, Self.minute, \.spacing, Self.spacings)...solve(least, Self.minute, \.spacing, Self.spacings)
        } else {
            followers = solve(observed, Self.minute, \.followers, Self.rates)
            self.lasting = lasting ?? solve(counts.underFive / counts.all, 5 * Self.minute, \.lasting, Self.lengths)
            followers = solve(observed, Self.minute, \.followers, Self.rates)
            interval =
                solve(least, Self.minute, \.followers, Self.rates)...solve(most, Self.minute, \.followers, Self.rates)
        }
    }

    /// The root of a monotone function; without one, the end of the range where it is nearer to 0. Source: Dowell and
    /// Jarratt, "A modified regula falsi method for computing the root of an equation", BIT 11 (1971).
    private static func root(_ range: ClosedRange<Double>, _ function: (Double) -> Double) -> Double {
        var (a, b) = (range.lowerBound, range.upperBound)
        var (atA, atB) = (function(a), function(b))
        guard atA * atB < 0 else { return abs(atA) <= abs(atB) ? a : b }
        for _ in 0..<60 where abs(b - a) > 1e-6 * abs(range.upperBound) {
            let c = b - atB * (b - a) / (atB - atA)
            let atC = function(c)
            if atC == 0 { return c }
            if atC * atB < 0 { (a, atA) = (b, atB) } else { atA /= 2 }
            (b, atB) = (c, atC)
            if abs(atC) < 1e-9 { break }
        }
        return b
    }

    /// The base rate that gives a mean rate.
    func outside(_ perSecond: Double) -> Double {
        // Without a lower bound, a rate near 1 / spacing would give an infinite base rate.
        if spacing > 0 { return perSecond / max(0.05, 1 - perSecond * spacing) }
        guard followers > 0, perSecond > 0 else { return perSecond }
        var rate = perSecond
        for _ in 0..<4 {
            // The mean gap is the inverse of the mean rate. A gap ends within `lasting`, or after it.
            let both = rate + followers
            let none = exp(-both * lasting)
            rate = perSecond * (rate * (1 - none) / both + none)
        }
        return rate
    }
}

extension ShortGaps.Counts {
    /// Counts the gaps of some days.
    ///
    /// - Parameter counts: Whether a day counts, given its number since 1970.
    init(_ till: Till, where counts: (Int) -> Bool) {
        for (order, next) in zip(till.orders, till.orders.dropFirst()) {
            let day = Till.day(of: order.time)
            guard Till.day(of: next.time) == day, counts(day) else { continue }
            add(Double(next.time - order.time) / Double(DurationText.second))
        }
    }
}
