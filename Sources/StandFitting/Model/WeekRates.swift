import JuiceStand

/// The rates of a week: the mean orders of an open day of each weekday, and how they spread over its bins.
struct WeekRates: Equatable, Sendable {
    /// Orders on an open day, by weekday; 0 for a closed weekday.
    private(set) var totals: [Double]
    /// By weekday, then by bin. The shares of an open weekday sum to 1.
    private(set) var shares: [[Double]]
    /// The number of open days, by weekday.
    let days: [Double]
    /// How much a total grows with the count of one of its days, by weekday.
    let leverages: [Double]

    /// - Parameter isFlat: Whether the rate is the same at all opening hours.
    init(_ week: RunningWeek, _ hours: OpeningHours, isFlat: Bool = false) {
        totals = (0..<7).map { week.total($0) }
        days = week.weights
        leverages = (0..<7).map { week.leverage($0) }
        var weights = hours.mask[0].map { _ in 1.0 }
        shares = []
        for weekday in 0..<7 {
            let mask = hours.mask[weekday]
            if !isFlat { week.shares(weekday, spread: 0, into: &weights) }
            let sum = zip(weights, mask).reduce(0) { $1.1 ? $0 + $1.0 : $0 }
            shares.append(zip(weights, mask).map { $1 && sum > 0 ? $0 / sum : 0 })
            if sum == 0 { totals[weekday] = 0 }
        }
    }

    /// The base rate in each bin of a weekday, in orders per second. Trailing zeros are left out.
    func perSecond(_ weekday: Int, _ gaps: ShortGaps) -> [Double] {
        let seconds = 86_400 / Double(shares[weekday].count)
        var rates = shares[weekday].map { gaps.outside($0 * totals[weekday] / seconds) }
        while rates.last == 0 { rates.removeLast() }
        return rates
    }
}
