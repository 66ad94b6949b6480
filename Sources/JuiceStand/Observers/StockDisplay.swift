import Platform
import TextFormats

/// Levels, queue and counts, computed from facts alone. Status, page, metrics and live displays read it.
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
        /// Orders that took a similar juice.
        package var substituted = 0
        /// Cups of orders served.
        package var cupsServed = 0
        /// Factor on the configured arrival rate.
        package var rate = 1.0
        package var isPaused = false
        package var isClosed = false

        package init() {}

        /// Orders placed or lost, since the opening.
        package var orders: Int { present + served + LossReason.allCases.reduce(0) { $0 + lost[$1] } }
    }

    /// Set once, at the opening.
    private let stand = Guarded("")
    private let gauges = Gauges(count: Place.end)

    /// The positions of the numbers in ``gauges``.
    private enum Place {
        static let time = 0
        static let isClosed = 1
        static let queue = 2
        static let present = 3
        static let served = 4
        static let fruits = 5
        static let substituted = 6
        static let cupsServed = 7
        static let isPaused = 8
        /// The bits of a `Double`.
        static let rate = 9
        /// The number of waits noted.
        static let waited = 10
        /// One for each ``LossReason``.
        static let lost = 11
        /// Three for each fruit.
        static let shelves = lost + LossReason.allCases.count
        /// Nanoseconds; a ring.
        static let waits = shelves + 3 * Fruit.limit
        static let end = waits + mostWaits

        static func lost(_ reason: LossReason) -> Int { lost + reason.rawValue }
        static func level(_ fruit: Fruit) -> Int { shelves + 3 * fruit.index }
        static func onOrder(_ fruit: Fruit) -> Int { shelves + 3 * fruit.index + 1 }
        static func isLow(_ fruit: Fruit) -> Int { shelves + 3 * fruit.index + 2 }
    }

    /// The level of an unlimited fruit.
    private static let unlimited = Int.min
    /// The number of waits kept.
    private static let mostWaits = LedgerAudit.Counts.mostWaits

    package init() {}

    /// Shows the stand as it is, also before it opens. Facts say what comes after.
    package func begin(with stand: Stand) {
        let tally = stand.tally
        self.stand.withLock { $0 = stand.settings.stand }
        update(stand.now) {
            showShelves(stand)
            gauges[Place.queue] = stand.queue
            gauges[Place.present] = stand.ordersPresent
            gauges[Place.served] = tally.served
            for reason in LossReason.allCases { gauges[Place.lost(reason)] = tally.lost[reason] }
            gauges[Place.substituted] = tally.substituted
            gauges[Place.cupsServed] = tally.cupsServed
            gauges[Place.rate] = Self.bits(stand.rate)
            gauges[Place.isPaused] = stand.isPaused ? 1 : 0
            gauges[Place.isClosed] = stand.isClosed ? 1 : 0
        }
    }

    private static func bits(_ rate: Double) -> Int { Int(bitPattern: UInt(rate.bitPattern)) }

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
            view.substituted = gauges[Place.substituted]
            view.cupsServed = gauges[Place.cupsServed]
            view.rate = Double(bitPattern: UInt64(UInt(bitPattern: gauges[Place.rate])))
            view.isPaused = gauges[Place.isPaused] != 0
            view.isClosed = gauges[Place.isClosed] != 0
            return view
        }
    }

    /// The latest 500 waits since the display began, in nanoseconds and in no order.
    package var waits: [Int64] {
        gauges.read { (0..<min(gauges[Place.waited], Self.mostWaits)).map { Int64(gauges[Place.waits + $0]) } }
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
            gauges[Place.rate] = Self.bits(1)
            gauges[Place.isClosed] = 0
        }
    }

    package func receive(_ fact: Closed) { update(fact.stamp.time) { gauges[Place.isClosed] = 1 } }
}

extension StockDisplay: PausedObserver, ResumedObserver, RateChangedObserver {
    package func receive(_ fact: Paused) { update(fact.stamp.time) { gauges[Place.isPaused] = 1 } }

    package func receive(_ fact: Resumed) { update(fact.stamp.time) { gauges[Place.isPaused] = 0 } }

    package func receive(_ fact: RateChanged) {
        update(fact.stamp.time) { gauges[Place.rate] = Self.bits(fact.factor) }
    }
}

extension StockDisplay: OrderPlacedObserver, OrderStartedObserver, OrderServedObserver, OrderSubstitutedObserver,
    OrderLostObserver
{
    package func receive(_ fact: OrderPlaced) {
        update(fact.stamp.time) {
            gauges[Place.queue] += 1
            gauges[Place.present] += 1
        }
    }

    package func receive(_ fact: OrderStarted) { update(fact.stamp.time) { gauges[Place.queue] -= 1 } }

    package func receive(_ fact: OrderServed) {
        update(fact.stamp.time) {
            gauges[Place.served] += 1
            gauges[Place.present] -= 1
            gauges[Place.cupsServed] += fact.cups
            let waited = gauges[Place.waited]
            gauges[Place.waits + waited % Self.mostWaits] = Int(fact.wait.nanoseconds)
            gauges[Place.waited] = waited + 1
        }
    }

    package func receive(_ fact: OrderSubstituted) { update(fact.stamp.time) { gauges[Place.substituted] += 1 } }

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
    package func receive(_ fact: StockChanged) { update(fact.stamp.time) { gauges[Place.level(fact.fruit)] = fact.to } }

    package func receive(_ fact: LowStock) { update(fact.stamp.time) { gauges[Place.isLow(fact.fruit)] = 1 } }

    package func receive(_ fact: StockRecovered) { update(fact.stamp.time) { gauges[Place.isLow(fact.fruit)] = 0 } }

    package func receive(_ fact: RestockOrdered) {
        update(fact.stamp.time) { gauges[Place.onOrder(fact.fruit)] += fact.pieces }
    }

    package func receive(_ fact: RestockDelivered) {
        update(fact.stamp.time) { gauges[Place.onOrder(fact.fruit)] -= fact.pieces + fact.refused }
    }
}

extension [Int64] {
    /// The smallest of these nanoseconds with at least `perMille` thousandths of them at or below it; nil without any.
    ///
    /// - Complexity: O(*n* log *n*)
    package func percentiles(perMille: [Int]) -> [SimulationTime?] {
        let sorted = sorted()
        return perMille.map { perMille in
            guard !sorted.isEmpty else { return nil }
            return SimulationTime(nanoseconds: sorted[Swift.max(0, (sorted.count * perMille + 999) / 1000 - 1)])
        }
    }
}
