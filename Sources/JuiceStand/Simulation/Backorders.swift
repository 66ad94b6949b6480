/// The orders with cups that wait for fruit, in the order of placing.
struct Backorders: Codable, Sendable {
    fileprivate(set) var tickets: [OrderTicket] = []
    /// The number of waiting cups of each juice.
    fileprivate var cups: [Int]

    init(juices: Int) { cups = Array(repeating: 0, count: juices) }

    var isEmpty: Bool { tickets.isEmpty }

    /// The fruits of which a waiting cup lacks some, now or after `taken` has been taken.
    ///
    /// - Complexity: O(1) if no cup waits, else O(*n*) for *n* juices.
    func shortFruits(_ maker: JuiceMaker, after taken: (juice: Juice, cups: Int)? = nil) -> FruitSet {
        guard !isEmpty else { return FruitSet() }
        return maker.shortFruits(
            of: cups.indices.lazy.filter { cups[$0] > 0 }.map(Juice.init(index:)), after: taken)
    }
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
        state.backorders.tickets.append(ticket)
        countBackordered(order.juice, cups: cups)
        announce(out) { OrderBackordered(stamp: $0, order: order.number, fruit: fruit, cups: cups) }
    }

    /// Removes a lost order from the waiting ones.
    ///
    /// - Complexity: O(*n*) for *n* waiting orders.
    mutating func cancelBackorder(_ ticket: OrderTicket) {
        let order = state.orders[ticket]
        state.backorders.tickets.removeAll { $0 == ticket }
        countBackordered(order.juice, cups: Int(order.filled - order.cups))
    }

    /// Fills waiting cups, first come, first served. A cup keeps later ones from every fruit that it lacks.
    ///
    /// - Parameter incoming: The fruits that came in.
    /// - Complexity: O(*n*) for *n* waiting orders.
    mutating func fillBackorders(with incoming: FruitSet, _ out: FactPublisher) {
        guard !state.backorders.isEmpty else { return }
        var waitingBefore: Set<Juice> = []
        var filled: Set<OrderTicket> = []
        for ticket in state.backorders.tickets {
            // No later cup can be made if earlier ones hold all the fruit that came in.
            if incoming.isSubset(of: maker.shortFruits(of: waitingBefore)) { break }
            let juice = state.orders[ticket].juice
            while state.orders[ticket].filled < state.orders[ticket].cups,
                maker.canMake(juice, without: maker.shortFruits(of: waitingBefore))
            {
                takeFruit(for: ticket, cups: 1, out)
                countBackordered(juice, cups: -1)
            }
            if state.orders[ticket].filled == state.orders[ticket].cups {
                filled.insert(ticket)
            } else {
                waitingBefore.insert(juice)
            }
        }
        if !filled.isEmpty { state.backorders.tickets.removeAll { filled.contains($0) } }
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
