// Commands to a running stand, as opposed to its customers and rules.
//
// Every command comes at an instant. All share one precondition: every event due before that instant has happened, and
// no event due at it or after it.

/// Why a change of the stock was refused.
package enum StockEditError: Error, Equatable, Sendable {
    case wouldBeNegative(Fruit, by: Int)
    case wouldNotFit(Fruit, by: Int)
    case isUnlimited(Fruit)
}

/// The outcome of an order placed by command.
///
/// Names are those of the configuration, so that an answer that is kept still reads right after a reload.
package struct OrderAnswer: Codable, Equatable, Sendable {
    /// The order number, from 1.
    package var number: UInt64
    package var at: SimulationTime
    package var outcome: Outcome

    package enum Outcome: Codable, Equatable, Sendable {
        /// The stand makes `juice`, which is not the wish if `isSubstitute`; `isStarted` if a maker was free.
        case placed(juice: String, isSubstitute: Bool, isStarted: Bool, cupsWaitingForFruit: Int)
        /// `fruit` is the ingredient that lacks the most; `instead` are juices that could be made, the most similar
        /// first.
        case soldOut(fruit: String, missing: Int, instead: [String])
        /// No maker is free and every waiting place is taken.
        case lineFull
    }
}

extension Stand {
    /// The largest order that can be placed.
    package static let mostCups = CustomerGenerator.mostCups

    /// Places an order by command. It queues like a customer's and never runs out of patience.
    ///
    /// `name` is the juice, in any language of the menu.
    ///
    /// - Precondition: `cups` is from 1 to ``mostCups``.
    /// - Returns: The outcome; nil if the juice is not on the menu, which counts as a lost customer.
    @discardableResult
    package mutating func takeOrder(
        _ name: String, cups: Int = 1, at time: SimulationTime, _ out: FactPublisher
    ) -> OrderAnswer? {
        own()
        state.now = time
        defer { endEvent(out) }
        precondition((1...Self.mostCups).contains(cups), "\(cups) cups")
        let menu = settings.menu
        guard let juice = menu.juice(called: name) else {
            state.ordersNumbered += 1
            state.tally.arrived += 1
            lose(state.ordersNumbered, nil, cups: cups, .notOnMenu, unknownName: name, out)
            return nil
        }
        let seed = state.customers.preparationSeedForCommand()
        let customer = Customer(juice: juice, cups: cups, preparationSeed: seed)
        let outcome: OrderAnswer.Outcome
        switch admit(customer, by: .command, out) {
        case .success(let ticket):
            let order = state.orders[ticket]
            outcome = .placed(
                juice: menu.name(of: order.juice), isSubstitute: order.juice != juice, isStarted: order.started > 0,
                cupsWaitingForFruit: Int(order.cups - order.filled))
        case .failure(let refusal):
            guard let shortage = refusal.shortage else {
                outcome = .lineFull
                break
            }
            let instead = menu.juices(similarTo: juice).filter { maker.canMake($0, cups: cups) }
            outcome = .soldOut(
                fruit: menu.name(of: shortage.fruit), missing: shortage.missing, instead: instead.map(menu.name(of:)))
        }
        return OrderAnswer(number: state.ordersNumbered, at: time, outcome: outcome)
    }

    /// Changes the stock by differences: all of them or none.
    ///
    /// - Throws: ``StockEditError``. The stock is then unchanged.
    package mutating func edit(
        _ changes: [(fruit: Fruit, pieces: Int)], at time: SimulationTime, _ out: FactPublisher
    ) throws(StockEditError) {
        var levels: [Int: Int] = [:]
        for (fruit, pieces) in changes {
            guard let level = maker.stock(of: fruit) else { throw .isUnlimited(fruit) }
            let new = levels[fruit.index, default: level] + pieces
            levels[fruit.index] = new
            if new < 0 { throw .wouldBeNegative(fruit, by: -new) }
            if let capacity = settings.shelves[fruit.index].capacity, pieces > 0, new > capacity {
                throw .wouldNotFit(fruit, by: new - capacity)
            }
        }
        own()
        state.now = time
        state.edits += 1
        defer { endEvent(out) }
        for (fruit, pieces) in changes { changeLevel(of: fruit, by: pieces, .edit, out) }
        settle(FruitSet(changes.map(\.fruit)), out)
    }

    /// Stops stand time. The driver must not release events until ``resume(at:_:)``.
    package mutating func pause(at time: SimulationTime, _ out: FactPublisher) {
        guard !state.isPaused else { return }
        state.now = time
        state.isPaused = true
        announce(out) { Paused(stamp: $0) }
    }

    /// Lets stand time go on.
    package mutating func resume(at time: SimulationTime, _ out: FactPublisher) {
        guard state.isPaused else { return }
        state.now = time
        state.isPaused = false
        announce(out) { Resumed(stamp: $0) }
    }

    /// The orders in the stand with their numbers, in no particular order.
    ///
    /// - Complexity: O(*n*) for *n* slots, the highest number of simultaneous orders so far.
    package var presentOrders: [(number: UInt64, order: OrderProgress)] {
        state.orders.present.map { order in
            let started = order.started > 0 ? order.firstStart : nil
            return (
                order.number,
                OrderProgress(juice: order.juice, cups: Int(order.cups), placed: order.placed, started: started)
            )
        }
    }
}

