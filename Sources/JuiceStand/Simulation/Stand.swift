import TextFormats

/// A juice stand in time: its rules, its state, and its next event.
///
/// A stand is a value. It never waits and never reads a clock: a driver advances it and passes the ``FactPublisher``
/// for its facts. It depends on settings, seed and commands alone. ``Snapshot`` holds its whole state.
///
/// To follow one customer, read `Stand+Orders.swift` from `arrive(_:)` down.
package struct Stand: Sendable {
    package let settings: StandSettings
    let laws: CustomerLaws
    let arrivals: ArrivalLaw
    /// For each juice the others, the most similar first; empty if customers take no substitutes.
    let substitutes: [[Juice]]
    /// The threshold of each fruit, for the hot path. Without one it is `Int.min`, which no level reaches.
    let lowStock: [Int]
    let reorderPoints: [Int]
    /// The most pieces of each fruit in a cup of any juice. With less on hand the fruit is short.
    let needs: [Int]
    /// The fruits under continuous review.
    let continuousReview: FruitSet
    /// Whether the run ends by itself when the last order has left, as that of a trace does.
    let endsWithItsOrders: Bool
    /// Whether any fruit spoils, so that orders must remember which pieces they took.
    let keepsLots: Bool
    /// Nanoseconds from midnight to the opening.
    private let openedAt: Int64
    /// The random streams of the settings' seed; nil for a stand that continues from a snapshot.
    private var streams: RandomStreams?

    package internal(set) var maker: JuiceMaker
    var state: State
    /// Read by forecasts only; no event depends on it.
    var beginnings: Beginnings
    /// Read by reports only; no event depends on it.
    package private(set) var losses = LossTable()
    /// The fruits whose inventory position has changed during this event and may have reached the reorder point. Empty
    /// between events.
    var moved = FruitSet()

    package var clock: StandClock { settings.clock(at: now) }

    /// The state of a stand besides its fruit.
    struct State: Codable, Sendable {
        var now = SimulationTime.zero
        var calendar = EventCalendar<StandEvent>()
        var customers: CustomerGenerator
        /// One stream for the lead times of each fruit.
        var leadTimes: [RandomStream]
        var factsAnnounced: UInt64 = 0
        var ordersNumbered: UInt64 = 0

        var orders = OrderTable()
        /// The cups whose fruit has been taken and that no maker has started.
        var line = MakersLine()
        var backorders: Backorders
        /// The lots taken by each unstarted order, by its slot. Empty if no fruit spoils.
        var lotsTaken = TakenLots()
        /// Pieces of each fruit on order.
        var onOrder: [Int]

        // These counters are not neighbours. The compiler would change two neighbours as one vector, which stalls after
        // one of them was changed alone.
        /// Orders in the stand.
        var present = 0
        var busyMakers = 0
        /// Orders with no cup started.
        var unstarted = 0
        /// The number of events at which stale ones are removed next.
        var sweepCalendarAt = Stand.fewEvents
        /// Orders that hold a waiting place: no cup started, at least one ready to be.
        var waiting = 0
        var arrivalsEnded = false
        var isClosed = false
        /// The factor on the arrival rate; see ``Stand/setRate(_:at:_:)``.
        var rate = ArrivalRate()
        var isPaused = false
        /// Makers of the present shift. A maker whose shift is over finishes the cup at hand.
        var makers: Int
        /// Changes of the stock by hand, so that an editor can tell whether another was there before.
        var edits: UInt64 = 0

        var tally: StandTally

        /// See ``HotArray/own()``.
        mutating func own() {
            calendar.own()
            orders.own()
            line.own()
            lotsTaken.own()
            tally.own()
        }
    }

    /// The whole state of a stand besides its settings.
    package struct Snapshot: Codable, Sendable {
        var store: FruitStore
        var state: State
        var beginnings = Beginnings()
        var losses = LossTable()

        package var factsAnnounced: UInt64 { state.factsAnnounced }
        package var now: SimulationTime { state.now }
    }

    /// A stand before its opening. Replications are counted from 0; each has random streams of its own.
    package init(_ settings: StandSettings, replication: UInt64 = 0) {
        var streams = RandomStreams(seed: settings.seed, replication: replication)
        self.init(settings, resuming: Self.beginning(settings, &streams))
        self.streams = streams
    }

    /// Another replication of a stand that has not opened. It takes over all values that depend on the settings alone.
    package func beginning(replication: UInt64) -> Stand {
        guard var streams = streams?.streams(ofReplication: replication) else {
            return Stand(settings, replication: replication)
        }
        var stand = self
        let snapshot = Self.beginning(settings, &streams)
        stand.maker.replaceStore(snapshot.store)
        stand.state = snapshot.state
        stand.beginnings = snapshot.beginnings
        stand.losses = snapshot.losses
        stand.moved = FruitSet()
        return stand
    }

    private static func beginning(_ settings: StandSettings, _ streams: inout RandomStreams) -> Snapshot {
        let fruits = settings.menu.fruits
        let perishable = settings.menu.allFruits.filter { settings.shelves[$0.index].shelfLife != nil }
        var store = FruitStore(levels: settings.shelves.map(\.initial), perishable: perishable)
        for fruit in perishable {
            let shelf = settings.shelves[fruit.index]
            store.add(shelf.initial ?? 0, of: fruit, spoilsAt: shelf.shelfLife!.nanoseconds)
        }
        let state = State(
            customers: CustomerGenerator(streams: &streams),
            leadTimes: fruits.map { streams.stream(named: "lead time of \($0.name)") },
            backorders: Backorders(juices: settings.offers.count),
            onOrder: Array(repeating: 0, count: fruits.count), makers: settings.makers,
            tally: StandTally(levels: store.allLevels))
        return Snapshot(store: store, state: state)
    }

    /// A stand that continues from `snapshot`.
    package init(_ settings: StandSettings, resuming snapshot: Snapshot) {
        self.settings = settings
        laws = CustomerLaws(settings)
        arrivals = ArrivalLaw(settings.customers.arrivals)
        substitutes =
            settings.customers.whenSoldOut == .substitute ? settings.menu.substitutes : []
        lowStock = settings.shelves.map { $0.lowStock ?? .min }
        reorderPoints = settings.shelves.map { $0.restock.reorderPoint ?? .min }
        needs = settings.menu.allFruits.map(settings.menu.mostPieces(of:))
        continuousReview = FruitSet(
            settings.menu.allFruits.filter {
                let policy = settings.shelves[$0.index].restock
                return policy.reorderPoint != nil && policy.review == nil
            })
        endsWithItsOrders = settings.endsWithItsOrders
        keepsLots = settings.shelves.contains { $0.shelfLife != nil }
        openedAt = settings.clock(at: .zero).timeOfOpening
        maker = JuiceMaker(menu: settings.menu, store: snapshot.store)
        state = snapshot.state
        beginnings = snapshot.beginnings
        losses = snapshot.losses
    }

    package var snapshot: Snapshot {
        var snapshot = Snapshot(store: maker.savedStore, state: state, beginnings: beginnings, losses: losses)
        snapshot.state.own()
        snapshot.state.backorders.dropStale(state.orders)
        return snapshot
    }

    /// Gives the stand memory that no copy shares. Every mutating function that others call must call it first. See
    /// ``HotArray``.
    mutating func own() {
        state.own()
        maker.own()
    }

    package var now: SimulationTime { state.now }
    package var tally: StandTally { state.tally }
    package var ordersNumbered: UInt64 { state.ordersNumbered }
    package var ordersPresent: Int { state.present }
    package var factsAnnounced: UInt64 { state.factsAnnounced }
    package var isClosed: Bool { state.isClosed }
    package var isPaused: Bool { state.isPaused }
    /// The factor on the arrival rate; 1 unless ``setRate(_:at:_:)`` changed it.
    package var rate: Double { state.rate.factor }
    /// The number of stock edits so far. Sales and deliveries do not count.
    package var edits: UInt64 { state.edits }
    /// Orders with no cup started.
    package var queue: Int { state.unstarted }
    package var busyMakers: Int { state.busyMakers }
    /// Makers of the present shift; `Int.max` means no limit.
    package var makers: Int { state.makers }
    /// Pieces of each fruit on order, in menu order.
    package var onOrder: [Int] { state.onOrder }

    /// Appends the pieces on hand of each fruit, in menu order; 0 for an unlimited one.
    package func appendLevels(to levels: inout [Int]) {
        for index in settings.menu.fruits.indices { levels.append(maker.stock(of: Fruit(index: index)) ?? 0) }
    }
}

