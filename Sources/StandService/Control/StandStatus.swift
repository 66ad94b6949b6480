import JuiceStand
import StandExperiments
import TextFormats

/// A running stand at one instant, for the status, the stock screen and the page: the figures of its observers, and
/// others that no fact has.
@dynamicMemberLookup
package struct StandStatus: Sendable {
    package enum Phase: String, Sendable {
        case open
        case paused
        case closed
    }

    /// The figures of the stock display.
    package var shown: StockDisplay.View
    /// The settings in force. Only a reload changes them.
    package let settings: StandSettings
    package let busyMakers: Int
    /// Makers on duty; `Int.max` is without limit.
    package let makers: Int
    package let revenue: Double
    /// The sequence number of the last ledger line.
    package var sequence: UInt64
    /// Counts edits and not sales. An editor that sends it along can't undo the edit of another.
    package let editTag: UInt64
    /// Stand time of the reading.
    package var time: SimulationTime
    /// Stand time that is due and not reached, because the stand is late.
    package var behind = SimulationTime.zero
    /// The share of events of the last minute of wall time that came at least 100 ms late.
    package var lateShare = 0.0
    /// Stand seconds per wall second.
    package var speed: Double
    /// The latest waits of orders served, in nanoseconds.
    package var waits: [Int64]
    package var lowStockAlerts: Int
    /// The latest alerts, oldest first.
    package var alerts: [LowStockAlerter.Alert]
    /// The reasons why something can't be saved; empty if all can be.
    package var faults: [String] = []
    /// The latest forecast; nil if none is made.
    package var outlook: Forecast.Answer?

    /// Call it between two events, so that observers and engine agree.
    package init(_ observers: StandObservers, _ stand: Stand, time: SimulationTime, speed: Double) {
        shown = observers.display.current
        waits = observers.display.waits
        lowStockAlerts = observers.alerter.count
        alerts = observers.alerter.alerts
        settings = stand.settings
        busyMakers = stand.busyMakers
        makers = stand.makers
        revenue = stand.settings.money(stand.tally.revenue)
        sequence = stand.factsAnnounced
        editTag = stand.edits
        self.time = time
        self.speed = speed
    }

    /// The most seconds of real time by which a ready stand may be late.
    private static let mostBehind = 60.0

    /// Why the stand is not ready; empty if it is.
    package var causes: [String] {
        let seconds = behind.seconds / speed
        guard seconds > Self.mostBehind else { return faults }
        return faults + ["the stand is \(SpanText.long(seconds)) of real time behind"]
    }

    package var clock: StandClock { settings.clock(at: time) }
    package var phase: Phase { shown.isClosed ? .closed : shown.isPaused ? .paused : .open }

    package subscript<Figure>(dynamicMember figure: KeyPath<StockDisplay.View, Figure>) -> Figure {
        shown[keyPath: figure]
    }
}
