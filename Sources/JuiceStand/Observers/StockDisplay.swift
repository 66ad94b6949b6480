import Platform
import TextFormats

/// The figures that a screen shows, computed from facts alone.
package final class StockDisplay: Sendable {
    /// The stand as its customers see it.
    package struct View: Equatable, Sendable {
        package var stand = ""
        package var time = SimulationTime.zero
        /// Pieces in menu order; nil for an unlimited fruit.
        package var levels: [Int?] = []
        /// Pieces ordered and not yet delivered, in menu order.
        package var onOrder: [Int] = []
        package var isLow: [Bool] = []
        /// Orders of which no cup has been started.
        package var queue = 0
        /// Orders in the stand.
        package var present = 0
        package var served = 0
        package var lost = LossCounts()
        package var isOpen = false

        package init() {}
    }

    /// Set once, at the opening.
    private let stand = Guarded("")
    private let gauges = Gauges(count: Place.end)

    /// The positions of the numbers in ``gauges``.
    private enum Place {
        static let time = 0
        static let isOpen = 1
        static let queue = 2
        static let present = 3
        static let served = 4
        static let fruits = 5
        /// One for each ``LossReason``.
        static let lost = 6
        /// Three for each fruit.
        static let shelves = lost + LossReason.allCases.count
        static let end = shelves + 3 * Fruit.limit

        static func lost(_ reason: LossReason) -> Int { lost + reason.rawValue }
        static func level(_ fruit: Fruit) -> Int { shelves + 3 * fruit.index }
        static func onOrder(_ fruit: Fruit) -> Int { shelves + 3 * fruit.index + 1 }
        static func isLow(_ fruit: Fruit) -> Int { shelves + 3 * fruit.index + 2 }
    }

    /// The level of an unlimited fruit.
    private static let unlimited = Int.min

    package init() {}

    /// Shows a stand that was already open.
    package func show(_ stand: Stand) {
        let tally = stand.tally
        self.stand.withLock { $0 = stand.settings.stand }
        update(stand.now) {
            showShelves(stand)
            gauges[Place.queue] = stand.queue
            gauges[Place.present] = stand.ordersPresent
            gauges[Place.served] = tally.served
            for reason in LossReason.allCases { gauges[Place.lost(reason)] = tally.lost[reason] }
            gauges[Place.isOpen] = 1
        }
    }

    private func showShelves(_ stand: Stand) {
        gauges[Place.fruits] = stand.onOrder.count
        for fruit in stand.settings.menu.allFruits {
            let level = stand.maker.stock(of: fruit)
            let isLow = level ?? .max <= stand.settings.shelves[fruit.index].lowStock ?? .min
            gauges[Place.level(fruit)] = level ?? Self.unlimited
            gauges[Place.onOrder(fruit)] = stand.onOrder[fruit.index]
            gauges[Place.isLow(fruit)] = isLow ? 1 : 0
        }
    }

    /// The view after the latest fact.
    package var current: View {
        let stand = stand.withLock { $0 }
        return gauges.read {
            var view = View()
            view.stand = stand
            view.time = SimulationTime(nanoseconds: Int64(gauges[Place.time]))
            let fruits = (0..<gauges[Place.fruits]).map(Fruit.init(index:))
            view.levels = fruits.map { gauges[Place.level($0)] }.map { $0 == Self.unlimited ? nil : $0 }
            view.onOrder = fruits.map { gauges[Place.onOrder($0)] }
            view.isLow = fruits.map { gauges[Place.isLow($0)] != 0 }
            view.queue = gauges[Place.queue]
            view.present = gauges[Place.present]
            view.served = gauges[Place.served]
            for reason in LossReason.allCases { view.lost[reason] = gauges[Place.lost(reason)] }
            view.isOpen = gauges[Place.isOpen] != 0
            return view
        }
    }

    /// Facts arrive one at a time under every wiring, so there is one writer.
    @inline(__always)
    private func update(_ time: SimulationTime, _ body: () -> Void) {
        gauges.update {
            gauges[Place.time] = Int(time.nanoseconds)
            body()
        }
    }
}

extension StockDisplay: OpenedObserver, ClosedObserver {
    package func receive(_ fact: Opened) {
        stand.withLock { $0 = fact.stand }
        update(fact.stamp.time) {
            gauges[Place.fruits] = fact.stock.count
            for (index, level) in fact.stock.enumerated() {
                let fruit = Fruit(index: index)
                gauges[Place.level(fruit)] = level ?? Self.unlimited
                gauges[Place.onOrder(fruit)] = 0
                gauges[Place.isLow(fruit)] = 0
            }
            gauges[Place.isOpen] = 1
        }
    }

    package func receive(_ fact: Closed) {
        update(fact.stamp.time) { gauges[Place.isOpen] = 0 }
    }
}

extension StockDisplay: OrderPlacedObserver, OrderStartedObserver, OrderServedObserver, OrderLostObserver {
    package func receive(_ fact: OrderPlaced) {
        update(fact.stamp.time) {
            gauges[Place.queue] += 1
            gauges[Place.present] += 1
        }
    }

    package func receive(_ fact: OrderStarted) {
        update(fact.stamp.time) { gauges[Place.queue] -= 1 }
    }

    package func receive(_ fact: OrderServed) {
        update(fact.stamp.time) {
            gauges[Place.served] += 1
            gauges[Place.present] -= 1
        }
    }

    package func receive(_ fact: OrderLost) {
        update(fact.stamp.time) {
            if fact.reason.traits.wasPlaced {
                gauges[Place.queue] -= 1
                gauges[Place.present] -= 1
            }
            gauges[Place.lost(fact.reason)] += 1
        }
    }
}

extension StockDisplay: StockChangedObserver, LowStockObserver, StockRecoveredObserver, RestockOrderedObserver,
    RestockDeliveredObserver
{
    package func receive(_ fact: StockChanged) {
        update(fact.stamp.time) { gauges[Place.level(fact.fruit)] = fact.to }
    }

    package func receive(_ fact: LowStock) {
        update(fact.stamp.time) { gauges[Place.isLow(fact.fruit)] = 1 }
    }

    package func receive(_ fact: StockRecovered) {
        update(fact.stamp.time) { gauges[Place.isLow(fact.fruit)] = 0 }
    }

    package func receive(_ fact: RestockOrdered) {
        update(fact.stamp.time) { gauges[Place.onOrder(fact.fruit)] += fact.pieces }
    }

    package func receive(_ fact: RestockDelivered) {
        update(fact.stamp.time) { gauges[Place.onOrder(fact.fruit)] -= fact.pieces + fact.refused }
    }
}
