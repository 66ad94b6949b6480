import Platform
import TextFormats
import Tills

/// The least time between two orders: a till takes one order at a time.
///
/// It shows in gaps under a minute, which are fewer than the rates lead to. The spacing is the one with which the expected
/// share of these gaps is that of the till. Rates apply outside the spacing, so they are higher than the counted ones.
struct Spacing: Equatable, Sendable {
    private(set) var seconds: Double
    private(set) var interval: ClosedRange<Double>

    static let none = Spacing(seconds: 0, interval: 0...0)

    /// Gaps are shorter than chance if chance gives as few short ones less often than once in 20 times.
    private static let z = 1.645
    private static let minute = 60.0

    private init(seconds: Double, interval: ClosedRange<Double>) {
        (self.seconds, self.interval) = (seconds, interval)
    }

    /// - Parameters:
    ///   - openDays: The number of open days of each weekday.
    ///   - weight: Of a day, counted from 1970, as for the rates; 0 if it is closed.
    init(_ till: Till, _ rates: WeekRates, shape: Double, openDays: [Int], weight: (Int) -> Double) {
        self = .none
        // Times in minutes do not show it.
        guard till.resolution < 60 * DurationText.second else { return }
        var (sum, squares, short) = (0.0, 0.0, 0.0)
        for (order, next) in zip(till.orders, till.orders.dropFirst()) {
            let day = Till.day(of: order.time)
            guard Till.day(of: next.time) == day else { continue }
            let weight = weight(day)
            sum += weight
            squares += weight * weight
            if next.time - order.time < 60 * DurationText.second { short += weight }
        }
        // As many gaps of equal weight would tell as much.
        let gaps = sum * sum / max(squares, 1e-300)
        guard gaps >= 100 else { return }
        // The last order of a day has no gap.
        let orders = (0..<7).reduce(0) { $0 + Double(openDays[$1]) * rates.totals[$1] }
        let all = max(1, orders - Double(openDays.reduce(0, +)))
        func share(_ spacing: Double) -> Double { Self.shortGaps(rates, shape, openDays, spacing) / all }
        let (observed, expected) = (short / sum, share(0))
        let error = (expected * (1 - expected) / gaps).squareRoot()
        guard observed < expected - Self.z * error else { return }
        func spacing(_ wanted: Double) -> Double {
            var (low, high) = (0.0, Self.minute)
            for _ in 0..<40 {
                let middle = (low + high) / 2
                if share(middle) > wanted { low = middle } else { high = middle }
            }
            return (low + high) / 2
        }
        let half = NormalLaw.z * (max(observed, 1 / gaps) * (1 - observed) / gaps).squareRoot()
        self = Spacing(
            seconds: spacing(observed), interval: spacing(observed + half)...spacing(max(0, observed - half)))
    }

    /// The expected number of gaps under a minute on all open days.
    private static func shortGaps(_ rates: WeekRates, _ shape: Double, _ openDays: [Int], _ spacing: Double) -> Double {
        var sum = 0.0
        for weekday in 0..<7 where openDays[weekday] > 0 {
            let shares = rates.shares[weekday]
            let width = 86_400 / Double(shares.count)
            for share in shares where share > 0 {
                let count = share * rates.totals[weekday]
                let rate = outside(count / width, spacing) * (minute - spacing)
                // The mean over the levels of days, of which busy ones have more orders.
                let none = shape.isFinite ? pow(1 + rate / shape, -shape - 1) : exp(-rate)
                sum += Double(openDays[weekday]) * count * (1 - none)
            }
        }
        return sum
    }

    /// The rate outside the spacing, for a mean rate.
    func outside(_ perSecond: Double) -> Double { Self.outside(perSecond, seconds) }

    private static func outside(_ perSecond: Double, _ spacing: Double) -> Double {
        // A rate near the greatest possible one would have no limit.
        perSecond / max(0.05, 1 - perSecond * spacing)
    }
}
