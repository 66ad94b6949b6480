/// A part of a stand's future that the program has already drawn, but that a bystander can't know.
///
/// A stand draws much in advance: the next customer at the arrival of the last, patience at arrival, the end of a cup
/// at its start. Every case is redrawn by one of the exhaustive switches behind ``Futures``.
package enum HiddenPart: CaseIterable, Sendable {
    /// The gap to the next customer and all later gaps.
    case gaps
    /// The rest of a calm or busy phase and all later phases.
    case phases
    /// Whether and when the parties so far are followed, and all later followers.
    case followers
    /// The levels of later days. That of today is known.
    case levels
    /// The sizes of later parties.
    case parties
    /// The wishes of later customers.
    case juices
    /// The cups that later customers want.
    case cups
    /// The patience of later customers.
    case patience
    /// The rest of the patience of waiting customers.
    case waitingPatience
    /// The preparation times of later customers' cups.
    case preparation
    /// The rest of the cups being made.
    case cupsBegun
    /// The preparation times of cups ordered and not begun.
    case cupsNotBegun
    /// The rest of the lead times of deliveries on their way.
    case deliveries
    /// The lead times of later deliveries.
    case leadTimes
}

/// The possible futures of a stand from one instant on.
///
/// All futures share what a bystander can see: fruit and its age, the queue, cups being made, orders to the supplier,
/// makers on duty, the rate, the phase and today's level. The times at which each of these began are known, too.
/// Everything in ``HiddenPart`` is drawn anew, conditioned on the time that has passed. So the futures are independent
/// draws from the law of what happens next, and the stand's own future is one more such draw.
package struct Futures: Sendable {
    /// The instant at which the futures part.
    package let time: SimulationTime
    private let stand: Stand
    private let parts: [HiddenPart]
    private let streams: RandomStreams
    /// When cups and deliveries began, by their ends.
    fileprivate typealias Starts = (cups: [Spans.End: SimulationTime], deliveries: [Spans.End: SimulationTime])
    private let starts: Starts

    /// - Parameters:
    ///   - stand: An open stand without a trace. A paused one goes on at `time`.
    ///   - time: Everything due before it has happened, and nothing due at it or later.
    ///   - seed: The futures of equal stands with equal seeds are equal. It may be the seed of the stand.
    ///   - parts: All parts, except in tests that check whether a missing part is noticed.
    package init(
        of stand: Stand, at time: SimulationTime, seed: UInt64, redrawing parts: [HiddenPart] = HiddenPart.allCases
    ) {
        precondition(!stand.isClosed && !stand.endsWithItsOrders, "a closed stand or a trace has no other future")
        precondition(stand.now <= time && time <= stand.nextTime, "events before \(time.seconds) s are to happen first")
        self.time = time
        self.parts = parts
        var stand = stand
        stand.endWarmUp(at: time)
        self.stand = stand
        starts = (stand.beginnings.laterCups.starts, stand.beginnings.deliveries.starts)
        // Gives streams other than the stand's own, even with the stand's seed.
        var mixer = SplitMix64(seed: seed ^ Fingerprint("futures").value)
        var streams = RandomStreams(seed: mixer.next())
        // Once for all futures.
        _ = NewDraws(stand.settings, &streams)
        self.streams = streams
    }

    /// One future, as a stand at ``time`` whose measured period begins.
    package func stand(_ number: UInt64) -> Stand {
        var future = stand
        var streams = streams.streams(ofReplication: number)
        future.redraw(parts, NewDraws(stand.settings, &streams), starts)
        return future
    }
}

/// The random streams of one future.
struct NewDraws {
    var customers: CustomerGenerator
    var leadTimes: [RandomStream]
    var restOfPatience: RandomStream
    var restOfCups: RandomStream
    var restOfLeadTimes: RandomStream
    var cupsNotBegun: RandomStream

    init(_ settings: StandSettings, _ streams: inout RandomStreams) {
        customers = CustomerGenerator(streams: &streams)
        leadTimes = settings.menu.fruits.map { streams.stream(named: "lead time of \($0.name)") }
        restOfPatience = streams.stream(named: "rest of patience")
        restOfCups = streams.stream(named: "rest of cups")
        restOfLeadTimes = streams.stream(named: "rest of lead times")
        cupsNotBegun = streams.stream(named: "cups not begun")
    }
}

// MARK: - Redrawing

