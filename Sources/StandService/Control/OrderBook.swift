import JuiceStand
import Platform

/// The state of orders, from facts alone: of all present orders and of the latest departures.
///
/// It starts with the first request for an order, so that a stand without such requests pays nothing.
package final class OrderBook: Sendable {
    private struct State {
        var hasBegun = false
        var orders: [UInt64: OrderRecord] = [:]
        /// The numbers of departed orders; a ring once it is full.
        var left: [UInt64] = []
        var oldest = 0
        /// The highest number so far.
        var last: UInt64 = 0
    }

    private let mostLeft: Int
    private let state = Guarded(State())

    /// - Parameter mostLeft: The number of departed orders to keep.
    package init(remembering mostLeft: Int = 16_384) {
        self.mostLeft = mostLeft
    }

    /// Whether it has started.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Starts with the orders in the stand. Connect it at the same instant.
    package func begin(with stand: Stand) {
        let present = stand.presentOrders
        let last = stand.ordersNumbered
        state.withLock { state in
            state.hasBegun = true
            state.last = last
            for (number, order) in present {
                state.orders[number] = OrderRecord(
                    juice: .onMenu(order.juice), cups: order.cups, placed: order.placed, started: order.started)
            }
        }
    }

    /// The order of that number.
    ///
    /// - Complexity: O(1)
    package subscript(number: UInt64) -> OrderView {
        state.withLock { state in
            if let record = state.orders[number] { return .known(record) }
            return number > 0 && number <= state.last ? .left : .unknown
        }
    }

    /// The known orders after `number` in ascending order, at most `limit`, and the highest number so far.
    ///
    /// - Complexity: O(*n* log *n*) for *n* known orders. Facts wait for O(*n*) of it, so don't call it on the stand's
    ///   queue.
    package func orders(
        after number: UInt64, limit: Int
    ) -> (orders: [(number: UInt64, record: OrderRecord)], last: UInt64) {
        let (numbers, last) = state.withLock { (Array($0.orders.keys), $0.last) }
        let next = numbers.filter { $0 > number }.sorted().prefix(limit)
        // One of them may have been dropped meanwhile.
        return state.withLock { state in
            (next.compactMap { number in state.orders[number].map { (number: number, record: $0) } }, last)
        }
    }

    private func end(_ number: UInt64, _ outcome: OrderRecord.Outcome, _ new: @autoclosure () -> OrderRecord) {
        state.withLock { state in
            state.last = max(state.last, number)
            state.orders[number, default: new()].outcome = outcome
            guard state.left.count == mostLeft else { return state.left.append(number) }
            state.orders[state.left[state.oldest]] = nil
            state.left[state.oldest] = number
            state.oldest = (state.oldest + 1) % mostLeft
        }
    }
}

extension OrderBook: OrderPlacedObserver, OrderStartedObserver, OrderServedObserver, OrderLostObserver {
    package func receive(_ fact: OrderPlaced) {
        state.withLock { state in
            state.last = max(state.last, fact.order)
            state.orders[fact.order] = OrderRecord(
                juice: .onMenu(fact.juice), cups: fact.cups, placed: fact.stamp.time, started: nil)
        }
    }

    package func receive(_ fact: OrderStarted) { state.withLock { $0.orders[fact.order]?.started = fact.stamp.time } }

    package func receive(_ fact: OrderServed) {
        let placed = fact.stamp.time - fact.stay
        end(
            fact.order, .served(wait: fact.wait, stay: fact.stay),
            OrderRecord(juice: .onMenu(fact.juice), cups: fact.cups, placed: placed, started: placed + fact.wait))
    }

    package func receive(_ fact: OrderLost) {
        let juice = fact.juice.map { OrderRecord.Wish.onMenu($0) } ?? .unknown(fact.unknownName ?? "")
        end(
            fact.order, .lost(fact.reason, fruit: fact.fruit),
            OrderRecord(juice: juice, cups: fact.cups, placed: nil, started: nil))
    }
}

/// How far an order has come, or how it ended.
package struct OrderRecord: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Both are measured from when it was placed.
        case served(wait: SimulationTime, stay: SimulationTime)
        /// `fruit` is the ingredient that lacked the most; nil unless the juice was sold out.
        case lost(LossReason, fruit: Fruit?)
    }

    package enum Wish: Equatable, Sendable {
        case onMenu(Juice)
        /// A name that is not on the menu.
        case unknown(String)
    }

    package var juice: Wish
    package var cups: Int
    /// nil if it was lost before.
    package var placed: SimulationTime?
    /// When the first cup was started; nil before that.
    package var started: SimulationTime?
    /// nil while the order is in the stand.
    package var outcome: Outcome?

    package init(
        juice: Wish, cups: Int, placed: SimulationTime?, started: SimulationTime?, outcome: Outcome? = nil
    ) {
        self.juice = juice
        self.cups = cups
        self.placed = placed
        self.started = started
        self.outcome = outcome
    }
}
