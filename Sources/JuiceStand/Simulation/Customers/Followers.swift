/// Parties that follow others: a Bartlett–Lewis cluster process, whose clusters begin at the base rate.
///
/// Source: Lewis, "A branching Poisson process model for the analysis of computer failure patterns", JRSS B 26 (1964).
struct Followers: Sendable {
    private struct Party: Codable {
        var time: SimulationTime
        /// When the party is followed; `never` if it is not.
        var followed: SimulationTime
    }

    private(set) var stream: RandomStream
    /// The next party at the base rate, which follows no other; nil before the first call after the opening.
    private(set) var base: SimulationTime?
    /// The latest parties by number, in the order of their times. A party that has been followed is nil.
    private var parties: [Party?] = []
    /// The number of the first party that has not been followed yet; the number of all parties if there is none.
    private var oldest = 0
    /// How many parties have not been followed yet.
    private var count = 0
    /// When parties will be followed. They are scheduled in the order of their numbers, so those due at one instant
    /// come in that order.
    private var due = EventCalendar<Int>()
    /// The most parties kept for forecasts. Beyond it, the oldest are dropped, except parties that will be followed.
    private static let mostParties = 1000

    init(stream: RandomStream) { self.stream = stream }

    /// The instant of the next party: a follower or the next party at the base rate.
    ///
    /// A follower that is due within the spacing comes at the end of the spacing. A follower that is due while the rate
    /// is 0 does not come.
    ///
    /// - Parameters:
    ///   - base: The next party at the base rate.
    ///   - hasArrived: Whether a party arrives at `now`. At the opening none does, whatever the value.
    /// - Complexity: O(log *n*) amortized for *n* parties that will be followed.
    mutating func next(
        after now: SimulationTime, _ week: WeekProfile, _ base: SimulationTime, _ spacingEnd: SimulationTime?,
        hasArrived: Bool
    ) -> SimulationTime {
        guard let law = week.followers else { return base }
        due.own()
        if hasArrived, self.base != nil { arrive(at: now, law) }
        self.base = base
        while true {
            let time = max(due.nextTime, spacingEnd ?? .zero)
            guard time < base else { return base }
            if time >= now, week.isOpen(at: time) { return time }
            let number = takeDue()
            parties[number]?.followed = .never
        }
    }

    private mutating func arrive(at now: SimulationTime, _ law: FollowerLaw) {
        // The party that arrives is the follower that was due first, unless it is the next party of the base rate.
        if base != now { removeFollowed() }
        while oldest < parties.count, let party = parties[oldest], party.followed == .never,
            count >= Self.mostParties || now - party.time > law.reach
        {
            remove(oldest)
        }
        add(Party(time: now, followed: law.draw(after: now, from: &stream)))
    }

    /// Forgets all parties, for a new law.
    mutating func restart() {
        take([])
        base = nil
    }

    /// Draws anew whether and when each party is followed, given that it has not been followed before `earliest`.
    mutating func renew(_ fresh: RandomStream, _ law: FollowerLaw, from earliest: SimulationTime) {
        stream = fresh
        var renewed = parties.compactMap { $0 }
        for index in renewed.indices {
            repeat {
                renewed[index].followed = law.draw(after: renewed[index].time, from: &stream)
            } while renewed[index].followed < earliest
        }
        take(renewed)
    }

    // MARK: - The parties

    private mutating func add(_ party: Party) {
        due.schedule(parties.count, at: party.followed)
        parties.append(party)
        count += 1
    }

    /// Replaces all parties.
    private mutating func take(_ new: [Party]) {
        parties = []
        oldest = 0
        count = 0
        due = EventCalendar()
        for party in new { add(party) }
    }

    /// Removes the party that is followed first; if none will be, the oldest.
    private mutating func removeFollowed() {
        if due.count > 0 {
            remove(takeDue())
        } else if count > 0 {
            remove(oldest)
        }
    }

    /// - Precondition: A party will be followed.
    private mutating func takeDue() -> Int {
        let number = due.takeFirst().event
        due.closeUp()
        return number
    }

    private mutating func remove(_ number: Int) {
        parties[number] = nil
        count -= 1
        while oldest < parties.count, parties[oldest] == nil { oldest += 1 }
        if parties.count > 2 * count + 64 { take(parties.compactMap { $0 }) }
    }
}

extension Followers: Codable {
    private enum CodingKeys: CodingKey {
        case stream, base, parties
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(stream: try members.decode(RandomStream.self, forKey: .stream))
        base = try members.decodeIfPresent(SimulationTime.self, forKey: .base)
        let parties = try members.decode([Party].self, forKey: .parties)
        guard parties.allSatisfy({ $0.followed >= .zero }) else {
            throw DecodingError.dataCorruptedError(forKey: .parties, in: members, debugDescription: "a negative time")
        }
        take(parties)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(stream, forKey: .stream)
        try members.encodeIfPresent(base, forKey: .base)
        try members.encode(parties.compactMap { $0 }, forKey: .parties)
    }
}

/// The law of ``Arrivals/Followers``, prepared for drawing.
struct FollowerLaw: Sendable {
    private let share: Double
    private let delay: Sampler
    /// The longest delay of a follower that forecasts consider. Longer ones are rare.
    let reach: SimulationTime

    /// - Parameter law: Must outlive the prepared law.
    init(_ law: Arrivals.Followers) {
        share = law.share
        delay = Sampler(law.after)
        reach = SimulationTime(seconds: 100 * law.after.size)
    }

    /// Draws the instant at which a party is followed; `never` if it is not. Takes two numbers of the stream in any
    /// case.
    func draw(after time: SimulationTime, from stream: inout RandomStream) -> SimulationTime {
        let isFollowed = stream.uniform() < share
        let seconds = delay.sampleOnce(from: &stream)
        return isFollowed ? time + SimulationTime(seconds: seconds) : .never
    }
}