extension Stand {
    fileprivate mutating func redraw(_ parts: [HiddenPart], _ draws: NewDraws, _ starts: Futures.Starts) {
        own()
        var draws = draws
        let arrived = redrawEnds(parts, &draws, starts)
        let interval = restOfGap(parts.contains(.gaps) ? draws.customers : nil)
        for part in parts {
            state.customers.renew(part, from: draws.customers, settings.customers.arrivals, at: state.now)
            switch part {
            case .parties: if laws.party != nil { state.rate.companions = nextCompanions() }
            case .cupsNotBegun: state.orders.renewPreparation(using: &draws.cupsNotBegun)
            case .leadTimes: state.leadTimes = draws.leadTimes
            // `redrawEnds` and `restOfGap` redraw their pending events. `renew` has redrawn the parts below.
            case .gaps, .waitingPatience, .cupsBegun, .deliveries: break
            case .phases, .followers, .levels, .juices, .cups, .patience, .preparation: break
            }
        }
        expectCustomer(after: interval)
        for _ in 0..<arrived { state.calendar.schedule(.companion, at: state.now) }
    }

    /// The rest of the interval to the next customer, as ``ArrivalProcess/interval(from:to:_:)``.
    ///
    /// - Parameter fresh: Draws it anew; nil keeps it.
    private mutating func restOfGap(_ fresh: CustomerGenerator?) -> Double? {
        let law = settings.customers.arrivals
        guard let fresh else {
            guard state.rate.factor > 0 else { return state.rate.interval }
            guard state.rate.nextArrival < .never else { return nil }
            return state.customers.arrivals.interval(from: state.now, to: state.rate.nextArrival, law)
        }
        state.customers.arrivals.renewGaps(from: fresh.arrivals)
        let passed = beginnings.gap(at: state.now, factor: state.rate.factor)
        return state.customers.arrivals.drawRest(of: law, passed: passed)
    }

    /// Draws new ends for cups, deliveries and patience in progress.
    ///
    /// - Returns: The number of further orders of a party that has arrived, whose events are due now.
    private mutating func redrawEnds(_ parts: [HiddenPart], _ draws: inout NewDraws, _ starts: Futures.Starts) -> Int {
        let now = state.now
        var companions = 0
        state.calendar.reschedule { [orders = state.orders, settings] event, end in
            switch event {
            case .cupDone(let ticket):
                guard parts.contains(.cupsBegun) else { return end }
                let order = orders[ticket]
                let start = starts.cups[.init(subject: ticket.bits, time: end)] ?? order.firstStart
                return settings.offers[order.juice.index].preparation.newEnd(
                    since: start, at: now, using: &draws.restOfCups)
            case .patienceOver(let ticket):
                guard orders.contains(ticket), orders[ticket].started == 0 else { return .never }
                guard parts.contains(.waitingPatience) else { return end }
                // After a reload without patience, waiting customers don't lose it either.
                guard let law = settings.customers.patience else { return .never }
                return law.newEnd(since: orders[ticket].placed, at: now, using: &draws.restOfPatience)
            case .delivery(let delivery):
                guard parts.contains(.deliveries) else { return end }
                // A state of an earlier version does not tell when it was ordered.
                let start = starts.deliveries[.init(subject: delivery.bits, time: end)] ?? now
                // After a reload to manual restocking there is no law. The delivery keeps its time.
                guard let law = settings.shelves[delivery.fruit.index].restock.leadTime else { return end }
                return law.newEnd(since: start, at: now, using: &draws.restOfLeadTimes)
            case .companion:
                if end == now { companions += 1 }
                return end
            // The next arrival is redrawn apart. The others are known in advance.
            case .arrival, .review, .shelfLifeOver, .shift: return end
            }
        }
        return companions - (state.rate.nextArrival == now ? state.rate.companions : 0)
    }
}

extension Distribution {
    /// Draws a new end of a span that began at `start` and goes on at `now`, by a law in seconds.
    func newEnd(
        since start: SimulationTime, at now: SimulationTime, using random: inout RandomStream
    ) -> SimulationTime {
        let age = Self.drawnAge((now - start).seconds)
        return max(now, start + SimulationTime(seconds: sample(atLeast: age, using: &random)))
    }

    /// The least draw for a span that has lasted for `age` seconds. Spans are rounded to a nanosecond, so the draw may
    /// be half a nanosecond less.
    static func drawnAge(_ age: Double) -> Double { max(0, age - 0.5e-9) }
}
