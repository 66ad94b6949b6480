import Platform
import TextFormats

/// Levels, queue and counts, computed from facts alone. Status, page, metrics and live displays read it.
package final class StockDisplay: Sendable {
    /// The stand as its customers see it.
    package struct View: Codable, Equatable, Sendable {
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

        /// Makes room for a fruit: a display may be connected to a stand that is open already.
        fileprivate mutating func add(_ fruit: Fruit) {
            while levels.count <= fruit.index {
                levels.append(nil)
                onOrder.append(0)
                isLow.append(false)
            }
        }

        /// Orders placed or lost, since the opening.
        package var orders: Int { present + served + LossReason.allCases.reduce(0) { $0 + lost[$1] } }
    }

    /// All that the display knows.
    package struct Memory: Codable, Equatable, Sendable {
        var view = View()
        /// The waits of the latest orders served, in nanoseconds; a ring once it is full.
        var waits: [Int64] = []
        var oldestWait = 0

        fileprivate mutating func add(wait: Int64) {
            guard waits.count == StockDisplay.mostWaits else { return waits.append(wait) }
            waits[oldestWait] = wait
            oldestWait = (oldestWait + 1) % StockDisplay.mostWaits
        }
    }

    /// The number of waits kept.
    private static let mostWaits = 500

    private let state = Guarded(Memory())

    package init() {}

    /// All that it knows, to go on with later.
    package var memory: Memory {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// The view after the latest fact.
    package var current: View { state.withLock { $0.view } }

    /// The latest 500 waits, in nanoseconds and in no order.
    package var waits: [Int64] { state.withLock { $0.waits } }

    /// Shows the stand as it is, also before it opens. Facts say what comes after.
    package func begin(with stand: Stand) {
        let tally = stand.tally
        var view = View()
        view.stand = stand.settings.stand
        view.time = stand.now
        view.levels = stand.maker.levels
        view.onOrder = stand.onOrder
        view.isLow = zip(view.levels, stand.settings.shelves).map { level, shelf in
            level ?? .max <= shelf.lowStock ?? .min
        }
        view.queue = stand.queue
        view.present = stand.ordersPresent
        view.served = tally.served
        view.lost = tally.lost
        view.substituted = tally.substituted
        view.cupsServed = tally.cupsServed
        view.rate = stand.rate
        view.isPaused = stand.isPaused
        view.isClosed = stand.isClosed
        memory = Memory(view: view)
    }

    @inline(__always)
    private func update(_ stamp: Stamp, _ fruit: Fruit? = nil, _ body: (inout View) -> Void) {
        state.withLock { state in
            state.view.time = stamp.time
            if let fruit { state.view.add(fruit) }
            body(&state.view)
        }
    }
}

extension StockDisplay: OpenedObserver, ClosedObserver {
    package func receive(_ fact: Opened) {
        update(fact.stamp) { view in
            view.stand = fact.stand
            view.levels = fact.stock
            view.onOrder = fact.stock.map { _ in 0 }
            view.isLow = fact.stock.map { _ in false }
            view.rate = 1
            view.isClosed = false
        }
    }

    package func receive(_ fact: Closed) { update(fact.stamp) { $0.isClosed = true } }
}

extension StockDisplay: PausedObserver, ResumedObserver, RateChangedObserver {
    package func receive(_ fact: Paused) { update(fact.stamp) { $0.isPaused = true } }

    package func receive(_ fact: Resumed) { update(fact.stamp) { $0.isPaused = false } }

    package func receive(_ fact: RateChanged) { update(fact.stamp) { $0.rate = fact.factor } }
}

extension StockDisplay: OrderPlacedObserver, OrderStartedObserver, OrderServedObserver, OrderSubstitutedObserver,
    OrderLostObserver
{
    package func receive(_ fact: OrderPlaced) {
        update(fact.stamp) { view in
            view.queue += 1
            view.present += 1
        }
    }

    package func receive(_ fact: OrderStarted) { update(fact.stamp) { $0.queue -= 1 } }

    package func receive(_ fact: OrderServed) {
        state.withLock { state in
            state.view.time = fact.stamp.time
            state.view.served += 1
            state.view.present -= 1
            state.view.cupsServed += fact.cups
            state.add(wait: fact.wait.nanoseconds)
        }
    }

    package func receive(_ fact: OrderSubstituted) { update(fact.stamp) { $0.substituted += 1 } }

    package func receive(_ fact: OrderLost) {
        update(fact.stamp) { view in
            if fact.reason.traits.wasPlaced {
                view.queue -= 1
                view.present -= 1
            }
            view.lost[fact.reason] += 1
        }
    }
}

extension StockDisplay: StockChangedObserver, LowStockObserver, StockRecoveredObserver, RestockOrderedObserver,
    RestockDeliveredObserver
{
    package func receive(_ fact: StockChanged) {
        update(fact.stamp, fact.fruit) { $0.levels[fact.fruit.index] = fact.to }
    }

    package func receive(_ fact: LowStock) {
        update(fact.stamp, fact.fruit) { $0.isLow[fact.fruit.index] = true }
    }

    package func receive(_ fact: StockRecovered) {
        update(fact.stamp, fact.fruit) { $0.isLow[fact.fruit.index] = false }
    }

    package func receive(_ fact: RestockOrdered) {
        update(fact.stamp, fact.fruit) { $0.onOrder[fact.fruit.index] += fact.pieces }
    }

    package func receive(_ fact: RestockDelivered) {
        update(fact.stamp, fact.fruit) { $0.onOrder[fact.fruit.index] -= fact.pieces + fact.refused }
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
