import JuiceStand

/// A stand between two events, with the state of its observers.
package struct StandCopy: Sendable, Sequenced {
    package let stand: Stand
    package let observers: StandObservers.Memory
    /// The number of the last change that was made.
    package let changes: UInt64

    package init(_ stand: Stand, _ observers: StandObservers.Memory, changes: UInt64) {
        self.stand = stand
        self.observers = observers
        self.changes = changes
    }

    package var sequence: UInt64 { stand.factsAnnounced }

    /// The approximate memory in bytes. Most of it is for orders in the stand, with their cups, events and draws.
    package var size: Int { 32_768 + 512 * stand.ordersPresent }
}

/// A change that was made by hand, and when.
package struct DatedChange: Sendable {
    /// Changes are numbered from 1, as they are journalled. Those that were answered as before are not made again.
    package var number: UInt64
    package var at: SimulationTime
    package var change: StandChange
    /// The idempotency key, until the change is made.
    var key: String?

    package init(number: UInt64, at time: SimulationTime, _ change: StandChange, key: String? = nil) {
        self.number = number
        at = time
        self.change = change
        self.key = key
    }
}

/// The figures of a stand at one instant, for charts.
package struct StandFigures: Codable, Sendable, Sequenced {
    package var sequence: UInt64
    package var time: SimulationTime
    package var queue: Int
    package var present: Int
    package var orders: Int
    package var served: Int
    package var lost: LossCounts
    package var levels: [Int?]
    package var size: Int { 0 }

    package init(_ view: StockDisplay.View, sequence: UInt64) {
        self.sequence = sequence
        time = view.time
        queue = view.queue
        present = view.present
        orders = view.orders
        served = view.served
        lost = view.lost
        levels = view.levels
    }
}

/// An instant of the past.
package enum Instant: Equatable, Sendable {
    /// After the fact of that number.
    case fact(UInt64)
    /// After all that happened at or before that stand time.
    case time(SimulationTime)
}
