/// How customers come, ready for drawing.
enum ArrivalLaw: Sendable {
    /// With the standard exponential law.
    case poisson(perSecond: Double, unit: Ziggurat)
    case renewal(Sampler)
    case profile(RateProfile)
    case week(WeekProfile)
    /// What only the settings tell.
    case other

    /// - Parameter arrivals: Kept as long as the law.
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

/// Rates of arrival that are constant for a while and then take the next value.
final class RateProfile: Sendable {
    private let every: SimulationTime
    /// Customers a second.
    private let rates: [Double]
    private let repeats: Bool
    let unit = Ziggurat.exponential
    /// Customers expected in one round.
    private let customers: Double

    init(_ every: SimulationTime, _ rates: [Double], repeats: Bool) {
        self.every = every
        self.rates = rates
        self.repeats = repeats
        customers = every.seconds * rates.reduce(0, +)
    }

    /// The instant at which the integrated rate has grown by `interval`: exact for a rate that is constant by pieces.
    ///
    /// Source: Çinlar, "Introduction to Stochastic Processes" (1975), chapter 4, on the change of time.
    func instant(after now: SimulationTime, interval: Double, factor: Double) -> SimulationTime {
        guard customers > 0 else { return .never }
        var left = interval
        var time = now
        if repeats, left >= customers * factor {
            // Whole rounds at once, however short the pieces are.
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

    /// Customers expected between two instants.
    ///
    /// - Complexity: O(*n*) for *n* rates
    func expected(from now: SimulationTime, to end: SimulationTime) -> Double {
        var sum = 0.0
        var time = now
        let (round, isEndless) = every.nanoseconds.multipliedReportingOverflow(by: Int64(rates.count))
        if repeats, !isEndless {
            // Whole rounds at once, however short the pieces are.
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

    /// The rate at `time` and how long it stays; nil after the last.
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
