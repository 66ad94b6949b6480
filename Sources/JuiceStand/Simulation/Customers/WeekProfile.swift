/// Piecewise constant arrival rates by day of the week.
///
/// Times of day are those of the stand's calendar: every day has 24 hours, and a week begins on Monday.
final class WeekProfile: Sendable {
    private let week: Arrivals.Week
    private let level: Sampler?
    let unit = Ziggurat.exponential
    let followers: FollowerLaw?
    /// The least time between two parties; nil if a party has no effect on the base rate.
    var spacing: SimulationTime? { week.spacing }

    init(_ week: Arrivals.Week) {
        self.week = week
        level = week.level.map(Sampler.init)
        followers = week.followers.map(FollowerLaw.init)
    }

    /// The instant at which the integral of the rate has grown by `interval`, which is exact for such rates.
    ///
    /// Source: Çinlar, "Introduction to Stochastic Processes" (1975), chapter 4, on the change of time.
    ///
    /// - Parameter spacingEnd: The end of the spacing after the last party; nil if there is none.
    /// - Complexity: O(*n*) for *n* pieces up to that instant.
    func instant(
        after now: SimulationTime, spacingEnd: SimulationTime?, interval: Double, factor: Double,
        _ levels: inout DayLevels
    ) -> SimulationTime {
        guard week.hasArrivals else { return .never }
        var left = interval
        var time = spacingEnd.map { max(now, $0) } ?? now
        while time < .never {
            let piece = piece(at: time)
            let rate = piece.rate * factor * levels.level(on: piece.day, level)
            let available = (piece.end - time).seconds * rate
            if left < available { return time + SimulationTime(seconds: left / rate) }
            left -= available
            time = piece.end
        }
        return .never
    }

    /// The expected number of parties between two instants at the configured rate, without followers.
    ///
    /// - Parameter spacingEnd: The end of the spacing after the last party before `now`; nil if there is none.
    /// - Complexity: O(*n*) for *n* pieces between them.
    func expected(
        from now: SimulationTime, spacingEnd: SimulationTime?, to end: SimulationTime, _ levels: inout DayLevels
    ) -> Double {
        var sum = 0.0
        var time = spacingEnd.map { max(now, $0) } ?? now
        while time < end {
            let piece = piece(at: time)
            let stop = min(piece.end, end)
            sum += (stop - time).seconds * piece.rate * levels.level(on: piece.day, level)
            time = stop
        }
        return sum
    }

    /// Draws the level of the day of `time`.
    func draw(_ levels: inout DayLevels, at time: SimulationTime) { _ = levels.level(on: piece(at: time).day, level) }

    /// Whether the arrival rate at `time` is above 0.
    func isOpen(at time: SimulationTime) -> Bool { piece(at: time).rate > 0 }

    /// The rate at `time`, the instant of its next change, and the day, counted from the Monday before the opening.
    @inline(__always)
    private func piece(at time: SimulationTime) -> (rate: Double, end: SimulationTime, day: Int) {
        // Unsigned, because the sum of two instants may overflow.
        let sinceMonday = UInt64(time.nanoseconds) + UInt64(week.opening.nanoseconds)
        let (day, ofDay) = sinceMonday.quotientAndRemainder(dividingBy: Self.day)
        let rates = week.perSecond[Int(day % 7)]
        let every = UInt64(week.every.nanoseconds)
        let place = ofDay / every
        let isOpen = place < UInt64(rates.count)
        let end = isOpen ? min((place + 1) * every, Self.day) : Self.day
        return (isOpen ? rates[Int(place)] : 0, time + SimulationTime(nanoseconds: Int64(end - ofDay)), Int(day))
    }

    private static let day: UInt64 = 86_400_000_000_000
}

/// The factor on the rates of each day, drawn once a day, including the day of opening.
struct DayLevels: Codable, Sendable {
    private var stream: RandomStream
    /// The day of ``level``; nil before the first draw.
    private var day: Int?
    private var level = 1.0

    init(stream: RandomStream) {
        self.stream = stream
    }

    /// The level of a day. Skipped days draw their level, too.
    ///
    /// - Precondition: `day` is not before the day of the last call.
    @inline(__always)
    mutating func level(on day: Int, _ law: Sampler?) -> Double {
        guard let law else { return 1 }
        if self.day == day { return level }
        return draw(on: day, law)
    }

    private mutating func draw(on day: Int, _ law: Sampler) -> Double {
        for _ in 0..<(self.day.map { day - $0 } ?? 1) { level = law.sampleOnce(from: &stream) }
        self.day = day
        return level
    }

    /// Takes the levels after the present day's from `fresh`.
    mutating func renew(from fresh: Self) { stream = fresh.stream }

    /// Draws the present day's level again, for a new law.
    mutating func restart() { day = nil }
}
