// The stock: levels, returns, spoilage, and restocking.

extension Stand {
    /// Changes a level and notes the change.
    mutating func changeLevel(
        of fruit: Fruit, by change: Int, _ cause: StockCause, order ticket: OrderTicket? = nil, _ out: FactPublisher
    ) {
        guard change != 0, let from = maker.stock(of: fruit) else { return }
        let to = from + change
        if change < 0 {
            maker.remove(-change, of: fruit)
        } else if let ticket, maker.isPerishable(fruit) {
            for taken in state.lotsTaken[ticket.slot] where taken.fruit == fruit {
                maker.add(taken.lot.pieces, of: fruit, spoilsAt: taken.lot.spoilsAt)
            }
        } else {
            let spoilsAt = state.now + (settings.shelves[fruit.index].shelfLife ?? .never)
            maker.add(change, of: fruit, spoilsAt: spoilsAt.nanoseconds)
            if maker.isPerishable(fruit) { state.calendar.schedule(.shelfLifeOver(fruit), at: spoilsAt) }
        }
        noteLevel(of: fruit, from: from, to: to, cause, order: ticket.map { state.orders[$0].number }, out)
    }

    /// Notes a changed level: updates averages, announces facts, and marks a low position for restocking at the end of
    /// the event.
    @inline(__always)
    mutating func noteLevel(
        of fruit: Fruit, from: Int, to: Int, _ cause: StockCause, order: UInt64?, _ out: FactPublisher
    ) {
        // A higher position needs no decision until it changes again.
        if position(of: fruit, level: to) <= reorderPoints[fruit.index] { moved.insert(fruit) }
        let now = state.now
        let need = needs[fruit.index]
        state.tally.fruits.change(fruit.index) { $0.setLevel(to, need: need, at: now) }
        announce(out) { StockChanged(stamp: $0, fruit: fruit, from: from, to: to, cause: cause, order: order) }
        let threshold = lowStock[fruit.index]
        if (from > threshold) != (to > threshold) { announceCrossing(of: fruit, isLow: from > to, to, threshold, out) }
    }

    /// Announces that a level has fallen to its low-stock threshold, or has risen above it again.
    @inline(never)
    mutating func announceCrossing(of fruit: Fruit, isLow: Bool, _ level: Int, _ threshold: Int, _ out: FactPublisher) {
        if isLow {
            state.tally.lowStockAlerts += 1
            announce(out) { LowStock(stamp: $0, fruit: fruit, level: level, threshold: threshold) }
        } else {
            announce(out) { StockRecovered(stamp: $0, fruit: fruit, level: level, threshold: threshold) }
        }
    }

    /// Returns all fruit of an unstarted order to stock. Pieces keep their age; those past their shelf life spoil at
    /// once.
    mutating func returnFruit(of ticket: OrderTicket, _ out: FactPublisher) {
        let order = state.orders[ticket]
        for ingredient in settings.menu.recipe(of: order.juice) {
            changeLevel(of: ingredient.fruit, by: ingredient.pieces * Int(order.filled), .return, order: ticket, out)
            if keepsLots { throwAwaySpoiled(ingredient.fruit, out) }
        }
        if keepsLots { forgetLots(of: ticket) }
    }

    // Functions of their own, because the compiler would check for shared lots even if no fruit spoils.

    /// Takes an order's fruit and, until the order is started, remembers which pieces: they may have to be returned.
    @inline(never)
    mutating func makeKeepingLots(of juice: Juice, for ticket: OrderTicket, cups: Int) -> Range<Int> {
        let mayReturn = state.orders[ticket].started == 0
        return maker.make(juice, cups: cups) { fruit, lot in
            if mayReturn { state.lotsTaken.append(lot, of: fruit, to: ticket.slot) }
        }
    }

    @inline(never)
    mutating func makeRoomForLots(of ticket: OrderTicket) { state.lotsTaken.makeRoom(for: ticket.slot) }

    @inline(never)
    mutating func forgetLots(of ticket: OrderTicket) { state.lotsTaken.removeAll(of: ticket.slot) }

    /// Removes the pieces that have reached their shelf life.
    mutating func throwAwaySpoiled(_ fruit: Fruit, _ out: FactPublisher) {
        let pieces = maker.spoiled(of: fruit, at: state.now.nanoseconds)
        state.tally.fruits[fruit.index].piecesSpoiled += pieces
        changeLevel(of: fruit, by: -pieces, .spoilage, out)
    }
}

// MARK: - Restocking

extension Stand {
    /// At the opening, starts the age of the first pieces and reviews the position once.
    mutating func setUpShelf(of fruit: Fruit, _ out: FactPublisher) {
        let shelf = settings.shelves[fruit.index]
        if let shelfLife = shelf.shelfLife { state.calendar.schedule(.shelfLifeOver(fruit), at: shelfLife) }
        if shelf.restock.review != nil { review(fruit, out) } else { restock(fruit, out) }
    }

