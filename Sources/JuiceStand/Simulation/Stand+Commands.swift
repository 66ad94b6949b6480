// What people do to a running stand by hand, as opposed to what its customers and rules do.

/// A change of the stock that can't be made.
package enum StockEditError: Error, Equatable, Sendable {
    case wouldBeNegative(Fruit, by: Int)
    case wouldNotFit(Fruit, by: Int)
    case isUnlimited(Fruit)
}

extension Stand {
    /// Places an order by hand; it queues like any customer's and never runs out of patience.
    ///
    /// - Precondition: everything before `time` has happened and nothing after it.
    package mutating func order(_ name: String, cups: Int = 1, at time: SimulationTime, _ out: Outlet) {
        state.now = time
        defer { endEvent(out) }
        precondition((1...CustomerGenerator.mostCups).contains(cups), "\(cups) cups")
        guard let juice = settings.menu.juice(named: name) else {
            state.ordersNumbered += 1
            state.tally.arrived += 1
            let number = state.ordersNumbered
            announce(.orderLost, out) {
                $0.announce(
                    OrderLost(
                        stamp: $1, order: number, juice: nil, cups: cups, reason: .notOnMenu, unknownName: name))
            }
            return
        }
        let seed = state.customers.preparationSeedForCommand()
        admit(Customer(juice: juice, cups: cups, patience: nil, preparationSeed: seed), by: .command, out)
    }

    /// Changes the stock by differences: all of them or none.
    ///
    /// - Precondition: everything before `time` has happened and nothing after it.
    /// - Throws: ``StockEditError``; the stock is then as it was.
    package mutating func edit(
        _ changes: [(fruit: Fruit, pieces: Int)], at time: SimulationTime, _ out: Outlet
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
        state.now = time
        defer { endEvent(out) }
        for (fruit, pieces) in changes { changeLevel(of: fruit, by: pieces, .edit, out) }
        settle(FruitSet(changes.map(\.fruit)), out)
    }
}
