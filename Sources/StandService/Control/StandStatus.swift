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

    /// Call it between two events, so that observers and engine agree.
    package init(_ observers: StandObservers, _ engine: EngineFigures, time: SimulationTime, speed: Double) {
        let shown = observers.display.current
        phase = shown.isClosed ? .closed : shown.isPaused ? .paused : .open
        rate = shown.rate
        queue = shown.queue
        present = shown.present
        orders = UInt64(shown.orders)
        served = shown.served
        lost = shown.lost
        substituted = shown.substituted
        cupsServed = shown.cupsServed
        levels = shown.levels
        onOrder = shown.onOrder
        lowStockAlerts = observers.alerter.count
        settings = engine.settings
        busyMakers = engine.busyMakers
        makers = engine.makers
        revenue = engine.revenue
        sequence = engine.sequence
        editTag = engine.editTag
        self.time = time
        self.speed = speed
    }
}

/// What no fact tells of a stand at one instant, from the stand itself.
package struct EngineFigures: Sendable {
    /// The settings in force.
    let settings: StandSettings
    let busyMakers: Int
    /// Makers on duty; `Int.max` is without limit.
    let makers: Int
    let revenue: Double
    /// The number of facts announced.
    let sequence: UInt64
    /// The number of stock edits.
    let editTag: UInt64

    package init(_ stand: Stand) {
        settings = stand.settings
        busyMakers = stand.busyMakers
        makers = stand.makers
        revenue = stand.settings.money(stand.tally.revenue)
        sequence = stand.factsAnnounced
        editTag = stand.edits
    }

    /// The stand's records of spans and supplies: large, so they are copied only for the metrics.
    struct Records: Sendable {
        let waits: Histogram
        let stays: Histogram
        let supply: [(orders: Int, delivered: Int, spoiled: Int)]

        init(_ stand: Stand) {
            waits = stand.tally.waits
            stays = stand.tally.stays
            supply = stand.supply
        }
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
