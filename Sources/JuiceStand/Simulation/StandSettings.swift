import TextFormats

/// The resolved configuration of a stand, as the engine uses it.
///
/// Reading a configuration checks every value. <doc:Configuration> describes the keys, their ranges and their defaults.
package struct StandSettings: Equatable, Sendable {
    package var stand: String
    /// The calendar time of stand time 0, in ISO 8601.
    package var opens: String
    package var seed: UInt64
    package var wiring: String
    package var currency: String
    /// The cost of one maker's hour on duty, in the stand's currency.
    package var wage = 0.0
    package var menu: Menu
    /// One shelf for each fruit of the menu.
    package var shelves: [Shelf]
    /// One offer for each juice of the menu.
    package var offers: [Offer]
    /// Parallel servers; `Int.max` means no limit. With ``shifts``, those of the first shift.
    package var makers: Int
    /// The shifts of makers; nil if their number is constant.
    package var shifts: Shifts?
    /// Waiting places; `Int.max` means no limit.
    package var queueLimit: Int
    package var customers: Customers
    /// Identifies the resolved configuration without its seed and wiring.
    package var fingerprint = ""

    /// The stand's clock at a stand time.
    package func clock(at now: SimulationTime) -> StandClock { StandClock(opens: opens, now: now.nanoseconds) }

    /// The number of makers in each shift, from the opening on.
    package struct Shifts: Equatable, Sendable {
        /// The length of each shift.
        package var every: SimulationTime
        /// The makers of each shift: one entry or more, each from 0.
        package var makers: [Int]
        /// Whether the first shift follows the last. Otherwise the last one stays.
        package var repeats: Bool

        /// The makers of the shift at `time`.
        package func makers(at time: SimulationTime) -> Int {
            let shift = Int(time.nanoseconds / every.nanoseconds)
            return makers[repeats ? shift % makers.count : min(shift, makers.count - 1)]
        }

        /// The end of the shift at `time`; `never` if it is the last.
        func end(ofShiftAt time: SimulationTime) -> SimulationTime {
            let shift = time.nanoseconds / every.nanoseconds
            guard repeats || shift < makers.count - 1 else { return .never }
            return time + every - SimulationTime(nanoseconds: time.nanoseconds % every.nanoseconds)
        }

        /// Whether any maker is on duty at `time` or later.
        func hasMakers(from time: SimulationTime) -> Bool {
            let shift = repeats ? 0 : min(Int(time.nanoseconds / every.nanoseconds), makers.count - 1)
            return makers[shift...].contains { $0 > 0 }
        }
    }

    /// How one fruit is kept.
    package struct Shelf: Equatable, Sendable {
        /// Pieces at the opening; nil means no limit.
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

    /// The price, the popularity and the preparation time of a juice.
    package struct Offer: Equatable, Sendable {
        package var price = 0.0
        package var popularity = 1.0
        /// Seconds that one maker needs for one cup.
        package var preparation = Distribution.constant(30)

        package init() {}
    }

    package struct Customers: Equatable, Sendable {
        package var arrivals = Arrivals.poisson(perSecond: 0.05)
        package var cups = Distribution.constant(1)
        /// The orders of a party, rounded, at least 1. They come at one instant; arrival rates count parties.
        package var party = Distribution.constant(1)
        /// Seconds; nil if customers never lose it.
        package var patience: Distribution?
        package var whenSoldOut = WhenSoldOut.leave

        package init() {}

        /// The most cups of an order, by the size of their distribution.
        var largestOrder: Int { Self.largest(cups, CustomerGenerator.mostCups) }
        /// The most orders of a party, by the size of their distribution.
        var largestParty: Int { Self.largest(party, CustomerGenerator.largestParty) }

        private static func largest(_ law: Distribution, _ limit: Int) -> Int {
            Int(min(max(1, law.size), Double(limit)))
        }
    }
}

/// What a customer does if the wished juice is sold out.
package enum WhenSoldOut: String, CaseIterable, Sendable {
    /// Leaves: a lost sale.
    case leave
    /// Takes the most similar juice that can be made.
    case substitute
    /// Waits: a backorder.
    case wait
}

/// When fruit is ordered and how much.
///
/// The rules compare the inventory position: pieces on hand and on order, less those backordered.
package enum RestockPolicy: Equatable, Sendable {
    /// By command only.
    case manual
    /// (s, S): orders up to `level` if the position is at or below `reorderPoint`, after every change or every
    /// `review`.
    case orderUpTo(reorderPoint: Int, level: Int, leadTime: Distribution, review: SimulationTime?)
    /// (s, Q): places orders of `quantity` until the position is above `reorderPoint`.
    case fixedQuantity(reorderPoint: Int, quantity: Int, leadTime: Distribution)

    package var leadTime: Distribution? {
        switch self {
        case .manual: nil
        case .orderUpTo(_, _, let leadTime, _), .fixedQuantity(_, _, let leadTime): leadTime
        }
    }

    package var review: SimulationTime? { if case .orderUpTo(_, _, _, let review) = self { review } else { nil } }

    package var reorderPoint: Int? {
        switch self {
        case .manual: nil
        case .orderUpTo(let point, _, _, _), .fixedQuantity(let point, _, _): point
        }
    }
}

/// The arrival law.
package enum Arrivals: Equatable, Sendable {
    case poisson(perSecond: Double)
    /// Independent gaps. The first customer comes after one gap.
    case renewal(Distribution)
    /// Poisson arrivals whose rate takes the next value every `every`.
    case profile(every: SimulationTime, perSecond: [Double], repeats: Bool)
    /// Poisson arrivals whose rate alternates between two phases of random length, beginning with `calm`.
    case bursts(calm: Phase, busy: Phase)
    /// Poisson arrivals with a rate by time of day and day of the week.
    case week(Week)
    case trace(Trace)

    /// Rates by day of the week.
    package struct Week: Equatable, Sendable {
        /// The length of each entry of a day's list, from midnight on. Midnight cuts the last one.
        package var every: SimulationTime
        /// Parties per second, from Monday to Sunday. After a list's last entry no party comes.
        package var perSecond: [[Double]]
        /// Whether one list was given for all days.
        package var isSameEveryDay: Bool
        /// Multiplies a day's rates, drawn once a day; nil stands for 1.
        package var level: Distribution?
        /// After the opening and after each party, none comes for so long; nil stands for 0.
        package var spacing: SimulationTime?
        /// Parties that follow others; nil if there are none.
        package var followers: Followers?
        /// The opening, counted from Monday midnight before it.
        package var opening: SimulationTime

        var hasArrivals: Bool { perSecond.contains { $0.contains { $0 > 0 } } }
    }

    /// The law of followers: a party may be followed by another party, which may be followed, too.
    package struct Followers: Equatable, Sendable {
        /// The probability that a party is followed, below 1.
        package var share: Double
        /// The time between the two, in seconds.
        package var after: Distribution
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

/// Recorded orders, in the order of their times.
package struct Trace: Equatable, Sendable {
    /// The origin of the orders and how they were read, for showing the configuration.
    package struct Source: Equatable, Sendable {
        package var file: String
        package var time: String
        package var juice: String
        package var cups: String?
        /// The juice of each item; nil skips the item's lines.
        package var map: [(item: String, juice: String?)] = []
        package var unmapped = Unmapped.error
        package var timeFormat: String?
        /// The shop's clock, such as `+09:00`; nil to keep times as they are written.
        package var timeZone: String?
        /// The conditions that a line must meet to count, such as `status=paid`.
        package var conditions: [String] = []
        /// The hash of the file's bytes, which identifies the orders wherever the file is.
        package var fingerprint = ""
        /// The column of the order number; nil to find it by its name.
        package var order: String?
        /// The warnings about the file: skipped lines, and lines whose time goes back.
        package var warnings: [TextProblem] = []

        package init(file: String, time: String, juice: String, cups: String? = nil) {
            self.file = file
            self.time = time
            self.juice = juice
            self.cups = cups
        }

        package static func == (a: Self, b: Self) -> Bool {
            a.file == b.file && a.time == b.time && a.juice == b.juice && a.cups == b.cups
                && a.map.elementsEqual(b.map, by: ==) && a.unmapped == b.unmapped && a.timeFormat == b.timeFormat
                && a.timeZone == b.timeZone && a.conditions == b.conditions && a.order == b.order
                && a.fingerprint == b.fingerprint
        }
    }

    /// The treatment of an item that is neither a juice nor in the map.
    package enum Unmapped: String, CaseIterable, Sendable {
        case skip
        case error
        /// Assigns juices in turn: the first unknown item becomes the first juice of the menu, the next item the
        /// second.
        case cycle
    }

    package struct Line: Equatable, Sendable {
        package let time: SimulationTime
        package let juice: Juice
        /// 0 stands for nil. It is narrow because a trace may have millions of lines.
        private let knownCups: UInt32

        /// The number of cups; nil if the trace has no such column. The number is drawn then.
        package var cups: Int? { knownCups == 0 ? nil : Int(knownCups) }

        package init(time: SimulationTime, juice: Juice, cups: Int?) {
            self.time = time
            self.juice = juice
            knownCups = UInt32(cups ?? 0)
        }
    }

    package var source: Source
    /// Sorted by time. Lines of one time keep the order of the file.
    package var lines: [Line]

    package init(source: Source, lines: [Line]) {
        self.source = source
        self.lines = lines
    }
}

extension StandSettings {
    /// The settings of an empty configuration: the standard menu, ten of each fruit, one maker.
    package static let standard = StandSettings(
        stand: "stand", opens: "2026-01-01T00:00:00", seed: 42, wiring: "notification", currency: "EUR",
        menu: .standard, shelves: Menu.standard.fruits.map { _ in Shelf(initial: 10) },
        offers: Menu.standard.juices.map { _ in Offer() }, makers: 1, queueLimit: .max, customers: Customers())

    /// Whether the run ends by itself when the last order has left, as that of a trace does.
    package var endsWithItsOrders: Bool { if case .trace = customers.arrivals { true } else { false } }

    /// A sum of prices without its rounding error: rounded to the decimals of the prices, at least two.
    ///
    /// Prices with more than six decimals leave the sum as it is.
    package func money(_ sum: Double) -> Double {
        func rounded(_ number: Double, _ scale: Double) -> Double { (number * scale).rounded() / scale }
        let scale = [1e2, 1e3, 1e4, 1e5, 1e6].first { scale in
            offers.allSatisfy { rounded($0.price, scale) == $0.price }
        }
        return scale.map { rounded(sum, $0) } ?? sum
    }
}
