/// Cups ready to be made, first come first served.
///
/// An order that is lost leaves its entries behind; they are passed over at the front, and swept out whenever the line
/// has doubled since the last sweep, so that its length follows the orders in the stand.
struct MakersLine: Codable, Sendable {
    private struct Entry: Codable, Sendable {
        var ticket: OrderTicket
        var cups: Int32
    }

    private var entries = Queue<Entry>()
    private var sweepAt = 256

    init() {}

    /// Whether it is time for ``sweep(_:)``.
    @inline(__always)
    var isToBeSwept: Bool { entries.count >= sweepAt }

    /// Whether no cup of an order in the stand is in the line.
    ///
    /// - Complexity: O(*n*)
    func isEmpty(_ orders: OrderTable) -> Bool { entries.allSatisfy { !orders.contains($0.ticket) } }

    /// Puts `cups` cups of one order at the end.
    ///
    /// - Complexity: O(1) amortized
    @inline(__always)
    mutating func join(_ ticket: OrderTicket, cups: Int32) {
        entries.append(Entry(ticket: ticket, cups: cups))
    }

    /// Drops the entries of orders that have left.
    ///
    /// - Complexity: O(*n*)
    mutating func sweep(_ orders: OrderTable) {
        entries.removeAll { !orders.contains($0.ticket) }
        sweepAt = max(256, entries.count * 2)
    }

    /// Takes the first cup whose order is still in the stand.
    ///
    /// - Complexity: O(1) amortized
    @inline(__always)
    mutating func next(of orders: OrderTable) -> OrderTicket? {
        while !entries.isEmpty {
            let ticket = entries.first.ticket
            guard orders.contains(ticket) else {
                entries.removeFirst()
                continue
            }
            entries.first.cups &-= 1
            if entries.first.cups == 0 { entries.removeFirst() }
            return ticket
        }
        return nil
    }

    /// As ``Table/own()``.
    mutating func own() { entries.own() }
}