// MARK: - Going on

extension Stand {
    /// The time of the next event; `never` if none is scheduled.
    package var nextTime: SimulationTime { state.calendar.nextTime }

    /// Whether the trace is over and its last order has left.
    package var isOver: Bool { endsWithItsOrders && state.arrivalsEnded && state.present == 0 }

    /// Opens the stand: announces the stock, reviews every shelf, and schedules the first customer.
    package mutating func open(_ out: FactPublisher) {
        own()
        announce(out) { [settings, maker] in
            Opened(
                stamp: $0, stand: settings.stand, opens: settings.opens, seed: settings.seed,
                configuration: settings.fingerprint, stock: maker.levels)
        }
        if settings.shifts != nil { state.tally.makers = TimeIntegral(state.makers) }
        scheduleNextShift()
        for fruit in settings.menu.allFruits { setUpShelf(of: fruit, out) }
        scheduleNextArrival()
    }

    /// Lets the next event happen.
    ///
    /// - Precondition: An event is scheduled.
    /// - Complexity: O(log *n*) for *n* scheduled events, if no backorder is filled.
    package mutating func step(_ out: FactPublisher) {
        own()
        happen(out)
    }

    @inline(__always)
    private mutating func happen(_ out: FactPublisher) {
        let entry = state.calendar.takeFirst()
        state.now = entry.time
        switch entry.event {
        case .arrival: arrive(out)
        case .companion: arriveWithParty(out)
        case .cupDone(let ticket): finishCup(of: ticket, out)
        case .patienceOver(let ticket): loseIfUnstarted(ticket, out)
        case .delivery(let delivery): receive(delivery, out)
        case .review(let fruit): review(fruit, out)
        case .shelfLifeOver(let fruit): throwAwaySpoiled(fruit, out)
        case .shift: changeShift(out)
        }
        endEvent(out)
        state.calendar.closeUp()
    }

