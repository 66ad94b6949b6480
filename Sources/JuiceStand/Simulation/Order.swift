/// An order in the stand, from placing to the end of its last cup.
struct Order: Codable, Sendable {
    /// From 1; 0 marks a slot without an order.
    var number: UInt64
    var juice: Juice
    var cups: Int32
    /// Cups whose fruit has been taken.
    var filled: Int32 = 0
    var started: Int32 = 0
    var done: Int32 = 0
    var placed: SimulationTime
    /// When the first cup was started; meaningless before.
    var firstStart = SimulationTime.zero
    /// The stream of this customer's preparation times.
    var preparation: SplitMix64

    /// A maker is done with a cup.
    ///
    /// - Returns: whether it is the last.
    @inline(__always)
    mutating func finishCup() -> Bool {
        done &+= 1
        return done == cups
    }
}

/// An order by the place it is kept in, and enough of its number to notice that the place has been given to another
/// since.
struct OrderTicket: Codable, Hashable, Sendable {
    var slot: Int32
    var number: UInt32
}

/// The orders in the stand, in slots that are used again.
///
/// - Complexity: O(1) for every operation
struct OrderTable: Codable, Sendable {
    private var slots = Table<Order>()
    private var free = Table<Int32>()

    @inline(__always)
    mutating func insert(_ order: Order) -> OrderTicket {
        let number = UInt32(truncatingIfNeeded: order.number)
        guard free.isEmpty else {
            let slot = free.removeLast()
            slots[Int(slot)] = order
            return OrderTicket(slot: slot, number: number)
        }
        slots.append(order)
        return OrderTicket(slot: Int32(slots.count - 1), number: number)
    }

    @inline(__always)
    mutating func remove(_ ticket: OrderTicket) {
        slots[Int(ticket.slot)].number = 0
        free.append(ticket.slot)
    }

    /// - Complexity: O(*n*) for the most orders there ever were at once
    var present: some Sequence<Order> { slots.lazy.filter { $0.number != 0 } }

    /// The ticket that the next order will have, if it has that number.
    func nextTicket(number: UInt64) -> OrderTicket {
        OrderTicket(slot: free.last ?? Int32(slots.count), number: UInt32(truncatingIfNeeded: number))
    }

    @inline(__always)
    func contains(_ ticket: OrderTicket) -> Bool {
        let number = slots[Int(ticket.slot)].number
        return number != 0 && UInt32(truncatingIfNeeded: number) == ticket.number
    }

    @inline(__always)
    subscript(ticket: OrderTicket) -> Order {
        get { slots[Int(ticket.slot)] }
        _modify { yield &slots[Int(ticket.slot)] }
    }

    /// As ``Table/own()``.
    mutating func own() {
        slots.own()
        free.own()
    }
}
