import TextFormats

/// Everything that makes a stand the stand it is: the resolved configuration, as the engine uses it.
///
/// Built by reading a configuration, which checks every value; the bounds stand with the keys in `Configuration`.
package struct StandSettings: Equatable, Sendable {
    package var stand: String
    /// The calendar date of stand time 0.
    package var opens: String
    package var seed: UInt64
    package var wiring: String
    package var currency: String
    package var menu: Menu
    /// One for each fruit of the menu.
    package var shelves: [Shelf]
    /// One for each juice of the menu.
    package var offers: [Offer]
    /// Parallel servers; `Int.max` is without limit. With ``shifts``, those of the first shift.
    package var makers: Int
    /// How the number of makers changes over the day; nil if it does not.
    package var shifts: Shifts?
    /// Waiting places; `Int.max` is without limit.
    package var queueLimit: Int
    package var customers: Customers
    /// Of the resolved configuration without seed and wiring, which change nothing about the stand itself.
    package var fingerprint = ""

    /// How many makers are on duty, shift by shift from the opening on.
    package struct Shifts: Equatable, Sendable {
        /// How long each shift lasts.
        package var every: SimulationTime
        /// Makers of each shift: at least one entry, each from 0.
        package var makers: [Int]
        /// Whether the first shift follows the last one; otherwise the last one stays.
        package var repeats: Bool

        package init(every: SimulationTime, makers: [Int], repeats: Bool) {
            self.every = every
            self.makers = makers
            self.repeats = repeats
        }

        /// Makers of the shift at `time`.
        func makers(at time: SimulationTime) -> Int {
            let shift = Int(time.nanoseconds / every.nanoseconds)
            return makers[repeats ? shift % makers.count : min(shift, makers.count - 1)]
        }

        /// When the shift at `time` ends; `never` if it is the last.
        func end(ofShiftAt time: SimulationTime) -> SimulationTime {
            let shift = time.nanoseconds / every.nanoseconds
            guard repeats || shift < makers.count - 1 else { return .never }
            return time + every - SimulationTime(nanoseconds: time.nanoseconds % every.nanoseconds)
        }

        /// Whether anybody is on duty at `time` or later.
        func hasMakers(from time: SimulationTime) -> Bool {
            let shift = repeats ? 0 : min(Int(time.nanoseconds / every.nanoseconds), makers.count - 1)
            return makers[shift...].contains { $0 > 0 }
        }
    }

    /// How one fruit is kept.
    package struct Shelf: Equatable, Sendable {
        /// Pieces at the opening; nil is without limit.
        package var initial: Int?
        package var capacity: Int?
        package var lowStock: Int?
        package var restock = RestockPolicy.manual
        package var shelfLife: SimulationTime?
        package var costs = Costs()

        package init(initial: Int?) {
            self.initial = initial
        }
    }

    /// Rates in units of the stand's currency.
    package struct Costs: Equatable, Sendable {
        /// Per piece ordered.
        package var unit = 0.0
        /// Per order of fruit.
        package var order = 0.0
        /// Per piece and day on hand.
        package var holding = 0.0
        /// Per missing piece and day.
        package var shortage = 0.0

        package init() {}
    }

    /// What a juice costs its customer, how often it is wished for, and how long a cup takes.
    package struct Offer: Equatable, Sendable {
        package var price = 0.0
        package var popularity = 1.0
        /// Seconds one maker is busy with one cup.
        package var preparation = Distribution.constant(30)

        package init() {}
    }

    package struct Customers: Equatable, Sendable {
        package var arrivals = Arrivals.poisson(perSecond: 0.05)
        package var cups = Distribution.constant(1)
        /// Orders that come at one instant, rounded, at least 1; arrival rates count parties.
        package var party = Distribution.constant(1)
        /// Seconds; nil is for ever.
        package var patience: Distribution?
        package var whenSoldOut = WhenSoldOut.leave

        package init() {}
    }
}

/// What happens when the wish is sold out.
package enum WhenSoldOut: String, CaseIterable, Sendable {
    /// A lost sale.
    case leave
    /// The most similar juice that can be made.
    case substitute
    /// A backorder.
    case wait
}

/// When fruit is ordered, and how much; the position is what is on hand and on order, less what is backordered.
package enum RestockPolicy: Equatable, Sendable {
    /// By hand alone.
    case manual
    /// (s, S): up to `level` when the position is at or below `reorderPoint`; looked at on every change, or every
    /// `review` where given.
    case orderUpTo(reorderPoint: Int, level: Int, leadTime: Distribution, review: SimulationTime?)
    /// (s, Q): orders of `quantity` until the position is above `reorderPoint`.
    case fixedQuantity(reorderPoint: Int, quantity: Int, leadTime: Distribution)

    package var leadTime: Distribution? {
        switch self {
        case .manual: nil
        case .orderUpTo(_, _, let leadTime, _), .fixedQuantity(_, _, let leadTime): leadTime
        }
    }

    package var review: SimulationTime? {
        if case .orderUpTo(_, _, _, let review) = self { review } else { nil }
    }

    package var reorderPoint: Int? {
        switch self {
        case .manual: nil
        case .orderUpTo(let point, _, _, _), .fixedQuantity(let point, _, _): point
        }
    }
}

