// The path of a customer: arrive, place an order, take fruit, join the queue, be made, be served; or leave earlier.

extension Stand {
    /// Schedules the next customer.
    @inline(__always)
    mutating func scheduleNextArrival() {
        let time = state.customers.arrivals.next(
            after: state.now, arrivals, settings.customers.arrivals, factor: state.rate.factor)
        state.rate.nextArrival = time
        beginnings.beginGap(at: state.now)
        state.arrivalsEnded = time == .never
        state.calendar.schedule(.arrival, at: time)
        if laws.party != nil { scheduleCompanions(nextCompanions(), at: time) }
    }

    /// Schedules the rest of a party right after its first customer.
    mutating func scheduleCompanions(_ count: Int, at time: SimulationTime) {
        state.rate.companions = count
        for _ in 0..<count { state.calendar.schedule(.companion, at: time) }
    }

    /// Lets the customer due now arrive. The next arrival is scheduled first, so it precedes other events of its
    /// instant.
    @inline(__always)
    mutating func arrive(_ out: FactPublisher) {
        let customer = nextCustomer()
        scheduleNextArrival()
        admit(customer, by: .customer, out)
    }

    /// Admits a further order of the party that has just arrived.
    @inline(never)
    mutating func arriveWithParty(_ out: FactPublisher) { admit(nextCustomer(), by: .customer, out) }

    /// A customer asks for juice, and joins the queue or leaves at once; see <doc:Configuration>.
    @inline(__always)
    @discardableResult
    mutating func admit(
        _ customer: Customer, by origin: Origin, _ out: FactPublisher
    ) -> Result<OrderTicket, Refusal> {
        state.ordersNumbered &+= 1
        let number = state.ordersNumbered
        state.tally.arrived &+= 1
        switch choice(of: customer) {
        case .success(let juice):
            state.tally.cupsDemanded &+= customer.cups
            return .success(place(number, customer, juice, by: origin, out))
        case .failure(let refusal):
            if refusal.reason.traits.losesCups { state.tally.cupsDemanded &+= customer.cups }
            lose(
                number, customer.juice, cups: customer.cups, refusal.reason, fruit: refusal.shortage?.fruit, out)
            return .failure(refusal)
        }
    }

    /// Why the stand does not take an order.
    struct Refusal: Error {
        var reason: LossReason
        /// Set if the juice is sold out.
        var shortage: FruitShortage?
    }

    /// The juice to make for a customer: the wish or a substitute, unless the customer leaves at once.
    @inline(__always)
    private func choice(of customer: Customer) -> Result<Juice, Refusal> {
        guard state.busyMakers < state.makers || state.waiting < settings.queueLimit else {
            return .failure(Refusal(reason: .queueFull))
        }
        let wish = customer.juice
        let cups = customer.cups
        if waitsForFruit || maker.canMake(wish, cups: cups) { return .success(wish) }
        guard settings.customers.whenSoldOut == .substitute,
            // The most similar juice that can be made.
            let other = substitutes[wish.index].first(where: { maker.canMake($0, cups: cups) })
        else { return .failure(Refusal(reason: .soldOut, shortage: maker.shortage(for: wish, cups: cups))) }
        return .success(other)
    }

    @inline(__always)
    private var waitsForFruit: Bool { settings.customers.whenSoldOut == .wait }

