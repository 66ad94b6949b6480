/// The state of the arrivals: everything that the next interarrival time depends on besides the law.
///
/// A factor on the arrival rate stretches the rest of an interval and leaves the law unchanged. So a profile keeps its
/// hours, with more customers or fewer.
struct ArrivalProcess: Codable, Sendable {
    private var gaps: RandomStream
    private var phases: Phases
    /// The phases when the present interval was drawn, for drawing its end again.
    private var phasesDrawn: Phases
    private var days: DayLevels
    /// The levels when the present interval was drawn, for drawing its end again.
    private var daysDrawn: DayLevels
    /// The next line of a trace.
    private(set) var line = 0
    /// Whether a trace no longer follows its own times, because the rate was changed.
    private var isShifted = false
    /// The end of the spacing after the opening or the last party; nil if the law has no spacing.
    private var spacingEnd: SimulationTime?
    /// The state of the followers; nil if the state is of an earlier version.
    private var followers: Followers?

    /// The state of the phases of bursts.
    fileprivate struct Phases: Codable, Sendable {
        var stream: RandomStream
        var isBusy = false
        /// The end of the present phase; nil before the first.
        var end: SimulationTime?
        /// The start of the present phase; nil before the first, or if the state is of an earlier version.
        var start: SimulationTime?
    }

    init(streams: inout RandomStreams) {
        gaps = streams.stream(named: "arrivals")
        phases = Phases(stream: streams.stream(named: "phases"))
        phasesDrawn = phases
        days = DayLevels(stream: streams.stream(named: "level"))
        daysDrawn = days
        followers = Followers(stream: streams.stream(named: "followers"))
    }

    /// The instant of the next arrival after `now`; `never` if there is none.
    ///
    /// - Parameters:
    ///   - law: The law of `arrivals`.
    ///   - factor: The factor on the rate, above 0.
    @inline(__always)
    mutating func next(
        after now: SimulationTime, _ law: ArrivalLaw, _ arrivals: @autoclosure () -> Arrivals, factor: Double
    ) -> SimulationTime {
        switch law {
        case .poisson(let rate, let unit): now + Self.span(unit.draw(using: &gaps) / (rate * factor))
        case .renewal(let gap): now + Self.span(gap.sample(using: &gaps) / factor)
        case .profile(let profile):
            profile.instant(after: now, interval: profile.unit.draw(using: &gaps), factor: factor)
        case .week(let week): next(after: now, week, factor: factor)
        case .other: next(after: now, arrivals(), factor: factor)
        }
    }

    private mutating func next(after now: SimulationTime, _ week: WeekProfile, factor: Double) -> SimulationTime {
        if week.followers != nil {
            // The levels may have been drawn beyond today, for a party at the base rate that a follower preceded.
            days = daysDrawn
            week.draw(&days, at: now)
        }
        daysDrawn = days
        if let spacing = week.spacing { spacingEnd = now + spacing }
        return instant(after: now, week, interval: week.unit.draw(using: &gaps), factor: factor, hasArrived: true)
    }

    private mutating func next(after now: SimulationTime, _ arrivals: Arrivals, factor: Double) -> SimulationTime {
        switch arrivals {
        case .poisson, .renewal, .profile, .week:
            return .never
        case .bursts(let calm, _):
            if phases.end == nil {
                phases.start = now
                phases.end = now + Self.span(calm.lasting.sample(using: &phases.stream))
            }
            phasesDrawn = phases
            return instant(after: now, arrivals, interval: unitExponential(), factor: factor)
        case .trace(let trace):
            guard line < trace.lines.count else { return .never }
            line += 1
            let time = trace.lines[line - 1].time
            guard isShifted else { return time }
            return now + Self.span((time - (line > 1 ? trace.lines[line - 2].time : .zero)).seconds / factor)
        }
    }

    private static func span(_ seconds: Double) -> SimulationTime { SimulationTime(seconds: seconds) }

    private mutating func unitExponential() -> Double { Ziggurat.exponential.draw(using: &gaps) }
}

// MARK: - Changing the rate within an interval

