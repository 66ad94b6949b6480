/// The orders with cups that wait for fruit, in the order of placing.
///
/// An order that is filled or lost leaves its ticket behind. Such tickets are dropped when they are half of all.
struct Backorders: Sendable {
    private var tickets: [OrderTicket] = []
    /// The number of waiting cups of each juice.
    fileprivate var cups: [Int]
    /// How many tickets are of orders that do not wait any more.
    private var stale = 0
    /// For each juice, a place in `tickets` before which none of its orders waits.
    private var starts: [Int]

    init(juices: Int) {
        cups = Array(repeating: 0, count: juices)
        starts = cups
    }

    var isEmpty: Bool { stale == tickets.count }

    subscript(place: Int) -> OrderTicket { tickets[place] }

    /// - Complexity: O(1) amortized.
    fileprivate mutating func append(_ ticket: OrderTicket, _ orders: OrderTable) {
        if stale * 2 > tickets.count { dropStale(orders) }
        tickets.append(ticket)
    }

    /// Notes that an order has been filled, or is about to leave.
    fileprivate mutating func removeOne() { stale += 1 }

    /// Drops the tickets of orders that do not wait any more.
    ///
    /// - Complexity: O(*n*) for *n* tickets.
    mutating func dropStale(_ orders: OrderTable) {
        guard stale > 0 else { return }
        tickets.removeAll { !orders.contains($0) || !orders[$0].isBackordered }
        stale = 0
        starts = Array(repeating: 0, count: cups.count)
    }

    /// The place of the first waiting order of a juice; nil if none waits.
    ///
    /// - Complexity: Each ticket is looked at once for each juice, until some are dropped.
    fileprivate mutating func first(of juice: Juice, _ orders: OrderTable) -> Int? {
        guard cups[juice.index] > 0 else { return nil }
        var place = starts[juice.index]
        while place < tickets.count {
            let ticket = tickets[place]
            if orders.contains(ticket), orders[ticket].juice == juice, orders[ticket].isBackordered { break }
            place += 1
        }
        starts[juice.index] = place
        return place < tickets.count ? place : nil
    }

    /// The fruits of which a waiting cup lacks some, now or after `taken` has been taken.
    ///
    /// - Complexity: O(1) if no cup waits, else O(*n*) for *n* juices.
    func shortFruits(_ maker: JuiceMaker, after taken: (juice: Juice, cups: Int)? = nil) -> FruitSet {
        guard !isEmpty else { return FruitSet() }
        return maker.shortFruits(
            of: cups.indices.lazy.filter { cups[$0] > 0 }.map(Juice.init(index:)), after: taken)
    }
}

extension Backorders: Codable {
    private enum CodingKeys: CodingKey {
        case tickets, cups
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(juices: 0)
        tickets = Array(try members.decode(HotArray<OrderTicket>.self, forKey: .tickets))
        cups = try members.decode([Int].self, forKey: .cups)
        starts = Array(repeating: 0, count: cups.count)
    }

    /// Call ``dropStale(_:)`` before.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(HotArray(tickets), forKey: .tickets)
        try members.encode(cups, forKey: .cups)
    }
}

extension Order {
    /// Whether some of its cups wait for fruit.
    fileprivate var isBackordered: Bool { filled < cups }
}

extension JuiceMaker {
    /// The fruits of which there is less than one cup of some juice in `juices` needs, after `taken` has been taken.
    fileprivate func shortFruits(
        of juices: some Sequence<Juice>, after taken: (juice: Juice, cups: Int)? = nil
    ) -> FruitSet {
        func piecesTaken(of fruit: Fruit) -> Int {
            guard let taken else { return 0 }
            let ingredient = menu.recipe(of: taken.juice).first { $0.fruit == fruit }
            return (ingredient?.pieces ?? 0) * taken.cups
        }
        var short = FruitSet()
        for juice in juices {
            for ingredient in menu.recipe(of: juice) {
                let needed = Ingredient(ingredient.fruit, ingredient.pieces + piecesTaken(of: ingredient.fruit))
                if missing(needed) > 0 { short.insert(ingredient.fruit) }
            }
        }
        return short
    }

