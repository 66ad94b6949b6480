import JuiceStand

/// A running stand at one instant: what the status, the stock screen and the page show.
package struct StandStatus: Sendable {
    package enum Phase: String, Sendable {
        case open
        case paused
        case closed
    }

    /// What is in force; changed by a reload alone.
    package var settings: StandSettings
    package var phase = Phase.open
    /// Stand time of the reading.
    package var time = SimulationTime.zero
    /// Stand seconds a wall second.
    package var speed = 1.0
    /// On the configured rate of arrivals.
    package var rate = 1.0
    /// Orders of which no cup has been started.
    package var queue = 0
    /// Orders in the stand.
    package var present = 0
    package var busyMakers = 0
    /// Orders placed or lost, since the opening.
    package var orders: UInt64 = 0
    package var served = 0
    package var balked = 0
    package var reneged = 0
    package var soldOut = 0
    /// Orders by command for what is not on the menu.
    package var notOnMenu = 0
    package var substituted = 0
    package var cupsServed = 0
    package var lowStockAlerts = 0
    /// The sequence number of the last ledger line.
    package var sequence: UInt64 = 0
    /// Counts edits and not sales, so that two editors do not undo each other.
    package var editTag: UInt64 = 0
    /// On hand, in menu order; nil without limit.
    package var levels: [Int?] = []
    /// Owed by the supplier, in menu order.
    package var onOrder: [Int] = []
    /// Why the stand is not ready; empty where it is.
    package var causes: [String] = []

    package init(_ stand: Stand, time: SimulationTime, speed: Double) {
        settings = stand.settings
        phase = stand.isClosed ? .closed : stand.isPaused ? .paused : .open
        self.time = time
        self.speed = speed
        rate = stand.rate
        queue = stand.queue
        present = stand.ordersPresent
        busyMakers = stand.busyMakers
        orders = stand.ordersNumbered
        let tally = stand.tally
        served = tally.served
        balked = tally.balked
        reneged = tally.reneged
        soldOut = tally.soldOut
        notOnMenu = tally.notOnMenu
        substituted = tally.substituted
        cupsServed = tally.cupsServed
        lowStockAlerts = tally.lowStockAlerts
        sequence = stand.factsAnnounced
        editTag = stand.edits
        levels = stand.maker.levels
        onOrder = stand.onOrder
    }
}

/// An order by its number.
package enum OrderView: Equatable, Sendable {
    /// It is in the stand, or left it not long ago.
    case known(OrderRecord)
    /// It left before orders were kept, or many orders ago; the ledger knows how it ended.
    case left
    /// No order has that number yet.
    case unknown
}