extension ArrivalProcess {
    /// The rest at `now` of the interval that ends at `end`: the expected number of customers at the configured rate,
    /// or seconds for a law of gaps.
    func interval(from now: SimulationTime, to end: SimulationTime, _ arrivals: Arrivals) -> Double {
        switch arrivals {
        case .poisson(let rate):
            return (end - now).seconds * rate
        case .renewal, .trace:
            return (end - now).seconds
        case .profile(let every, let rates, let repeats):
            return RateProfile(every, rates, repeats: repeats).expected(from: now, to: end)
        case .week(let week):
            var walked = daysDrawn
            let end = week.followers == nil ? end : followers?.base ?? end
            return WeekProfile(week).expected(from: now, spacingEnd: spacingEnd, to: end, &walked)
        case .bursts(let calm, let busy):
            var walked = phasesDrawn
            return Self.expected(from: now, to: end, calm, busy, &walked)
        }
    }

    /// Draws a whole interval.
    mutating func drawInterval(_ arrivals: Arrivals) -> Double {
        switch arrivals {
        case .renewal(let law): law.sample(using: &gaps)
        case .poisson, .profile, .week, .bursts: unitExponential()
        case .trace: 0
        }
    }

    /// The instant at which an interval of `interval` after `now` is over at `factor` times the rate.
    ///
    /// Phases beyond `now` are drawn again from the same numbers.
    mutating func stretch(
        after now: SimulationTime, _ arrivals: Arrivals, interval: Double, factor: Double
    ) -> SimulationTime {
        isShifted = true
        if case .bursts(let calm, let busy) = arrivals {
            _ = Self.expected(from: now, to: now, calm, busy, &phasesDrawn)
            phases = phasesDrawn
        }
        days = daysDrawn
        return instant(after: now, arrivals, interval: interval, factor: factor)
    }

    /// Starts a new law at `now`.
    mutating func begin(_ arrivals: Arrivals, at now: SimulationTime) {
        spacingEnd = nil
        phases.isBusy = false
        phases.start = now
        phases.end = nil
        if case .bursts(let calm, _) = arrivals {
            phases.end = now + Self.span(calm.lasting.sample(using: &phases.stream))
        }
        phasesDrawn = phases
        days.restart()
        daysDrawn = days
        followers?.restart()
    }

    private mutating func instant(
        after now: SimulationTime, _ arrivals: Arrivals, interval: Double, factor: Double
    ) -> SimulationTime {
        switch arrivals {
        case .poisson(let rate):
            rate > 0 ? now + Self.span(interval / (rate * factor)) : .never
        case .renewal, .trace:
            now + Self.span(interval / factor)
        case .profile(let every, let rates, let repeats):
            RateProfile(every, rates, repeats: repeats).instant(after: now, interval: interval, factor: factor)
        case .week(let week):
            instant(after: now, WeekProfile(week), interval: interval, factor: factor, hasArrived: false)
        case .bursts(let calm, let busy):
            instantOfBursts(after: now, calm, busy, interval, factor)
        }
    }

    @inline(__always)
    private mutating func instant(
        after now: SimulationTime, _ week: WeekProfile, interval: Double, factor: Double, hasArrived: Bool
    ) -> SimulationTime {
        let base = week.instant(after: now, spacingEnd: spacingEnd, interval: interval, factor: factor, &days)
        return followers?.next(after: now, week, base, spacingEnd, hasArrived: hasArrived) ?? base
    }
}

// MARK: - Bursts

extension ArrivalProcess {
    /// The instant at which `interval` is over, as for a profile whose pieces are the phases. The length of a phase is
    /// drawn when the phase begins.
    private mutating func instantOfBursts(
        after now: SimulationTime, _ calm: Arrivals.Phase, _ busy: Arrivals.Phase, _ interval: Double, _ factor: Double
    ) -> SimulationTime {
        guard calm.perSecond > 0 || busy.perSecond > 0 else { return .never }
        var left = interval
        var time = now
        while time < .never {
            let phase = phases.isBusy ? busy : calm
            let end = phases.end ?? (time + Self.span(phase.lasting.sample(using: &phases.stream)))
            phases.end = end
            let available = (end - time).seconds * phase.perSecond * factor
            if left < available { return time + Self.span(left / (phase.perSecond * factor)) }
            left -= available
            time = end
            phases.isBusy.toggle()
            phases.start = end
            phases.end = nil
        }
        return .never
    }