    /// Lets an order into the stand.
    @inline(__always)
    private mutating func place(
        _ number: UInt64, _ customer: Customer, _ juice: Juice, by origin: Origin, _ out: FactPublisher
    ) -> OrderTicket {
        let ticket = state.orders.insert(
            Order(
                number: number, juice: juice, cups: Int32(truncatingIfNeeded: customer.cups), placed: state.now,
                preparation: SplitMix64(seed: customer.preparationSeed)))
        if keepsLots { makeRoomForLots(of: ticket) }
        state.present &+= 1
        state.unstarted &+= 1
        announce(out) { OrderPlaced(stamp: $0, order: number, juice: juice, cups: customer.cups, by: origin) }
        if juice != customer.juice {
            state.orders[ticket].wish = customer.juice
            state.tally.substituted &+= 1
            announce(out) { OrderSubstituted(stamp: $0, order: number, wished: customer.juice, juice: juice) }
        }
        if waitsForFruit {
            takeFruitOrWait(ticket, out)
        } else {
            takeFruit(of: juice, for: ticket, number, cups: customer.cups, isFirst: true, out)
        }
        // The fruit of the wished juice was not there, so a substitute does not count.
        if juice == customer.juice { state.tally.cupsFilledAtOnce &+= Int(state.orders[ticket].filled) }
        if state.busyMakers < state.makers { startCups(out) }
        if customer.patience < .never, state.orders[ticket].started == 0 {
            sweepCalendar()
            state.calendar.schedule(.patienceOver(ticket), at: state.now + customer.patience)
        }
        return ticket
    }

    /// Takes the fruit for some cups of an order and appends them to the makers' line.
    mutating func takeFruit(for ticket: OrderTicket, cups: Int, _ out: FactPublisher) {
        let order = state.orders[ticket]
        takeFruit(of: order.juice, for: ticket, order.number, cups: cups, isFirst: order.filled == 0, out)
    }

    /// - Parameter isFirst: Whether these are the first cups of the order, which then takes a waiting place.
    @inline(__always)
    private mutating func takeFruit(
        of juice: Juice, for ticket: OrderTicket, _ number: UInt64, cups: Int, isFirst: Bool, _ out: FactPublisher
    ) {
        let taken =
            keepsLots ? makeKeepingLots(of: juice, for: ticket, cups: cups) : maker.make(juice, cups: cups)
        for place in taken {
            let fruit = maker.limits[place].fruit
            let pieces = maker.limits[place].pieces &* cups
            let level = maker.remaining(of: fruit)
            noteLevel(of: fruit, from: level &+ pieces, to: level, .order, order: number, out)
        }
        if isFirst { state.waiting &+= 1 }
        state.orders[ticket].filled &+= Int32(truncatingIfNeeded: cups)
        if state.line.isToBeSwept { sweepLine() }
        state.line.join(ticket, cups: Int32(truncatingIfNeeded: cups))
    }

    // A function of its own, because the compiler would copy the table of orders on every call.
    @inline(never)
    private mutating func sweepLine() { state.line.sweep(state.orders) }

    /// Lets free makers start the first cups of the line.
    @inline(__always)
    mutating func startCups(_ out: FactPublisher) {
        while state.busyMakers < state.makers, let ticket = state.line.next(of: state.orders) {
            startCup(of: ticket, out)
        }
    }

    /// Begins a shift. The next one is scheduled before this one starts a cup.
    mutating func changeShift(_ out: FactPublisher) {
        guard let shifts = settings.shifts else { return }
        state.makers = shifts.makers(at: state.now)
        scheduleNextShift()
        startCups(out)
    }

    /// Schedules the end of the present shift, unless it is the last.
    mutating func scheduleNextShift() {
        guard let end = settings.shifts?.end(ofShiftAt: state.now), end < .never else { return }
        state.calendar.schedule(.shift, at: end)
    }

    @inline(__always)
    private mutating func startCup(of ticket: OrderTicket, _ out: FactPublisher) {
        state.busyMakers &+= 1
        state.orders[ticket].started &+= 1
        if state.orders[ticket].started == 1 {
            state.orders[ticket].firstStart = state.now
            state.unstarted &-= 1
            state.waiting &-= 1
            if keepsLots { forgetLots(of: ticket) }
            let number = state.orders[ticket].number
            announce(out) { OrderStarted(stamp: $0, order: number) }
        }
        let juice = state.orders[ticket].juice
        let seconds = laws.preparation[juice.index].sample(using: &state.orders[ticket].preparation)
        let end = state.now + SimulationTime(seconds: seconds)
        if state.orders[ticket].started > 1 { rememberStart(of: ticket, until: end) }
        state.calendar.schedule(.cupDone(ticket), at: end)
    }

