/// A juice stand in time: the rules, the state, and what happens next.
///
/// A value. It never waits and never reads a clock: a driver tells it how far to go, and facts leave through the
/// ``FactPublisher`` it brings along. What it does next depends on settings, seed and commands alone, and ``Snapshot`` holds
/// all that it remembers.
///
/// To follow one customer: `Stand+Orders.swift`, from `arrive(_:)` down.
package struct Stand: Sendable {
    package let settings: StandSettings
    let laws: CustomerLaws
    let arrivals: ArrivalLaw
    /// For each juice the others, the most similar first; empty where nobody takes another.
    let substitutes: [[Juice]]
    /// Of each fruit, for the hot path; `Int.min` where there is none, since no level and no position is so low.
    let lowStock: [Int]
    let reorderPoints: [Int]
    /// Fruits whose rule looks at the position after every change.
    let continuousReview: FruitSet
    /// Whether the run ends by itself when the last order has left.
    let endsWithItsOrders: Bool
    /// Whether any fruit spoils, so that orders must remember which pieces they took.
    let keepsLots: Bool

    package internal(set) var maker: JuiceMaker
    var state: State
    /// Fruits whose inventory position has changed since the event began and may have come to the reorder point; empty
    /// between events.
    var moved = FruitSet()

    /// All that a stand remembers besides its fruit.
    struct State: Codable, Sendable {
        var now = SimulationTime.zero
        var calendar = EventCalendar<StandEvent>()
        var customers: CustomerGenerator
        /// One for each fruit, for its lead times.
        var leadTimes: [RandomStream]
        var factsAnnounced: UInt64 = 0
        var ordersNumbered: UInt64 = 0

        var orders = OrderTable()
        /// Cups whose fruit has been taken and that no maker has begun.
        var line = MakersLine()
        var backorders: Backorders
        /// Fruit taken by orders not yet started, in lots, where fruit spoils; by the order's slot.
        var lotsTaken: [[TakenLot]] = []
        /// Pieces of each fruit that the supplier owes.
        var onOrder: [Int]

        // Not side by side: two that change together would be changed as one vector, and whoever changed just one of them
        // a moment before would have to wait until that is in the cache.
        /// Orders in the stand.
        var present = 0
        var busyMakers = 0
        /// Orders of which no cup has been started.
        var unstarted = 0
        /// The number of events at which those without effect are swept out next.
        var sweepCalendarAt = Stand.fewEvents
        /// Orders that hold a waiting place: unstarted, with a cup that could be.
        var waiting = 0
        var arrivalsEnded = false
        var isClosed = false
        /// What the configured rate of arrivals is multiplied by; see ``Stand/setRate(_:at:_:)``.
        var rate = ArrivalRate()
        var isPaused = false
        /// Makers on duty; a maker whose shift is over finishes the cup at hand.
        var makers: Int
        /// Changes of the stock by hand, so that an editor can tell whether another was there before.
        var edits: UInt64 = 0

        var tally: StandTally

        /// As ``Table/own()``.
        mutating func own() {
            calendar.own()
            orders.own()
            line.own()
            tally.own()
        }
    }

    /// The whole state of a running stand, apart from its settings.
    package struct Snapshot: Codable, Sendable {
        var store: FruitStore
        var state: State
    }

    /// A stand before its opening; replications are counted from 0, and each has random streams of its own.
    package init(_ settings: StandSettings, replication: UInt64 = 0) {
        var streams = RandomStreams(seed: settings.seed, replication: replication)
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
        self.init(settings, resuming: Snapshot(store: store, state: state))
    }

    /// A stand that goes on where `snapshot` was taken.
    package init(_ settings: StandSettings, resuming snapshot: Snapshot) {
        self.settings = settings
        laws = CustomerLaws(settings)
        arrivals = ArrivalLaw(settings.customers.arrivals)
        substitutes =
            settings.customers.whenSoldOut == .substitute
            ? settings.menu.allJuices.map(settings.menu.juices(similarTo:)) : []
        lowStock = settings.shelves.map { $0.lowStock ?? .min }
        reorderPoints = settings.shelves.map { $0.restock.reorderPoint ?? .min }
        continuousReview = FruitSet(
            settings.menu.allFruits.filter {
                let policy = settings.shelves[$0.index].restock
                return policy.reorderPoint != nil && policy.review == nil
            })
        endsWithItsOrders = settings.endsWithItsOrders
        keepsLots = settings.shelves.contains { $0.shelfLife != nil }
        maker = JuiceMaker(menu: settings.menu, store: snapshot.store)
        state = snapshot.state
    }

    package var snapshot: Snapshot {
        var snapshot = Snapshot(store: maker.savedStore, state: state)
        snapshot.state.own()
        return snapshot
    }

    /// Gives the stand memory that no copy of it shares, so that it can be changed: on entry of every mutating function
    /// that others call. See ``Table``.
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
    /// The factor on arrivals; 1 unless ``setRate(_:at:_:)`` was called.
    package var rate: Double { state.rate.factor }
    /// Changes of the stock by hand so far; sales and deliveries do not count.
    package var edits: UInt64 { state.edits }
    /// Orders of which no cup has been started.
    package var queue: Int { state.unstarted }
    package var busyMakers: Int { state.busyMakers }
    /// Makers of the present shift; `Int.max` is without limit.
    package var makers: Int { state.makers }
    /// Pieces of each fruit that the supplier owes, in menu order.
    package var onOrder: [Int] { state.onOrder }
}

