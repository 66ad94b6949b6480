/// Orders with cups that wait for fruit, in the order in which they were placed.
struct Backorders: Codable, Sendable {
    fileprivate(set) var tickets: [OrderTicket] = []
    /// Waiting cups of each juice.
    fileprivate var cups: [Int]

    init(juices: Int) {
        cups = Array(repeating: 0, count: juices)
    }

    var isEmpty: Bool { tickets.isEmpty }

    /// The fruits that waiting cups are short of now.
    ///
    /// - Complexity: O(1) where none waits, else O(*n*) for *n* juices
    func shortFruits(_ maker: JuiceMaker) -> FruitSet {
        guard !isEmpty else { return FruitSet() }
        return maker.shortFruits(of: cups.indices.lazy.filter { cups[$0] > 0 }.map(Juice.init(index:)))
    }
}

extension JuiceMaker {
    /// The fruits of which there is less than a cup of one of `juices` needs.
    fileprivate func shortFruits(of juices: some Sequence<Juice>) -> FruitSet {
        var short = FruitSet()
        for juice in juices {
            for ingredient in menu.recipe(of: juice) where missing(ingredient) > 0 {
                short.insert(ingredient.fruit)
            }
        }
        return short
    }

    /// Whether a cup can be made without the fruits that earlier cups are short of.
    fileprivate func canMake(_ juice: Juice, without short: FruitSet) -> Bool {
        canMake(juice) && !menu.recipe(of: juice).contains { short.contains($0.fruit) }
    }
}

extension Stand {
    /// Takes the fruit of a new order: all at once, or cup by cup as far as stock goes, and the rest waits.
    mutating func takeFruitOrWait(_ ticket: OrderTicket, _ out: FactPublisher) {
        let juice = state.orders[ticket].juice
        let cups = Int(state.orders[ticket].cups)
        if maker.canMake(juice, cups: cups), maker.canMake(juice, without: state.backorders.shortFruits(maker)) {
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
        // Where there is enough of everything, an earlier cup keeps the fruit.
        let fruit =
            maker.shortage(for: order.juice)?.fruit
            ?? settings.menu.recipe(of: order.juice).first { short.contains($0.fruit) }!.fruit
        state.backorders.tickets.append(ticket)
        countBackordered(order.juice, cups: cups)
        announce(out) { OrderBackordered(stamp: $0, order: order.number, fruit: fruit, cups: cups) }
    }

    /// The cups of an order that is lost wait no longer.
    ///
    /// - Complexity: O(*n*) for *n* orders that wait
    mutating func cancelBackorder(_ ticket: OrderTicket) {
        let order = state.orders[ticket]
        state.backorders.tickets.removeAll { $0 == ticket }
        countBackordered(order.juice, cups: Int(order.filled - order.cups))
    }

    /// Hands fruit that came in to waiting cups: first come first served, and a cup keeps later ones from a fruit it
    /// is short of.
    ///
    /// - Complexity: O(*n*) for *n* orders that wait
    mutating func fillBackorders(with incoming: FruitSet, _ out: FactPublisher) {
        guard !state.backorders.isEmpty else { return }
        var waitingBefore: Set<Juice> = []
        var filled: Set<OrderTicket> = []
        for ticket in state.backorders.tickets {
            // A cup that could not be made before and wants nothing that came in can't be made now either.
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
        // The position of a fruit falls with what waits for it, even where no level does.
        for ingredient in settings.menu.recipe(of: juice) where !maker.isUnlimited(ingredient.fruit) {
            moved.insert(ingredient.fruit)
            let now = state.tally.fruits[ingredient.fruit.index].backordered.value
            state.tally.fruits[ingredient.fruit.index].backordered.set(now + cups * ingredient.pieces, at: state.now)
        }
    }
}
