import JuiceStand

/// A running stand at one instant, for the status, the stock screen and the page.
package struct StandStatus: Sendable {
    package enum Phase: String, Sendable {
        case open
        case paused
        case closed
    }

    /// The settings in force. Only a reload changes them.
    package var settings: StandSettings
    package var phase = Phase.open
    /// Stand time of the reading.
    package var time = SimulationTime.zero
    /// Stand seconds per wall second.
    package var speed = 1.0
    /// Factor on the configured arrival rate.
    package var rate = 1.0
    /// Orders of which no cup has been started.
    package var queue = 0
    /// Orders in the stand.
    package var present = 0
    package var busyMakers = 0
    /// Makers on duty; `Int.max` is without limit.
    package var makers = 0
    /// Orders placed or lost, since the opening.
    package var orders: UInt64 = 0
    package var served = 0
    package var lost = LossCounts()
    package var substituted = 0
    package var cupsServed = 0
    package var revenue = 0.0
    package var lowStockAlerts = 0
    /// The sequence number of the last ledger line.
    package var sequence: UInt64 = 0
    /// Counts edits and not sales. An editor that sends it along can't undo the edit of another.
    package var editTag: UInt64 = 0
    /// Pieces on hand, in menu order; nil for unlimited fruit.
    package var levels: [Int?] = []
    /// Pieces on order from the supplier, in menu order.
    package var onOrder: [Int] = []
    /// Why the stand is not ready; empty if it is.
    package var causes: [String] = []
    /// The latest forecast; nil if none is made.
    package var outlook: Outlook?

    package init(_ stand: Stand, time: SimulationTime, speed: Double) {
        settings = stand.settings
        phase = stand.isClosed ? .closed : stand.isPaused ? .paused : .open
        self.time = time
        self.speed = speed
        rate = stand.rate
        queue = stand.queue
        present = stand.ordersPresent
        busyMakers = stand.busyMakers
        makers = stand.makers
        orders = stand.ordersNumbered
        let tally = stand.tally
        served = tally.served
        lost = tally.lost
        substituted = tally.substituted
        cupsServed = tally.cupsServed
        revenue = settings.money(tally.revenue)
        lowStockAlerts = tally.lowStockAlerts
        sequence = stand.factsAnnounced
        editTag = stand.edits
        levels = stand.maker.levels
        onOrder = stand.onOrder
    }
}

/// What is known of an order number.
package enum OrderView: Equatable, Sendable {
    /// The order is in the stand or left it recently.
    case known(OrderRecord)
    /// The order left before orders were kept, or many orders ago. The ledger has its end.
    case left
    /// No order has that number yet.
    case unknown
}
