import NotificationBus

/// What a screen shows of the stand, kept from facts alone.
package final class StockDisplay: Sendable {
    /// The stand as its customers see it.
    package struct View: Equatable, Sendable {
        package var stand = ""
        package var time = SimulationTime.zero
        /// In menu order; nil without limit.
        package var levels: [Int?] = []
        /// Pieces ordered and not yet delivered.
        package var onOrder: [Int] = []
        package var isLow: [Bool] = []
        /// Orders of which no cup has been started.
        package var queue = 0
        /// Orders in the stand.
        package var present = 0
        package var served = 0
        /// By reason, in the order of ``LossReason``.
        package var lost = Array(repeating: 0, count: LossReason.allCases.count)
        package var isOpen = false

        package init() {}

        package var lostInAll: Int { lost.reduce(0, +) }
    }

    private let view = Guarded(View())

    package init() {}

    /// Shows a stand that was open already.
    package func show(_ stand: Stand) {
        let tally = stand.tally
        view.withLock { view in
            view.stand = stand.settings.stand
            view.time = stand.now
            view.levels = stand.maker.store.allLevels
            view.onOrder = stand.onOrder
            view.isLow = zip(view.levels, stand.settings.shelves).map { level, shelf in
                level ?? .max <= shelf.lowStock ?? .min
            }
            view.queue = stand.queue
            view.present = stand.ordersPresent
            view.served = tally.served
            view.lost = [tally.balked, tally.soldOut, tally.reneged, tally.notOnMenu]
            view.isOpen = true
        }
    }

    /// The view as of the last fact.
    package var current: View { view.withLock { $0 } }

    @inline(__always)
    private func update(_ stamp: Stamp, _ body: (inout View) -> Void) {
        view.withLock {
            $0.time = stamp.time
            body(&$0)
        }
    }
}

extension StockDisplay: OpenedObserver, ClosedObserver {
    package func receive(_ fact: Opened) {
        update(fact.stamp) {
            $0.stand = fact.stand
            $0.levels = fact.stock
            $0.onOrder = fact.stock.map { _ in 0 }
            $0.isLow = fact.stock.map { _ in false }
            $0.isOpen = true
        }
    }

    package func receive(_ fact: Closed) {
        update(fact.stamp) { $0.isOpen = false }
    }
}

extension StockDisplay: OrderPlacedObserver, OrderStartedObserver, OrderServedObserver, OrderLostObserver {
    package func receive(_ fact: OrderPlaced) {
        update(fact.stamp) {
            $0.queue += 1
            $0.present += 1
        }
    }

    package func receive(_ fact: OrderStarted) {
        update(fact.stamp) { $0.queue -= 1 }
    }

    package func receive(_ fact: OrderServed) {
        update(fact.stamp) {
            $0.served += 1
            $0.present -= 1
        }
    }

    package func receive(_ fact: OrderLost) {
        update(fact.stamp) {
            // Only who loses patience has had an order in the stand; all others never got in.
            if fact.reason == .ranOutOfPatience {
                $0.queue -= 1
                $0.present -= 1
            }
            $0.lost[fact.reason.place] += 1
        }
    }
}

extension StockDisplay: StockChangedObserver, LowStockObserver, StockRecoveredObserver, RestockOrderedObserver,
    RestockDeliveredObserver
{
    package func receive(_ fact: StockChanged) {
        update(fact.stamp) { $0.levels[fact.fruit.index] = fact.to }
    }

    package func receive(_ fact: LowStock) {
        update(fact.stamp) { $0.isLow[fact.fruit.index] = true }
    }

    package func receive(_ fact: StockRecovered) {
        update(fact.stamp) { $0.isLow[fact.fruit.index] = false }
    }

    package func receive(_ fact: RestockOrdered) {
        update(fact.stamp) { $0.onOrder[fact.fruit.index] += fact.pieces }
    }

    package func receive(_ fact: RestockDelivered) {
        update(fact.stamp) { $0.onOrder[fact.fruit.index] -= fact.pieces + fact.refused }
    }
}

extension LossReason {
    fileprivate var place: Int {
        switch self {
        case .queueFull: 0
        case .soldOut: 1
        case .ranOutOfPatience: 2
        case .notOnMenu: 3
        }
    }
}
