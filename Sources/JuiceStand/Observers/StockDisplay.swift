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

        /// Orders placed or lost, since the opening.
        package var orders: Int { present + served + LossReason.allCases.reduce(0) { $0 + lost[$1] } }
    }

    /// The saved state of a display.
    package struct Memory: Codable, Equatable, Sendable {
        var view = View()
        /// The waits of the latest orders served, in nanoseconds; a ring once it is full.
        var waits: [Int64] = []
        var oldestWait = 0
    }

    /// The state that facts change, in tables that no view shares: a fact changes them in a few instructions.
    private struct State {
        /// The view without the figures of shelves, which ``shelves`` hold.
        var figures = View()
        var shelves = HotArray<Shelf>()
        var waits = HotArray<Int64>()
        var oldestWait = 0

        var view: View {
            get {
                var view = figures
                view.levels = shelves.map(\.level)
                view.onOrder = shelves.map(\.onOrder)
                view.isLow = shelves.map(\.isLow)
                return view
            }
            set {
                figures = newValue
                shelves = HotArray(
                    newValue.levels.indices.map { index in
                        Shelf(
                            level: newValue.levels[index], onOrder: newValue.onOrder[index],
                            isLow: newValue.isLow[index])
                    })
            }
        }

        @inline(__always)
        mutating func add(wait: Int64) {
            guard waits.count == StockDisplay.mostWaits else { return waits.append(wait) }
            waits.change(oldestWait) { $0 = wait }
            oldestWait = oldestWait == StockDisplay.mostWaits - 1 ? 0 : oldestWait + 1
        }

        /// Makes room for a fruit: a display may be connected to a stand that is open already.
        @inline(never)
        mutating func add(_ fruit: Fruit) { while shelves.count <= fruit.index { shelves.append(Shelf()) } }
    }

    private struct Shelf: BitwiseCopyable {
        var level: Int?
        var onOrder = 0
        var isLow = false
    }

    /// The number of waits kept.
    private static let mostWaits = 500

    private let state = Guarded(State())

    package init() {}

    /// The state to save, from which a display can continue later.
    package var memory: Memory {
        get { state.withLock { Memory(view: $0.view, waits: Array($0.waits), oldestWait: $0.oldestWait) } }
        set {
            state.withLock { state in
                state.view = newValue.view
                state.waits = HotArray(newValue.waits)
                state.oldestWait = newValue.oldestWait
            }
        }
    }

    /// The view after the latest fact.
    package var current: View { state.withLock { $0.view } }

    /// The latest 500 waits, in nanoseconds and in no order.
    package var waits: [Int64] { state.withLock { Array($0.waits) } }

    /// Starts from the present state of a stand, also before it opens. Facts report all later changes.
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
    private func update(_ stamp: Stamp, _ body: (inout State) -> Void) {
        state.withLock { state in
            state.figures.time = stamp.time
            body(&state)
        }
    }

    @inline(__always)
    private func update(_ stamp: Stamp, _ fruit: Fruit, _ body: (inout Shelf) -> Void) {
        update(stamp) { state in
            if state.shelves.count <= fruit.index { state.add(fruit) }
            state.shelves.change(fruit.index, body)
        }
    }
}

extension StockDisplay: FactObserver {
    package var wanted: FactSet {
        FactSet(
            .opened, .closed, .paused, .resumed, .rateChanged, .orderPlaced, .orderStarted, .orderServed,
            .orderSubstituted, .orderLost, .stockChanged, .lowStock, .stockRecovered, .restockOrdered,
            .restockDelivered)
    }

    package func hear(_ fact: Opened) {
        update(fact.stamp) { state in
            state.figures.stand = fact.stand
            state.shelves = HotArray(fact.stock.map { Shelf(level: $0) })
            state.figures.rate = 1
            state.figures.isClosed = false
        }
    }

    package func hear(_ fact: Closed) { update(fact.stamp) { $0.figures.isClosed = true } }

    package func hear(_ fact: Paused) { update(fact.stamp) { $0.figures.isPaused = true } }

    package func hear(_ fact: Resumed) { update(fact.stamp) { $0.figures.isPaused = false } }

    package func hear(_ fact: RateChanged) { update(fact.stamp) { $0.figures.rate = fact.factor } }

    package func hear(_ fact: OrderPlaced) {
        update(fact.stamp) { state in
            state.figures.queue += 1
            state.figures.present += 1
        }
    }

    package func hear(_ fact: OrderStarted) { update(fact.stamp) { $0.figures.queue -= 1 } }

    package func hear(_ fact: OrderServed) {
        update(fact.stamp) { state in
            state.figures.served += 1
            state.figures.present -= 1
            state.figures.cupsServed += fact.cups
            state.add(wait: fact.wait.nanoseconds)
        }
    }

    package func hear(_ fact: OrderSubstituted) { update(fact.stamp) { $0.figures.substituted += 1 } }

    package func hear(_ fact: OrderLost) {
        update(fact.stamp) { state in
            if fact.reason.traits.wasPlaced {
                state.figures.queue -= 1
                state.figures.present -= 1
            }
            state.figures.lost[fact.reason] += 1
        }
    }

    package func hear(_ fact: StockChanged) { update(fact.stamp, fact.fruit) { $0.level = fact.to } }

    package func hear(_ fact: LowStock) { update(fact.stamp, fact.fruit) { $0.isLow = true } }

    package func hear(_ fact: StockRecovered) { update(fact.stamp, fact.fruit) { $0.isLow = false } }

    package func hear(_ fact: RestockOrdered) { update(fact.stamp, fact.fruit) { $0.onOrder += fact.pieces } }

    package func hear(_ fact: RestockDelivered) {
        update(fact.stamp, fact.fruit) { $0.onOrder -= fact.pieces + fact.refused }
    }
}

extension [Int64] {
    /// The percentiles of spans in nanoseconds: for each `perMille`, the smallest span with at least that many
    /// thousandths of all spans at or below it; nil if there are none.
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