    /// Reviews the position and schedules the next review.
    mutating func review(_ fruit: Fruit, _ out: FactPublisher) {
        restock(fruit, out)
        if let review = settings.shelves[fruit.index].restock.review {
            state.calendar.schedule(.review(fruit), at: state.now + review)
        }
    }

    /// Reviews the changed positions of fruits under continuous review.
    mutating func decideRestocking(_ out: FactPublisher) {
        moved.formIntersection(continuousReview)
        while let fruit = moved.popFirst() { restock(fruit, out) }
    }

    /// The inventory position: pieces on hand and on order, less those of backordered cups.
    func position(of fruit: Fruit) -> Int { position(of: fruit, level: maker.stock(of: fruit) ?? 0) }

    @inline(__always)
    private func position(of fruit: Fruit, level: Int) -> Int {
        level + state.onOrder[fruit.index] - state.tally.fruits[fruit.index].backordered.value
    }

    private mutating func restock(_ fruit: Fruit, _ out: FactPublisher) {
        guard position(of: fruit) <= reorderPoints[fruit.index], !maker.isUnlimited(fruit) else { return }
        switch settings.shelves[fruit.index].restock {
        case .manual:
            break
        case .orderUpTo(_, let level, let leadTime, _):
            if canTakeDelivery(of: fruit, leadTime) {
                orderPieces(min(level - position(of: fruit), Delivery.mostPieces), of: fruit, leadTime, out)
            }
        case .fixedQuantity(let reorderPoint, let quantity, let leadTime):
            guard canTakeDelivery(of: fruit, leadTime) else { return }
            while position(of: fruit) <= reorderPoint { orderPieces(quantity, of: fruit, leadTime, out) }
        }
    }

    /// Whether a continuous rule may order now. With a lead time of 0 and a full shelf, the delivery would be refused
    /// and ordered again for ever.
    private func canTakeDelivery(of fruit: Fruit, _ leadTime: Distribution) -> Bool {
        guard continuousReview.contains(fruit), leadTime.shareOfZeros == 1,
            let capacity = settings.shelves[fruit.index].capacity
        else { return true }
        return maker.stock(of: fruit) ?? 0 < capacity
    }

    private mutating func orderPieces(_ pieces: Int, of fruit: Fruit, _ leadTime: Distribution, _ out: FactPublisher) {
        state.onOrder[fruit.index] += pieces
        state.tally.fruits[fruit.index].ordersPlaced += 1
        state.tally.fruits[fruit.index].piecesOrdered += pieces
        announce(out) { RestockOrdered(stamp: $0, fruit: fruit, pieces: pieces) }
        let seconds = Sampler(leadTime).sampleOnce(from: &state.leadTimes[fruit.index])
        let delivery = Delivery(of: fruit, pieces: pieces)
        let end = state.now + SimulationTime(seconds: seconds)
        beginnings.deliveries.begin(at: state.now, until: .init(subject: delivery.bits, time: end))
        state.calendar.schedule(.delivery(delivery), at: end)
    }

    /// Receives a delivery: refuses pieces that do not fit the shelf, fills waiting cups, and starts cups.
    mutating func receive(_ delivery: Delivery, _ out: FactPublisher) {
        let fruit = delivery.fruit
        let shelf = settings.shelves[fruit.index]
        let room = shelf.capacity.map { max(0, $0 - (maker.stock(of: fruit) ?? 0)) } ?? .max
        let accepted = min(delivery.pieces, room)
        let refused = delivery.pieces - accepted
        state.onOrder[fruit.index] -= delivery.pieces
        moved.insert(fruit)
        state.tally.fruits[fruit.index].piecesDelivered += accepted
        announce(out) { RestockDelivered(stamp: $0, fruit: fruit, pieces: accepted, refused: refused) }
        changeLevel(of: fruit, by: accepted, .delivery, out)
        settle(FruitSet([fruit]), out)
    }

    /// Fills waiting cups and starts cups, after fruit came in or a waiting cup stopped holding it back.
    mutating func settle(_ fruits: FruitSet, _ out: FactPublisher) {
        fillBackorders(with: fruits, out)
        startCups(out)
    }

    /// Whether the remaining orders can never be served: only reviews are scheduled, and none of them will order.
    var isStuck: Bool {
        guard state.arrivalsEnded, state.busyMakers == 0 else { return false }
        return state.calendar.allSatisfy { event in
            switch event {
            case .review(let fruit): position(of: fruit) > reorderPoints[fruit.index]
            case .shift: state.line.isEmpty(state.orders) || settings.shifts?.hasMakers(from: state.now) != true
            default: false
            }
        }
    }
}