    /// Whether a cup can be made without any fruit that an earlier cup lacks.
    fileprivate func canMake(_ juice: Juice, without short: FruitSet) -> Bool {
        canMake(juice) && !menu.recipe(of: juice).contains { short.contains($0.fruit) }
    }
}

extension Stand {
    /// Takes the fruit of a new order: all at once, or cup by cup as far as the stock goes. The other cups wait.
    mutating func takeFruitOrWait(_ ticket: OrderTicket, _ out: FactPublisher) {
        let juice = state.orders[ticket].juice
        let cups = Int(state.orders[ticket].cups)
        // Stock only falls from cup to cup, so the last cup decides whether all can be taken at once.
        if maker.canMake(juice, cups: cups),
            maker.canMake(juice, without: state.backorders.shortFruits(maker, after: (juice, cups - 1)))
        {
            takeFruit(for: ticket, cups: cups, out)
            return
        }
        var taken = 0
        // Each cup taken may leave a waiting one short of more than before.
        while taken < cups, maker.canMake(juice, without: state.backorders.shortFruits(maker)) {
            takeFruit(for: ticket, cups: 1, out)
            taken += 1
        }
        backorder(ticket, cups: cups - taken, out)
    }

    private mutating func backorder(_ ticket: OrderTicket, cups: Int, _ out: FactPublisher) {
        let order = state.orders[ticket]
        let short = state.backorders.shortFruits(maker)
        // If there is enough of everything, an earlier waiting cup holds the fruit.
        let fruit =
            maker.shortage(for: order.juice)?.fruit
            ?? settings.menu.recipe(of: order.juice).first { short.contains($0.fruit) }!.fruit
        state.backorders.append(ticket, state.orders)
        countBackordered(order.juice, cups: cups)
        announce(out) { OrderBackordered(stamp: $0, order: order.number, fruit: fruit, cups: cups) }
    }

    /// Removes a lost order, which leaves now, from the waiting ones.
    mutating func cancelBackorder(_ ticket: OrderTicket) {
        let order = state.orders[ticket]
        state.backorders.removeOne()
        countBackordered(order.juice, cups: Int(order.filled - order.cups))
    }

    /// Fills waiting cups, first come, first served. A cup keeps later ones from every fruit that it lacks.
    ///
    /// If a cup of a juice can't be made, no later cup of that juice can. So only the first order of each juice counts.
    ///
    /// - Parameter incoming: The fruits that came in.
    /// - Complexity: O(*m*·(*n* + 1)) for *n* orders filled and *m* juices.
    mutating func fillBackorders(with incoming: FruitSet, _ out: FactPublisher) {
        guard !state.backorders.isEmpty else { return }
        var candidates: [(juice: Juice, place: Int)] = []
        for juice in settings.menu.allJuices {
            if let place = state.backorders.first(of: juice, state.orders) { candidates.append((juice, place)) }
        }
        var waitingBefore: [Juice] = []
        // No later cup can be made if earlier ones hold all the fruit that came in.
        while !incoming.isSubset(of: maker.shortFruits(of: waitingBefore)),
            let next = candidates.indices.min(by: { candidates[$0].place < candidates[$1].place })
        {
            let juice = candidates[next].juice
            let ticket = state.backorders[candidates[next].place]
            while state.orders[ticket].isBackordered,
                maker.canMake(juice, without: maker.shortFruits(of: waitingBefore))
            {
                takeFruit(for: ticket, cups: 1, out)
                countBackordered(juice, cups: -1)
            }
            if state.orders[ticket].isBackordered {
                waitingBefore.append(juice)
                candidates.remove(at: next)
                continue
            }
            state.backorders.removeOne()
            if let place = state.backorders.first(of: juice, state.orders) {
                candidates[next].place = place
            } else {
                candidates.remove(at: next)
            }
        }
    }

    private mutating func countBackordered(_ juice: Juice, cups: Int) {
        state.backorders.cups[juice.index] += cups
        // Waiting cups lower the position of a fruit, even if its level does not change.
        for ingredient in settings.menu.recipe(of: juice) where !maker.isUnlimited(ingredient.fruit) {
            moved.insert(ingredient.fruit)
            let now = state.tally.fruits[ingredient.fruit.index].backordered.value
            state.tally.fruits[ingredient.fruit.index].backordered.set(now + cups * ingredient.pieces, at: state.now)
        }
    }
}
