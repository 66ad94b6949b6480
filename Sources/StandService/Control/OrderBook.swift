import JuiceStand
import Platform

/// The state of orders, from facts alone: of all present orders and of the latest departures.
///
/// It starts with the first request for an order, so that a stand without such requests pays nothing.
package final class OrderBook: Sendable {
    private struct State {
        var hasBegun = false
        var orders = NumberedOrders()
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
    /// - Complexity: O(log *n* + *m*) for *n* known orders and *m* listed ones
    package func orders(
        after number: UInt64, limit: Int
    ) -> (orders: [(number: UInt64, record: OrderRecord)], last: UInt64) {
        state.withLock { ($0.orders.list(after: number, limit: limit), $0.last) }
    }

    private func end(_ number: UInt64, _ outcome: OrderRecord.Outcome, _ new: @autoclosure () -> OrderRecord) {
        state.withLock { state in
            state.last = max(state.last, number)
            var record = state.orders[number] ?? new()
            record.outcome = outcome
            state.orders[number] = record
            guard state.left.count == mostLeft else { return state.left.append(number) }
            state.orders[state.left[state.oldest]] = nil
            state.left[state.oldest] = number
            state.oldest = (state.oldest + 1) % mostLeft
        }
    }
}

extension OrderBook: FactObserver {
    package var wanted: FactSet { FactSet(.orderPlaced, .orderStarted, .orderServed, .orderLost) }

    package func hear(_ fact: OrderPlaced) {
        state.withLock { state in
            state.last = max(state.last, fact.order)
            state.orders[fact.order] = OrderRecord(
                juice: .onMenu(fact.juice), cups: fact.cups, placed: fact.stamp.time, started: nil)
        }
    }

    package func hear(_ fact: OrderStarted) { state.withLock { $0.orders[fact.order]?.started = fact.stamp.time } }

    package func hear(_ fact: OrderServed) {
        let placed = fact.stamp.time - fact.stay
        end(
            fact.order, .served(wait: fact.wait, stay: fact.stay),
            OrderRecord(juice: .onMenu(fact.juice), cups: fact.cups, placed: placed, started: placed + fact.wait))
    }

    package func hear(_ fact: OrderLost) {
        let juice = fact.juice.map { OrderRecord.Wish.onMenu($0) } ?? .unknown(fact.unknownName ?? "")
        end(
            fact.order, .lost(fact.reason, fruit: fact.fruit),
            OrderRecord(juice: juice, cups: fact.cups, placed: nil, started: nil))
    }
}

/// Orders by number, in blocks of consecutive ones.
///
/// Numbers grow, so a new order is nearly always the last one.
private struct NumberedOrders {
    private typealias Block = [(number: UInt64, record: OrderRecord)]

    /// The most orders of a block, which bounds what a removal moves.
    private static let most = 64

    /// None is empty.
    private var blocks: [Block] = []

    /// The block and the place in it of the first order from `number` on; behind the last block if there is none.
    private func place(from number: UInt64) -> (block: Int, index: Int) {
        let block = blocks.partitioningIndex { $0[$0.count - 1].number >= number }
        guard block < blocks.count else { return (block, 0) }
        return (block, blocks[block].partitioningIndex { $0.number >= number })
    }

    /// - Complexity: O(log *n*) for *n* orders; removing one moves the blocks behind it if it was alone in its block
    subscript(number: UInt64) -> OrderRecord? {
        get {
            let (block, index) = place(from: number)
            guard block < blocks.count, blocks[block][index].number == number else { return nil }
            return blocks[block][index].record
        }
        set {
            let (block, index) = place(from: number)
            let isThere = block < blocks.count && blocks[block][index].number == number
            switch (newValue, isThere) {
            case (let record?, true): blocks[block][index].record = record
            case (let record?, false) where block == blocks.count: append((number, record))
            case (let record?, false): blocks[block].insert((number, record), at: index)
            case (nil, true):
                blocks[block].remove(at: index)
                if blocks[block].isEmpty { blocks.remove(at: block) }
            case (nil, false): break
            }
        }
    }

    private mutating func append(_ order: Block.Element) {
        if let count = blocks.last?.count, count < Self.most {
            blocks[blocks.count - 1].append(order)
        } else {
            blocks.append([order])
        }
    }

    func list(after number: UInt64, limit: Int) -> [(number: UInt64, record: OrderRecord)] {
        guard number < .max else { return [] }
        var (block, index) = place(from: number + 1)
        var orders: Block = []
        while block < blocks.count, orders.count < limit {
            orders += blocks[block][index...].prefix(limit - orders.count)
            (block, index) = (block + 1, 0)
        }
        return orders
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
