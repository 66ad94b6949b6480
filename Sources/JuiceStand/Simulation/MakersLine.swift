/// The cups that wait for a maker, first come first served.
///
/// A lost order leaves its entries behind. They are skipped at the front, and removed whenever the line has doubled
/// since the last sweep. So the length of the line stays proportional to the number of orders in the stand.
struct MakersLine: Codable, Sendable {
    private struct Entry: HotArrayElement {
        var ticket: OrderTicket
        var cups: Int32

        static var blank: Entry? { OrderTicket.blank.map { Entry(ticket: $0, cups: 0) } }

        mutating func pass(_ row: inout HotArrayRow) {
            ticket.pass(&row)
            row.pass(&cups)
        }
    }

    private var entries = Queue<Entry>()
    private var sweepAt = 256

    /// Whether ``sweep(_:)`` is due.
    @inline(__always)
    var isToBeSwept: Bool { entries.count >= sweepAt }

    /// Whether the line holds no cup of an order in the stand.
    ///
    /// - Complexity: O(*n*) for *n* entries.
    func isEmpty(_ orders: OrderTable) -> Bool { entries.allSatisfy { !orders.contains($0.ticket) } }

    /// Puts `cups` cups of one order at the end.
    ///
    /// - Complexity: O(1) amortized.
    @inline(__always)
    mutating func join(_ ticket: OrderTicket, cups: Int32) { entries.append(Entry(ticket: ticket, cups: cups)) }

    /// Removes the entries of orders that have left.
    ///
    /// - Complexity: O(*n*) for *n* entries.
    mutating func sweep(_ orders: OrderTable) {
        entries.removeAll { !orders.contains($0.ticket) }
        sweepAt = max(256, entries.count * 2)
    }

    /// Removes the first cup whose order is still in the stand.
    ///
    /// - Complexity: O(1) amortized.
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

    /// See ``HotArray/own()``.
    mutating func own() { entries.own() }
}