/// How customers come.
package enum Arrivals: Equatable, Sendable {
    case poisson(perSecond: Double)
    /// Independent gaps; the first customer comes after one.
    case renewal(Distribution)
    /// Poisson with a rate that is constant for `every` and then takes the next value.
    case profile(every: SimulationTime, perSecond: [Double], repeats: Bool)
    /// Poisson whose rate alternates between two phases of random length, opening calm.
    case bursts(calm: Phase, busy: Phase)
    /// Poisson with a rate by the time of day and the day of the week.
    case week(Week)
    case trace(Trace)

    /// Rates by day of the week.
    package struct Week: Equatable, Sendable {
        /// How long each entry of a day's list lasts, from midnight on; midnight cuts the last one.
        package var every: SimulationTime
        /// Parties a second, for Monday to Sunday; nobody comes after a list's last entry.
        package var perSecond: [[Double]]
        /// Whether one list was given for all days.
        package var isSameEveryDay: Bool
        /// Multiplies a day's rates; drawn once a day. nil is always 1.
        package var level: Distribution?
        /// The opening, counted from the Monday before it.
        package var opening: SimulationTime

        package init(
            every: SimulationTime, perSecond: [[Double]], isSameEveryDay: Bool, level: Distribution?,
            opening: SimulationTime
        ) {
            precondition(perSecond.count == 7, "\(perSecond.count) days in a week")
            self.every = every
            self.perSecond = perSecond
            self.isSameEveryDay = isSameEveryDay
            self.level = level
            self.opening = opening
        }

        var hasArrivals: Bool { perSecond.contains { $0.contains { $0 > 0 } } }
    }

    package struct Phase: Equatable, Sendable {
        package var perSecond: Double
        /// Seconds.
        package var lasting: Distribution

        package init(perSecond: Double, lasting: Distribution) {
            self.perSecond = perSecond
            self.lasting = lasting
        }
    }
}

/// Real orders, in the order of their times.
package struct Trace: Equatable, Sendable {
    /// Where they came from and how they were read, for showing the configuration again.
    package struct Source: Equatable, Sendable {
        package var file: String
        package var time: String
        package var juice: String
        package var cups: String?
        /// Item to juice; nil leaves the item's lines out.
        package var map: [(item: String, juice: String?)]
        package var unmapped: Unmapped
        package var timeFormat: String?
        /// Of the file's bytes, so that the same orders are known as such wherever the file lies.
        package var fingerprint: String
        /// Lines whose time is before that of a line above them.
        package var goingBackwards: [TextProblem]

        package init(
            file: String, time: String, juice: String, cups: String?, map: [(item: String, juice: String?)],
            unmapped: Unmapped, timeFormat: String?, fingerprint: String, goingBackwards: [TextProblem] = []
        ) {
            self.file = file
            self.time = time
            self.juice = juice
            self.cups = cups
            self.map = map
            self.unmapped = unmapped
            self.timeFormat = timeFormat
            self.fingerprint = fingerprint
            self.goingBackwards = goingBackwards
        }

        package static func == (a: Self, b: Self) -> Bool {
            a.file == b.file && a.time == b.time && a.juice == b.juice && a.cups == b.cups
                && a.map.elementsEqual(b.map, by: ==) && a.unmapped == b.unmapped && a.timeFormat == b.timeFormat
                && a.fingerprint == b.fingerprint
        }
    }

    /// What becomes of an item that is no juice and is not in the map.
    package enum Unmapped: String, CaseIterable, Sendable {
        case skip
        case error
        /// Dealt out over the menu: the first such item is the first juice, the next other one the second, and so on
        /// around.
        case cycle
    }

    package struct Line: Equatable, Sendable {
        package var time: SimulationTime
        package var juice: Juice
        /// nil where the trace has no such column: then it is drawn.
        package var cups: Int?

        package init(time: SimulationTime, juice: Juice, cups: Int?) {
            self.time = time
            self.juice = juice
            self.cups = cups
        }
    }

    package var source: Source
    /// By time, those of one time in the order of the file.
    package var lines: [Line]

    package init(source: Source, lines: [Line]) {
        self.source = source
        self.lines = lines
    }
}

extension StandSettings {
    /// The stand of an empty configuration: the standard menu, ten of each fruit, one maker.
    package static let standard = StandSettings(
        stand: "stand", opens: "2026-01-01T00:00:00", seed: 42, wiring: "notification", currency: "EUR",
        menu: .standard, shelves: Menu.standard.fruits.map { _ in Shelf(initial: 10) },
        offers: Menu.standard.juices.map { _ in Offer() }, makers: 1, queueLimit: .max, customers: Customers())

    /// Whether the run ends by itself when the last order has left.
    package var endsWithItsOrders: Bool {
        if case .trace = customers.arrivals { true } else { false }
    }
}
