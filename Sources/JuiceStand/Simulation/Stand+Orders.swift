// A customer's way: arrive, place, take fruit, join the line, be made, be served — or leave on the way.

extension Stand {
    /// Expects the customer after the one of now.
    @inline(__always)
    mutating func scheduleNextArrival() {
        let time = state.customers.arrivals.next(
            after: state.now, arrivals, settings.customers.arrivals, factor: state.rate.factor)
        state.rate.nextArrival = time
        state.arrivalsEnded = time == .never
        state.calendar.schedule(.arrival, at: time)
        if laws.party != nil { scheduleCompanions(nextCompanions(), at: time) }
    }

    /// The rest of a party comes right after its first customer.
    mutating func scheduleCompanions(_ count: Int, at time: SimulationTime) {
        state.rate.companions = count
        for _ in 0..<count { state.calendar.schedule(.companion, at: time) }
    }

    /// The customer due now arrives; the next one is expected first, so that of two things due at one later instant
    /// the arrival comes first.
    @inline(__always)
    mutating func arrive(_ out: FactPublisher) {
        let customer = nextCustomer()
        scheduleNextArrival()
        admit(customer, by: .customer, out)
    }

    /// Another order of the party that has just arrived.
    @inline(never)
    mutating func arriveWithParty(_ out: FactPublisher) {
        admit(nextCustomer(), by: .customer, out)
    }

    /// A customer asks for juice: rules 1 to 3.
    @inline(__always)
    mutating func admit(_ customer: Customer, by origin: Origin, _ out: FactPublisher) {
        state.ordersNumbered &+= 1
        let number = state.ordersNumbered
        state.tally.arrived &+= 1
        guard state.busyMakers < state.makers || state.waiting < settings.queueLimit else {
            return balk(number, customer, out)
        }
        state.tally.cupsDemanded &+= customer.cups

        var juice = customer.juice
        let waitsForFruit = settings.customers.whenSoldOut == .wait
        if !waitsForFruit, !maker.canMake(juice, cups: customer.cups) {
            guard settings.customers.whenSoldOut == .substitute,
                let other = Self.substitute(for: juice, cups: customer.cups, substitutes, maker)
            else { return loseForWantOfFruit(number, customer, out) }
            juice = other
        }

        let ticket = state.orders.insert(
            Order(
                number: number, juice: juice, cups: Int32(truncatingIfNeeded: customer.cups), placed: state.now,
                preparation: SplitMix64(seed: customer.preparationSeed)))
        if keepsLots { makeRoomForLots(of: ticket) }
        state.present &+= 1
        state.unstarted &+= 1
        announce(out) { OrderPlaced(stamp: $0, order: number, juice: juice, cups: customer.cups, by: origin) }
        if juice != customer.juice {
            state.tally.substituted &+= 1
            announce(out) { OrderSubstituted(stamp: $0, order: number, wished: customer.juice, juice: juice) }
        }
        if waitsForFruit {
            takeFruitOrWait(ticket, out)
        } else {
            takeFruit(of: juice, for: ticket, number, cups: customer.cups, isFirst: true, out)
        }
        // The fruit of a juice that was taken instead was not there when it was asked for.
        if juice == customer.juice { state.tally.cupsFilledAtOnce &+= Int(state.orders[ticket].filled) }
        if state.busyMakers < state.makers { startCups(out) }
        if customer.patience < .never, state.orders[ticket].started == 0 {
            sweepCalendar()
            state.calendar.schedule(.patienceOver(ticket), at: state.now + customer.patience)
        }
    }

    /// Takes the fruit for some cups of an order and puts them at the end of the makers' line.
    mutating func takeFruit(for ticket: OrderTicket, cups: Int, _ out: FactPublisher) {
        let order = state.orders[ticket]
        takeFruit(of: order.juice, for: ticket, order.number, cups: cups, isFirst: order.filled == 0, out)
    }

    /// - Parameter isFirst: Whether nothing has been taken for the order yet, so that it now holds a waiting place.
    @inline(__always)
    private mutating func takeFruit(
        of juice: Juice, for ticket: OrderTicket, _ number: UInt64, cups: Int, isFirst: Bool, _ out: FactPublisher
    ) {
        let taken =
            keepsLots ? makeKeepingLots(of: juice, for: ticket, cups: cups) : maker.make(juice, cups: cups)
        for place in taken {
            let (fruit, pieces) = (maker.limits[place].fruit, maker.limits[place].pieces &* cups)
            let level = maker.remaining(of: fruit)
            noteLevel(of: fruit, from: level &+ pieces, to: level, .order, order: number, out)
        }
        if isFirst { state.waiting &+= 1 }
        state.orders[ticket].filled &+= Int32(truncatingIfNeeded: cups)
        if state.line.isToBeSwept { sweepLine() }
        state.line.join(ticket, cups: Int32(truncatingIfNeeded: cups))
    }