// MARK: - Going on

extension Stand {
    /// The instant of the next event; `never` where nothing will happen by itself.
    package var nextTime: SimulationTime { state.calendar.nextTime }

    /// Whether nothing remains to be done: the trace is over and its last order has left.
    package var isOver: Bool { endsWithItsOrders && state.arrivalsEnded && state.present == 0 }

    /// Opens: announces the stock, looks at every shelf, and expects the first customer.
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
    /// - Precondition: there is one.
    /// - Complexity: O(log *n*) for *n* events in the calendar, if no backorder is filled
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

    /// Lets everything due before `horizon` happen; what is due at that very instant does not.
    ///
    /// Stops early when the stand ``isOver``, after `limit` events, and, where there is no horizon, when the orders
    /// that remain can never leave.
    /// - Returns: whether `horizon` was reached, or the end.
    @discardableResult
    package mutating func advance(to horizon: SimulationTime, limit: Int = .max, _ out: FactPublisher) -> Bool {
        own()
        var left = limit
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
    /// - Precondition: everything before `time` has happened and nothing after it.
    package mutating func endWarmUp(at time: SimulationTime) {
        own()
        state.now = time
        state.tally.restart(at: time, announced: state.factsAnnounced)
    }

    /// Closes at `time`, whatever is still in the stand.
    package mutating func close(at time: SimulationTime, _ out: FactPublisher) {
        precondition(time >= state.now && !state.isClosed, "closing at \(time.seconds) s, after \(state.now.seconds) s")
        state.now = time
        state.isClosed = true
        announce(out) { [state, maker] in Closed(stamp: $0, open: state.present, stock: maker.levels) }
    }

    /// Stamps a fact and hands it out if anybody wants it; the stamp is spent either way, so that observers change
    /// nothing.
    @inline(__always)
    mutating func announce<F: Fact>(_ out: FactPublisher, _ make: (Stamp) -> F) {
        state.factsAnnounced &+= 1
        if out.wanted.contains(F.kind) {
            make(Stamp(sequence: state.factsAnnounced, time: state.now)).announce(to: out.sink)
        }
    }

    /// Restocking is decided when the event that moved a position is over, and averages over time see the crowd as it
    /// is then.
    @inline(__always)
    mutating func endEvent(_ out: FactPublisher) {
        if !moved.isEmpty { decideRestocking(out) }
        // Whether or not it has changed: that is less than what a wrong guess costs.
        state.tally.queue.set(state.unstarted, at: state.now)
        state.tally.present.set(state.present, at: state.now)
        state.tally.busy.set(state.busyMakers, at: state.now)
        state.tally.makers?.set(max(state.makers, state.busyMakers), at: state.now)
    }
}
