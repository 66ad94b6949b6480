/// Where the arrivals stand: all that the next interarrival time depends on besides the law.
struct ArrivalProcess: Codable, Sendable {
    private var gaps: RandomStream
    private var phases: RandomStream
    /// The next line of a trace.
    private(set) var line = 0
    private var isBusy = false
    private var phaseEnd: SimulationTime?

    init(streams: inout RandomStreams) {
        gaps = streams.stream(named: "arrivals")
        phases = streams.stream(named: "phases")
    }

    /// The instant of the first arrival after the one at `now`; `never` where there is none.
    mutating func next(after now: SimulationTime, _ arrivals: Arrivals) -> SimulationTime {
        switch arrivals {
        case .poisson(let rate):
            return rate > 0 ? now + Self.span(unitExponential() / rate) : .never
        case .renewal(let law):
            return now + Self.span(law.sample(using: &gaps))
        case .profile(let every, let rates, let repeats):
            return nextOfProfile(after: now, every, rates, repeats)
        case .bursts(let calm, let busy):
            return nextOfBursts(after: now, calm, busy)
        case .trace(let trace):
            guard line < trace.lines.count else { return .never }
            line += 1
            return trace.lines[line - 1].time
        }
    }

    private static func span(_ seconds: Double) -> SimulationTime { SimulationTime(seconds: seconds) }

    private mutating func unitExponential() -> Double { Distribution.exponential(mean: 1).sample(using: &gaps) }

    /// The instant at which the integrated rate has grown by a unit exponential: exact for a rate that is constant by
    /// pieces.
    ///
    /// Source: Çinlar, "Introduction to Stochastic Processes" (1975), chapter 4, on the change of time.
    private mutating func nextOfProfile(
        after now: SimulationTime, _ every: SimulationTime, _ rates: [Double], _ repeats: Bool
    ) -> SimulationTime {
        guard rates.contains(where: { $0 > 0 }) else { return .never }
        var left = unitExponential()
        var time = now
        if repeats {
            // Whole rounds at once, however short the pieces are.
            let round = every.seconds * Double(rates.count)
            let customers = every.seconds * rates.reduce(0, +)
            let rounds = (left / customers).rounded(.down)
            left -= rounds * customers
            time = time + Self.span(rounds * round)
        }
        while time < .never {
            let piece = Int(time.nanoseconds / every.nanoseconds)
            guard repeats || piece < rates.count else { return .never }
            let rate = rates[piece % rates.count]
            let end = SimulationTime(nanoseconds: Int64(piece) * every.nanoseconds) + every
            let available = (end - time).seconds * rate
            if left < available { return time + Self.span(left / rate) }
            left -= available
            time = end
        }
        return .never
    }

    /// As for a profile, the pieces being phases whose lengths are drawn as they begin.
    private mutating func nextOfBursts(
        after now: SimulationTime, _ calm: Arrivals.Phase, _ busy: Arrivals.Phase
    ) -> SimulationTime {
        guard calm.perSecond > 0 || busy.perSecond > 0 else { return .never }
        var left = unitExponential()
        var time = now
        while time < .never {
            let phase = isBusy ? busy : calm
            let end = phaseEnd ?? (time + Self.span(phase.lasting.sample(using: &phases)))
            phaseEnd = end
            let available = (end - time).seconds * phase.perSecond
            if left < available { return time + Self.span(left / phase.perSecond) }
            left -= available
            time = end
            isBusy.toggle()
            phaseEnd = nil
        }
        return .never
    }
}
