/// The arrival law of a stand, prepared for drawing.
enum ArrivalLaw: Sendable {
    /// `unit` is the standard exponential distribution.
    case poisson(perSecond: Double, unit: Ziggurat)
    case renewal(Sampler)
    case profile(RateProfile)
    case week(WeekProfile)
    /// A law that is read from the settings at every draw.
    case other

    /// - Parameter arrivals: Must outlive the law.
    init(_ arrivals: Arrivals) {
        self =
            switch arrivals {
            case .poisson(let rate) where rate > 0: .poisson(perSecond: rate, unit: .exponential)
            case .renewal(let law): .renewal(Sampler(law))
            case .profile(let every, let rates, let repeats): .profile(RateProfile(every, rates, repeats: repeats))
            case .week(let week): .week(WeekProfile(week))
            case .poisson, .bursts, .trace: .other
            }
    }
}

/// Piecewise constant arrival rates.
final class RateProfile: Sendable {
    private let every: SimulationTime
    /// Customers per second, in each piece.
    private let rates: [Double]
    private let repeats: Bool
    let unit = Ziggurat.exponential
    /// The expected number of customers in one round of all pieces.
    private let customers: Double

    init(_ every: SimulationTime, _ rates: [Double], repeats: Bool) {
        self.every = every
        self.rates = rates
        self.repeats = repeats
        customers = every.seconds * rates.reduce(0, +)
    }

    /// The instant at which the integral of the rate has grown by `interval`, which is exact for such rates.
    ///
    /// Source: Çinlar, "Introduction to Stochastic Processes" (1975), chapter 4, on the change of time.
    func instant(after now: SimulationTime, interval: Double, factor: Double) -> SimulationTime {
        guard customers > 0 else { return .never }
        var left = interval
        var time = now
        if repeats, left >= customers * factor {
            // Whole rounds at once, because the pieces may be short.
            let rounds = (left / (customers * factor)).rounded(.down)
            left -= rounds * customers * factor
            time = time + SimulationTime(seconds: rounds * every.seconds * Double(rates.count))
        }
        while time < .never {
            guard let (rate, end) = piece(at: time) else { return .never }
            let available = (end - time).seconds * (rate * factor)
            if left < available { return time + SimulationTime(seconds: left / (rate * factor)) }
            left -= available
            time = end
        }
        return .never
    }

    /// The expected number of customers between two instants.
    ///
    /// - Complexity: O(*n*) for *n* rates.
    func expected(from now: SimulationTime, to end: SimulationTime) -> Double {
        var sum = 0.0
        var time = now
        let (round, isEndless) = every.nanoseconds.multipliedReportingOverflow(by: Int64(rates.count))
        if repeats, !isEndless {
            // Whole rounds at once, because the pieces may be short.
            let rounds = (end - now).nanoseconds / round
            sum = Double(rounds) * customers
            time = time + SimulationTime(nanoseconds: rounds * round)
        }
        while time < end {
            guard let (rate, pieceEnd) = piece(at: time) else { return sum }
            sum += (min(pieceEnd, end) - time).seconds * rate
            time = min(pieceEnd, end)
        }
        return sum
    }

    /// The rate at `time` and the instant of its next change; nil after the last piece.
    @inline(__always)
    private func piece(at time: SimulationTime) -> (rate: Double, end: SimulationTime)? {
        let (piece, gone) = UInt64(bitPattern: time.nanoseconds).quotientAndRemainder(
            dividingBy: UInt64(bitPattern: every.nanoseconds))
        var place = Int(piece)
        if place >= rates.count {
            guard repeats else { return nil }
            place %= rates.count
        }
        return (rates[place], time - SimulationTime(nanoseconds: Int64(gone)) + every)
    }
}
