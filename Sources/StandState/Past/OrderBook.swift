import JuiceStand
import Platform

/// The state of orders, from facts alone: of all present orders and of the latest departures.
///
/// The book of a running stand starts with the first request for an order, so that a stand without such requests pays
/// nothing. The book of a run through the past keeps no departures.
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
    package var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Starts with the orders in the stand. Connect it at the same instant.
    package func begin(with stand: Stand) {
        let present = stand.presentOrders.sorted { $0.number < $1.number }
        let last = stand.ordersNumbered
        state.withLock { state in
            state.hasBegun = true
            state.last = last
            for (number, order) in present {
                let record = OrderRecord(
                    juice: .onMenu(order.juice), cups: order.cups, placed: order.placed, started: order.started)
                state.orders.append(number, record)
            }
        }
    }

    /// The order of that number.
    ///
    /// - Complexity: O(log *n*) for *n* known orders
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

    /// The orders in the stand, by their numbers.
    package var present: [(number: UInt64, order: OrderProgress)] {
        orders(after: 0, limit: .max).orders.compactMap { number, record in
            guard record.outcome == nil, case .onMenu(let juice) = record.juice, let placed = record.placed else {
                return nil
            }
            return (number, OrderProgress(juice: juice, cups: record.cups, placed: placed, started: record.started))
        }
    }

    private func end(_ number: UInt64, _ outcome: OrderRecord.Outcome) {
        state.withLock { state in
            guard mostLeft > 0 else { return state.orders.remove(number) }
            state.orders.change(number) { $0.outcome = outcome }
            guard state.left.count == mostLeft else { return state.left.append(number) }
            state.orders.remove(state.left[state.oldest])
            state.left[state.oldest] = number
            state.oldest = (state.oldest + 1) % mostLeft
        }
    }

    private func add(_ number: UInt64, _ record: OrderRecord) {
        state.withLock { state in
            state.last = number
            state.orders.append(number, record)
        }
    }
}

extension OrderBook: FactObserver {
    package var wanted: FactSet { FactSet(.orderPlaced, .orderStarted, .orderServed, .orderLost) }

    package func hear(_ fact: OrderPlaced) {
        let juice = OrderRecord.Wish.onMenu(fact.juice)
        add(fact.order, OrderRecord(juice: juice, cups: fact.cups, placed: fact.stamp.time, started: nil))
    }

    package func hear(_ fact: OrderStarted) {
        state.withLock { $0.orders.change(fact.order) { $0.started = fact.stamp.time } }
    }

    package func hear(_ fact: OrderServed) { end(fact.order, .served(wait: fact.wait, stay: fact.stay)) }

    package func hear(_ fact: OrderLost) {
        if !fact.reason.traits.wasPlaced {
            let juice = fact.juice.map { OrderRecord.Wish.onMenu($0) } ?? .unknown(fact.unknownName ?? "")
            add(fact.order, OrderRecord(juice: juice, cups: fact.cups, placed: nil, started: nil))
        }
        end(fact.order, .lost(fact.reason, fruit: fact.fruit))
    }
}

/// Orders by number, in blocks of consecutive ones.
private struct NumberedOrders {
    private typealias Block = [(number: UInt64, record: OrderRecord)]

    /// The most orders of a block, which bounds what a removal moves.
    private static let most = 64

    /// The blocks, in order. None is empty.
    private var blocks: [Block] = []

    /// The block and the place in it of the first order from `number` on; behind the last block if there is none.
    private func place(from number: UInt64) -> (block: Int, index: Int) {
        let block = blocks.partitioningIndex { $0[$0.count - 1].number >= number }
        guard block < blocks.count else { return (block, 0) }
        return (block, blocks[block].partitioningIndex { $0.number >= number })
    }

    /// The place of an order; nil if it is not there.
    private func place(of number: UInt64) -> (block: Int, index: Int)? {
        let place = place(from: number)
        return place.block < blocks.count && blocks[place.block][place.index].number == number ? place : nil
    }

    subscript(number: UInt64) -> OrderRecord? { place(of: number).map { blocks[$0.block][$0.index].record } }

    /// - Precondition: Its number is higher than all others.
    mutating func append(_ number: UInt64, _ record: OrderRecord) {
        assert(number > blocks.last?.last?.number ?? 0)
        if let count = blocks.last?.count, count < Self.most {
            blocks[blocks.count - 1].append((number, record))
        } else {
            blocks.append([(number, record)])
        }
    }

    mutating func change(_ number: UInt64, _ body: (inout OrderRecord) -> Void) {
        if let (block, index) = place(of: number) { body(&blocks[block][index].record) }
    }

    /// - Complexity: O(log *n*) for *n* orders; moves the blocks behind it if it was alone in its block
    mutating func remove(_ number: UInt64) {
        guard let (block, index) = place(of: number) else { return }
        blocks[block].remove(at: index)
        if blocks[block].isEmpty { blocks.remove(at: block) }
    }

    func list(after number: UInt64, limit: Int) -> [(number: UInt64, record: OrderRecord)] {
        guard number < .max else { return [] }
        var (block, index) = place(from: number + 1)
        var orders: Block = []
        while block < blocks.count, orders.count < limit {
            orders += blocks[block][index...].prefix(limit - orders.count)
            block += 1
            index = 0
        }
        return orders
    }
}

/// The state of an order number.
package enum OrderView: Equatable, Sendable {
    /// The order is in the stand or left it recently.
    case known(OrderRecord)
    /// The order left before orders were kept, or many orders ago. The ledger has its end.
    case left
    /// No order has that number yet.
    case unknown
}

/// How far an order has come, or how it ended.
package struct OrderRecord: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Both spans begin when the order was placed.
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
    /// When the order was placed; nil if it was lost before.
    package var placed: SimulationTime?
    /// When the first cup was started; nil before that.
    package var started: SimulationTime?
    /// How the order ended; nil while it is in the stand.
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
