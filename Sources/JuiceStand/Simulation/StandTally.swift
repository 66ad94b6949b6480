/// The counts and averages of a running stand since the opening or the end of the warm-up.
package struct StandTally: Codable, Sendable {
    /// The start of the measured period.
    package internal(set) var start = SimulationTime.zero

    package internal(set) var arrived = 0
    package internal(set) var served = 0
    package internal(set) var lost = LossCounts()
    package internal(set) var substituted = 0
    package internal(set) var cupsDemanded = 0
    package internal(set) var cupsFilledAtOnce = 0
    /// Cups of orders served.
    package internal(set) var cupsServed = 0
    package internal(set) var cupsLost = 0
    /// Served customers who arrived in the period and waited.
    var waited = 0
    package internal(set) var revenue = 0.0
    package internal(set) var lowStockAlerts = 0
    /// Facts announced before the period.
    var announcedBefore: UInt64 = 0

    package internal(set) var waits = Histogram()
    package internal(set) var stays = Histogram()
    package internal(set) var queue = TimeWeightedTally()
    package internal(set) var present = TimeIntegral()
    /// Nanoseconds of the period that departed customers spent in the stand.
    var timeSpent: Int128 = 0
    var busy = TimeIntegral()
    /// The integral of the number of makers; nil as long as that number has not changed.
    var makers: TimeIntegral?
    var fruits: HotArray<FruitTally>

    /// The counts and averages of one fruit.
    struct FruitTally: HotArrayElement {
        /// The level over time; nil for an unlimited fruit.
        var level: TimeWeightedTally?
        /// The time for which less was on hand than some juice needs for a cup.
        var nanosecondsShort: Int64 = 0
        /// Pieces of backordered cups.
        var backordered = TimeIntegral()
        var ordersPlaced = 0
        var piecesOrdered = 0
        /// Does not include refused pieces.
        var piecesDelivered = 0
        var piecesSpoiled = 0

        /// Sets the level from `time` on. The fruit is short below `need` pieces.
        @inline(__always)
        mutating func setLevel(_ pieces: Int, need: Int, at time: SimulationTime) {
            guard let old = level?.value, let span = level?.set(pieces, at: time) else { return }
            nanosecondsShort &+= old < need ? span : 0
        }

        /// The fraction of the time up to `time` for which fewer than `need` pieces were on hand.
        func shortFraction(need: Int, to time: SimulationTime) -> Double? {
            guard let level else { return nil }
            let isShort = level.value < need
            return level.fraction(of: nanosecondsShort + (isShort ? level.lasting(to: time) : 0), to: time)
        }
    }

    init(levels: [Int?]) {
        let tallies = levels.map { level in FruitTally(level: level.map { TimeWeightedTally($0) }) }
        fruits = HotArray(tallies)
    }

    /// See ``HotArray/own()``.
    mutating func own() {
        waits.own()
        stays.own()
        fruits.own()
    }

    /// Starts the measured period at `time`: counts restart at 0, averages at the present values.
    ///
    /// - Parameter announced: The number of facts announced so far.
    mutating func restart(at time: SimulationTime, announced: UInt64) {
        var fresh = StandTally(levels: fruits.map { $0.level?.value })
        fresh.start = time
        fresh.announcedBefore = announced
        fresh.queue = queue.restarted(at: time)
        fresh.present = present.restarted(at: time)
        fresh.busy = busy.restarted(at: time)
        fresh.makers = makers?.restarted(at: time)
        for index in fruits.indices {
            fresh.fruits[index].level = fruits[index].level?.restarted(at: time)
            fresh.fruits[index].backordered = fruits[index].backordered.restarted(at: time)
        }
        self = fresh
    }
}