    /// Remembers when a cup after the first of its order was started.
    @inline(never)
    private mutating func rememberStart(of ticket: OrderTicket, until end: SimulationTime) {
        beginnings.laterCups.begin(at: state.now, until: .init(subject: ticket.bits, time: end))
    }

    /// The least number of events for a sweep.
    static let fewEvents = 16

    /// Removes patience events of started orders whenever the calendar has doubled since the last sweep. So its size
    /// depends on the orders in the stand, not on the patience of past customers.
    @inline(__always)
    private mutating func sweepCalendar() { if state.calendar.count >= state.sweepCalendarAt { dropStaleEvents() } }

    @inline(never)
    private mutating func dropStaleEvents() {
        state.calendar.removeAll { [orders = state.orders] in
            guard case .patienceOver(let ticket) = $0 else { return false }
            return !orders.contains(ticket) || orders[ticket].started > 0
        }
        state.sweepCalendarAt = max(Self.fewEvents, state.calendar.count * 2)
    }

    /// Finishes a cup. With the last cup the order is served.
    @inline(__always)
    mutating func finishCup(of ticket: OrderTicket, _ out: FactPublisher) {
        state.busyMakers &-= 1
        if state.orders[ticket].finishCup() { serve(ticket, out) }
        startCups(out)
    }

    @inline(__always)
    private mutating func serve(_ ticket: OrderTicket, _ out: FactPublisher) {
        let order = state.orders[ticket]
        let wait = order.firstStart - order.placed
        let stay = state.now - order.placed
        state.tally.served &+= 1
        state.tally.cupsServed &+= Int(order.cups)
        state.tally.revenue += settings.offers[order.juice.index].price * Double(order.cups)
        if order.placed >= state.tally.start {
            state.tally.waits.recordOwned(wait)
            state.tally.stays.recordOwned(stay)
            state.tally.waited &+= wait > .zero ? 1 : 0
        }
        announce(out) {
            OrderServed(
                stamp: $0, order: order.number, juice: order.juice, cups: Int(order.cups), wait: wait, stay: stay)
        }
        state.present &-= 1
        state.tally.timeSpent &+= Int128((state.now - max(order.placed, state.tally.start)).nanoseconds)
        state.orders.remove(ticket)
    }
}

// MARK: - Leaving without juice

extension Stand {
    /// Ends a customer's patience. If no cup has been started, the customer reneges and all fruit is returned.
    mutating func loseIfUnstarted(_ ticket: OrderTicket, _ out: FactPublisher) {
        guard state.orders.contains(ticket), state.orders[ticket].started == 0 else { return }
        let order = state.orders[ticket]
        lose(order.number, order.juice, cups: Int(order.cups), .ranOutOfPatience, wish: order.wish, out)
        state.present -= 1
        state.tally.timeSpent &+= Int128((state.now - max(order.placed, state.tally.start)).nanoseconds)
        state.unstarted -= 1
        if order.filled > 0 { state.waiting -= 1 }
        if order.filled < order.cups { cancelBackorder(ticket) }
        returnFruit(of: ticket, out)
        state.orders.remove(ticket)
        settle(FruitSet(settings.menu.recipe(of: order.juice).lazy.map(\.fruit)), out)
    }

    /// Counts and announces a lost order.
    ///
    /// - Parameter wish: The juice that the customer wished; nil for `juice`.
    @inline(never)
    mutating func lose(
        _ number: UInt64, _ juice: Juice?, cups: Int, _ reason: LossReason, fruit: Fruit? = nil,
        wish: Juice? = nil, unknownName: String? = nil, _ out: FactPublisher
    ) {
        state.tally.lost[reason] += 1
        if let wish = wish ?? juice { noteLoss(of: wish, reason) }
        if reason.traits.losesCups { state.tally.cupsLost += cups }
        announce(out) {
            OrderLost(
                stamp: $0, order: number, juice: juice, cups: cups, reason: reason, fruit: fruit,
                unknownName: unknownName)
        }
    }
}
