/// An order in the stand, from placing to the end of its last cup.
struct Order: HotArrayElement {
    /// Counted from 1; 0 marks a free slot.
    var number: UInt64
    var juice: Juice
    /// The juice that the customer wished; nil if it is the one made, or if the state is of an earlier version.
    var wish: Juice?
    var cups: Int32
    /// The number of cups whose fruit has been taken.
    var filled: Int32 = 0
    var started: Int32 = 0
    var done: Int32 = 0
    var placed: SimulationTime
    /// The start of the first cup; meaningless before it.
    var firstStart = SimulationTime.zero
    /// The stream of this customer's preparation times.
    var preparation: SplitMix64

    /// Counts a finished cup. Returns whether it was the last.
    @inline(__always)
    mutating func finishCup() -> Bool {
        done &+= 1
        return done == cups
    }

    static var blank: Order? {
        Order(number: 0, juice: Juice(index: 0), cups: 0, placed: .zero, preparation: SplitMix64(seed: 0))
    }

    mutating func pass(_ row: inout HotArrayRow) {
        row.pass(&number)
        juice.pass(&row)
        var wished = Int32(wish?.index ?? -1)
        row.pass(&wished)
        guard wished < Int32(Juice.limit) else { return row.refuse() }
        wish = wished < 0 ? nil : Juice(index: Int(wished))
        row.pass(&cups)
        row.pass(&filled)
        row.pass(&started)
        row.pass(&done)
        row.pass(&placed)
        row.pass(&firstStart)
        preparation.pass(&row)
    }
}

/// A reference to an order: its slot, and the low bits of its number, which show whether the slot has a new order.
struct OrderTicket: HotArrayElement, Hashable {
    var slot: Int32
    var number: UInt32

    static var blank: OrderTicket? { OrderTicket(bits: 0) }

    mutating func pass(_ row: inout HotArrayRow) {
        var bits = bits
        row.pass(&bits)
        self = OrderTicket(bits: bits)
    }
}

extension OrderTicket {
    init(bits: UInt64) {
        self.init(slot: Int32(truncatingIfNeeded: bits >> 32), number: UInt32(truncatingIfNeeded: bits))
    }

    /// All bits of the ticket.
    var bits: UInt64 { UInt64(UInt32(bitPattern: slot)) << 32 | UInt64(number) }
}

/// The orders in the stand, in slots that are reused.
///
/// - Complexity: O(1) for every operation, unless noted otherwise.
struct OrderTable: Codable, Sendable {
    private var slots = HotArray<Order>()
    private var free = HotArray<Int32>()

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

    /// The orders in the stand, in no particular order.
    ///
    /// - Complexity: O(*n*) for *n* slots, the highest number of simultaneous orders so far.
    var present: some Sequence<Order> { slots.lazy.filter { $0.number != 0 } }

    /// Gives every order a new stream of preparation times.
    ///
    /// - Complexity: O(*n*) for *n* slots.
    mutating func renewPreparation(using random: inout RandomStream) {
        for slot in 0..<slots.count where slots[slot].number != 0 {
            slots[slot].preparation = SplitMix64(seed: random.next())
        }
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

    /// See ``HotArray/own()``.
    mutating func own() {
        slots.own()
        free.own()
    }
}
