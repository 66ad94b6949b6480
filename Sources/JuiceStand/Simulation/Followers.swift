/// Parties that follow others: a Bartlett–Lewis cluster process, whose clusters begin at the base rate.
///
/// Source: Lewis, "A branching Poisson process model for the analysis of computer failure patterns", JRSS B 26 (1964).
struct Followers: Codable, Sendable {
    private struct Party: Codable {
        var time: SimulationTime
        /// When it is followed; `never` if it is not.
        var followed: SimulationTime
    }

    private(set) var stream: RandomStream
    /// The next party that follows nobody; nil before the first call after the opening.
    private(set) var base: SimulationTime?
    /// The latest parties that have not been followed yet, in the order of their times.
    private var parties: [Party] = []
    /// A forecast forgets older parties.
    private static let mostParties = 1000

    init(stream: RandomStream) { self.stream = stream }

    /// The instant of the next party: a follower or the next party at the base rate.
    ///
    /// A follower that is due within the spacing comes at its end. One that is due while nobody may come does not come.
    ///
    /// - Parameters:
    ///   - base: The next party at the base rate.
    ///   - hasArrived: Whether a party arrives at `now`, unless it is the opening.
    mutating func next(
        after now: SimulationTime, _ week: WeekProfile, _ base: SimulationTime, _ spacingEnd: SimulationTime?,
        hasArrived: Bool
    ) -> SimulationTime {
        guard let law = week.followers else { return base }
        if hasArrived, self.base != nil { arrive(at: now, law) }
        self.base = base
        while let index = parties.indices.min(by: { parties[$0].followed < parties[$1].followed }) {
            let due = parties[index].followed
            let time = max(due, spacingEnd ?? due)
            guard due < .never, time < base else { return base }
            if time >= now, week.isOpen(at: time) { return time }
            parties[index].followed = .never
        }
        return base
    }

    private mutating func arrive(at now: SimulationTime, _ law: FollowerLaw) {
        // The party that arrives was the next one that was due, unless it is one of the base rate.
        if base != now, let index = parties.indices.min(by: { parties[$0].followed < parties[$1].followed }) {
            parties.remove(at: index)
        }
        while let first = parties.first, first.followed == .never,
            parties.count >= Self.mostParties || now - first.time > law.reach
        {
            parties.removeFirst()
        }
        parties.append(Party(time: now, followed: law.draw(after: now, from: &stream)))
    }

    /// Forgets all parties, for a new law.
    mutating func restart() {
        parties = []
        base = nil
    }

    /// Draws anew whether and when each party is followed, given that it has not been followed before `earliest`.
    mutating func renew(_ fresh: RandomStream, _ law: FollowerLaw, from earliest: SimulationTime) {
        stream = fresh
        for index in parties.indices {
            repeat {
                parties[index].followed = law.draw(after: parties[index].time, from: &stream)
            } while parties[index].followed < earliest
        }
    }
}

/// The law of ``Arrivals/Followers``, prepared for drawing.
struct FollowerLaw: Sendable {
    private let share: Double
    private let delay: Sampler
    /// Followers rarely come later than this.
    let reach: SimulationTime

    /// - Parameter law: Must outlive this one.
    init(_ law: Arrivals.Followers) {
        share = law.share
        delay = Sampler(law.after)
        reach = SimulationTime(seconds: 100 * law.after.size)
    }

    /// The instant at which a party is followed; `never` if it is not. It always takes two numbers.
    func draw(after time: SimulationTime, from stream: inout RandomStream) -> SimulationTime {
        let isFollowed = stream.uniform() < share
        let seconds = delay.sampleOnce(from: &stream)
        return isFollowed ? time + SimulationTime(seconds: seconds) : .never
    }
}