    // Apart, because the compiler would copy the table of orders for it every time.
    @inline(never)
    private mutating func sweepLine() { state.line.sweep(state.orders) }

    /// Free makers begin the first cups of the line.
    @inline(__always)
    mutating func startCups(_ out: FactPublisher) {
        while state.busyMakers < state.makers, let ticket = state.line.next(of: state.orders) {
            startCup(of: ticket, out)
        }
    }

    /// The shift that begins now: the next one is expected before this one starts a cup.
    mutating func changeShift(_ out: FactPublisher) {
        guard let shifts = settings.shifts else { return }
        state.makers = shifts.makers(at: state.now)
        scheduleNextShift()
        startCups(out)
    }

    /// Expects the end of the present shift, unless it is the last.
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
        state.calendar.schedule(.cupDone(ticket), at: state.now + SimulationTime(seconds: seconds))
    }

    /// So few events are not worth a sweep.
    static let fewEvents = 16

    /// Drops patience events of orders that were started, whenever the calendar has doubled since the last time: its
    /// size follows the stand and not the customers' patience.
    @inline(__always)
    private mutating func sweepCalendar() {
        if state.calendar.count >= state.sweepCalendarAt { dropStaleEvents() }
    }

    @inline(never)
    private mutating func dropStaleEvents() {
        state.calendar.removeAll { [orders = state.orders] in
            guard case .patienceOver(let ticket) = $0 else { return false }
            return !orders.contains(ticket) || orders[ticket].started > 0
        }
        state.sweepCalendarAt = max(Self.fewEvents, state.calendar.count * 2)
    }

    /// A maker is done with a cup, and with the last one the order is served.
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
    /// The customer's patience is over: reneges, if no cup has been started, and all the fruit goes back.
    mutating func loseIfUnstarted(_ ticket: OrderTicket, _ out: FactPublisher) {
        guard state.orders.contains(ticket), state.orders[ticket].started == 0 else { return }
        let order = state.orders[ticket]
        state.tally.reneged += 1
        state.tally.cupsLost += Int(order.cups)
        announce(out) {
            OrderLost(
                stamp: $0, order: order.number, juice: order.juice, cups: Int(order.cups), reason: .ranOutOfPatience)
        }
        state.present -= 1
        state.tally.timeSpent &+= Int128((state.now - max(order.placed, state.tally.start)).nanoseconds)
        state.unstarted -= 1
        if order.filled > 0 { state.waiting -= 1 }
        if order.filled < order.cups { cancelBackorder(ticket) }
        returnFruit(of: ticket, out)
        state.orders.remove(ticket)
        settle(FruitSet(settings.menu.recipe(of: order.juice).lazy.map(\.fruit)), out)
    }

    @inline(never)
    private mutating func balk(_ number: UInt64, _ customer: Customer, _ out: FactPublisher) {
        state.tally.balked += 1
        announceLoss(of: number, customer, .queueFull, out)
    }

    @inline(never)
    private mutating func loseForWantOfFruit(_ number: UInt64, _ customer: Customer, _ out: FactPublisher) {
        state.tally.soldOut += 1
        state.tally.cupsLost += customer.cups
        announceLoss(
            of: number, customer, .soldOut, fruit: maker.shortage(for: customer.juice, cups: customer.cups)?.fruit, out)
    }

    private mutating func announceLoss(
        of number: UInt64, _ customer: Customer, _ reason: LossReason, fruit: Fruit? = nil, _ out: FactPublisher
    ) {
        announce(out) {
            OrderLost(
                stamp: $0, order: number, juice: customer.juice, cups: customer.cups, reason: reason, fruit: fruit)
        }
    }

    /// The most similar juice that can be made; nil where none can.
    private static func substitute(
        for wish: Juice, cups: Int, _ substitutes: [[Juice]], _ maker: JuiceMaker
    ) -> Juice? {
        substitutes[wish.index].first { maker.canMake($0, cups: cups) }
    }
}