    /// The expected number of customers between two instants. It advances `phases` to `end`.
    private static func expected(
        from now: SimulationTime, to end: SimulationTime, _ calm: Arrivals.Phase, _ busy: Arrivals.Phase,
        _ phases: inout Phases
    ) -> Double {
        var sum = 0.0
        // There is no phase before the first arrival is scheduled.
        guard var phaseEnd = phases.end else { return 0 }
        var time = now
        while true {
            let rate = (phases.isBusy ? busy : calm).perSecond
            if time < phaseEnd { sum += max(0, (min(phaseEnd, end) - time).seconds) * rate }
            guard phaseEnd <= end, phaseEnd < .never else { return sum }
            time = max(time, phaseEnd)
            phases.isBusy.toggle()
            phases.start = phaseEnd
            let phase = phases.isBusy ? busy : calm
            phaseEnd = phaseEnd + span(phase.lasting.sample(using: &phases.stream))
            phases.end = phaseEnd
        }
    }
}

// MARK: - Redrawing the hidden parts

extension ArrivalProcess {
    /// Takes all later gaps from `fresh`.
    mutating func renewGaps(from fresh: Self) { gaps = fresh.gaps }

    /// Draws the rest of an interval of which `passed` has gone by, in the unit of ``drawInterval(_:)``.
    ///
    /// Poisson arrivals have no memory, whatever their rate does: the expected number of customers until the next one
    /// is exponential. Only a law of gaps depends on `passed`.
    mutating func drawRest(of arrivals: Arrivals, passed: Double) -> Double {
        guard case .renewal(let law) = arrivals else { return drawInterval(arrivals) }
        return max(0, law.sample(atLeast: Distribution.drawnAge(passed), using: &gaps) - passed)
    }

    /// Draws the rest of the present phase and takes the later ones from `fresh`.
    mutating func renewPhases(from fresh: Self, _ arrivals: Arrivals, at now: SimulationTime) {
        guard case .bursts(let calm, let busy) = arrivals else { return }
        // Phases that have ended by now are known.
        _ = Self.expected(from: now, to: now, calm, busy, &phasesDrawn)
        phasesDrawn.stream = fresh.phases.stream
        let law = (phasesDrawn.isBusy ? busy : calm).lasting
        phasesDrawn.end = law.newEnd(since: phasesDrawn.start ?? now, at: now, using: &phasesDrawn.stream)
        phases = phasesDrawn
    }

    /// Keeps today's level and takes the later ones from `fresh`.
    mutating func renewLevels(from fresh: Self, _ arrivals: Arrivals, at now: SimulationTime) {
        guard case .week(let week) = arrivals, week.level != nil else { return }
        WeekProfile(week).draw(&daysDrawn, at: now)
        daysDrawn.renew(from: fresh.days)
        days = daysDrawn
    }

    /// Draws anew whether and when each party is followed, and takes the later draws from `fresh`.
    mutating func renewFollowers(from fresh: Self, _ arrivals: Arrivals, at now: SimulationTime) {
        guard case .week(let week) = arrivals, let law = week.followers, let stream = fresh.followers?.stream else {
            return
        }
        // A follower that is due within the spacing waits for the end of the spacing.
        let isSpaced = (spacingEnd ?? .zero) > now
        let earliest = isSpaced ? (spacingEnd ?? .zero) - (week.spacing ?? .zero) : now
        followers?.renew(stream, FollowerLaw(law), from: earliest)
    }
}

/// The effect of commands on the arrival rate.
struct ArrivalRate: Codable, Sendable {
    /// Multiplies the configured rate. With 0 no customer comes.
    var factor = 1.0
    /// The rest of the interval when the factor became 0; nil at any other factor, or if no arrival was scheduled.
    var interval: Double?
    /// The next arrival; `never` if there is none.
    var nextArrival = SimulationTime.never
    /// The number of further orders in the next party.
    var companions = 0
}