/// The progress of an order in the stand.
package struct OrderProgress: Equatable, Sendable {
    package var juice: Juice
    package var cups: Int
    package var placed: SimulationTime
    /// The start of the first cup; nil before it.
    package var started: SimulationTime?

    package init(juice: Juice, cups: Int, placed: SimulationTime, started: SimulationTime? = nil) {
        self.juice = juice
        self.cups = cups
        self.placed = placed
        self.started = started
    }
}

// MARK: - The rate of arrivals

extension Stand {
    /// The allowed factors on the arrival rate, besides 0. With a smaller factor the next customer could be due beyond
    /// the range of stand time.
    package static let rates = 0.001...1_000_000

    package static func allows(rate factor: Double) -> Bool { factor == 0 || rates.contains(factor) }

    /// Multiplies the configured arrival rate by `factor` from now on. With 0 no customer comes.
    ///
    /// The rest of the interval to the next customer is scaled. The same factor as before changes nothing.
    ///
    /// - Precondition: `factor` is 0 or in ``rates``.
    package mutating func setRate(_ factor: Double, at time: SimulationTime, _ out: FactPublisher) {
        precondition(Self.allows(rate: factor), "a rate of \(factor)")
        let old = state.rate
        guard factor != old.factor else { return }
        own()
        state.now = time
        announce(out) { RateChanged(stamp: $0, factor: factor) }
        let law = settings.customers.arrivals
        var interval = old.interval
        if old.factor > 0, old.nextArrival < .never {
            interval = state.customers.arrivals.interval(from: time, to: old.nextArrival, law) * old.factor
        }
        beginnings.changeRate(from: old.factor, at: time)
        state.rate.factor = factor
        expectCustomer(after: interval)
    }

    /// Schedules the next customer after `interval` of the arrival law; nil means none.
    mutating func expectCustomer(after interval: Double?) {
        // A command never comes between the orders of one party, so all of the next party is cancelled.
        state.calendar.removeAll {
            switch $0 {
            case .arrival, .companion: true
            default: false
            }
        }
        state.rate.interval = nil
        state.rate.nextArrival = .never
        guard let interval else { return }
        guard state.rate.factor > 0 else {
            state.rate.interval = interval
            return
        }
        let time = state.customers.arrivals.stretch(
            after: state.now, settings.customers.arrivals, interval: interval, factor: state.rate.factor)
        state.rate.nextArrival = time
        state.arrivalsEnded = time == .never
        state.calendar.schedule(.arrival, at: time)
        scheduleCompanions(state.rate.companions, at: time)
    }
}

// MARK: - New settings

/// One changed setting, as the ledger shows it.
package struct SettingChange: Codable, Equatable, Sendable {
    /// The key path.
    package var key: String
    package var from: String
    package var to: String

    package init(key: String, from: String, to: String) {
        self.key = key
        self.from = from
        self.to = to
    }
}

extension Stand {
    /// Continues with new settings. Cups and deliveries in progress keep the old ones.
    ///
    /// Announces `changes` as facts.
    ///
    /// - Precondition: The settings differ only in what can change while a stand is open; see ``SettingsDifference``.
    package mutating func reload(
        _ new: StandSettings, _ changes: [SettingChange], at time: SimulationTime, _ out: FactPublisher
    ) {
        let old = settings
        self = Stand(new, resuming: snapshot)
        guard !changes.isEmpty else { return }
        state.now = time
        defer { endEvent(out) }
        for change in changes {
            announce(out) { ConfigurationChanged(stamp: $0, key: change.key, from: change.from, to: change.to) }
        }
        if old.makers != new.makers || old.shifts != new.shifts {
            if state.tally.makers == nil {
                state.tally.makers = TimeIntegral(state.makers, at: state.tally.start)
            }
            state.makers = new.shifts?.makers(at: time) ?? new.makers
            state.calendar.removeAll { if case .shift = $0 { true } else { false } }
            scheduleNextShift()
        }
        if old.customers.party != new.customers.party {
            state.calendar.removeAll { if case .companion = $0 { true } else { false } }
            let companions = nextCompanions()
            scheduleCompanions(state.rate.nextArrival < .never ? companions : 0, at: state.rate.nextArrival)
            state.rate.companions = companions
        }
        if old.customers.arrivals != new.customers.arrivals {
            state.customers.arrivals.begin(new.customers.arrivals, at: time)
            beginnings.beginGap(at: time)
            expectCustomer(after: state.customers.arrivals.drawInterval(new.customers.arrivals))
        }
        for fruit in new.menu.allFruits {
            let before = old.shelves[fruit.index]
            let after = new.shelves[fruit.index]
            if before.lowStock != after.lowStock { moveThreshold(of: fruit, from: before.lowStock, out) }
            guard before.restock != after.restock else { continue }
            state.calendar.removeAll { if case .review(fruit) = $0 { true } else { false } }
            if after.restock.review != nil { review(fruit, out) } else { moved.insert(fruit) }
        }
        startCups(out)
    }

    /// Announces a level that has become low, or is no longer low, because the threshold has changed.
    private mutating func moveThreshold(of fruit: Fruit, from old: Int?, _ out: FactPublisher) {
        guard let level = maker.stock(of: fruit) else { return }
        let isLow = level <= lowStock[fruit.index]
        guard isLow != (level <= old ?? .min) else { return }
        announceCrossing(of: fruit, isLow: isLow, level, settings.shelves[fruit.index].lowStock ?? 0, out)
    }
}