    /// Lets all events due before `horizon` happen. Events due at that very instant do not happen.
    ///
    /// Stops early if the stand ``isOver`` or after `limit` events. Without a horizon, it also stops when the remaining
    /// orders can never be served.
    ///
    /// - Returns: Whether the horizon or the end was reached.
    @discardableResult
    package mutating func advance(to horizon: SimulationTime, limit: Int = .max, _ out: FactPublisher) -> Bool {
        var left = limit
        return advance(to: horizon, left: &left, out)
    }

    /// Like ``advance(to:limit:_:)``, but lowers `left`, the limit, by the number of events.
    package mutating func advance(to horizon: SimulationTime, left: inout Int, _ out: FactPublisher) -> Bool {
        own()
        while state.calendar.nextTime < horizon {
            if endsWithItsOrders, isOver || (horizon == .never && isStuck) { return true }
            guard left > 0 else { return false }
            left -= 1
            happen(out)
        }
        return true
    }

    /// Starts the measured period at `time`.
    ///
    /// - Precondition: All events before `time` have happened and no later ones.
    package mutating func endWarmUp(at time: SimulationTime) {
        own()
        state.now = time
        state.tally.restart(at: time, announced: state.factsAnnounced)
        losses = LossTable()
    }

    /// The hour of the day now, from 0 to 23.
    package var hour: Int { Int((openedAt + state.now.nanoseconds % CalendarTime.day) / 3_600_000_000_000 % 24) }

    /// Notes that a customer who wished a juice left without one.
    mutating func noteLoss(of wish: Juice, _ reason: LossReason) { losses.add(1, at: .init(wish, hour: hour, reason)) }

    /// Closes the stand at `time`, even with orders still in it.
    package mutating func close(at time: SimulationTime, _ out: FactPublisher) {
        precondition(time >= state.now && !state.isClosed, "closing at \(time.seconds) s, after \(state.now.seconds) s")
        state.now = time
        state.isClosed = true
        announce(out) { [state, maker] in Closed(stamp: $0, open: state.present, stock: maker.levels) }
    }

    /// Ends an event: decides restocking and updates the averages over time.
    @inline(__always)
    mutating func endEvent(_ out: FactPublisher) {
        if !moved.isEmpty { decideRestocking(out) }
        // Updated even if unchanged: that is cheaper than a mispredicted branch.
        state.tally.queue.set(state.unstarted, at: state.now)
        state.tally.present.set(state.present, at: state.now)
        state.tally.busy.set(state.busyMakers, at: state.now)
        state.tally.makers?.set(max(state.makers, state.busyMakers), at: state.now)
    }
}

extension Stand.Snapshot {
    /// Also reads a state without `beginnings` or `losses`, which earlier versions wrote.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        store = try members.decode(FruitStore.self, forKey: .store)
        state = try members.decode(Stand.State.self, forKey: .state)
        if members.contains(.beginnings) { beginnings = try members.decode(Beginnings.self, forKey: .beginnings) }
        if members.contains(.losses) { losses = try members.decode(LossTable.self, forKey: .losses) }
    }
}
