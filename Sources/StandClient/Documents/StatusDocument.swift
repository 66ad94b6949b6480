import JuiceStand
import TextFormats

/// The status of a stand, now or at an instant that has passed: counts since the opening, times in seconds of stand
/// time.
package struct StatusDocument: Document {
    package var stand = ""
    /// `open`, `paused` or `closed`; a later version may know more.
    package var phase = ""
    /// The date of stand time 0.
    package var opens = ""
    package var seed: UInt64 = 0
    package var time = 0.0
    /// Stand seconds per wall second; nil for an instant that has passed.
    package var speed: Double?
    /// nil for an instant that has passed.
    package var behind: Behind?
    /// The factor on the arrival rate.
    package var rate = 1.0
    /// The number of the last event.
    package var sequence: UInt64 = 0
    package var editTag: UInt64 = 0
    /// Orders with no cup started.
    package var queue = 0
    package var present = 0
    package var busyMakers = 0
    /// nil without limit.
    package var makers: Int?
    /// Waiting places; nil without limit.
    package var places: Int?
    package var orders = 0
    package var served = 0
    /// By reason.
    package var lost: NamedValues<Int> = [:]
    package var substituted = 0
    package var cupsServed = 0
    package var revenue = 0.0
    package var lowStockAlerts = 0
    /// Levels by fruit; nil for unlimited fruit.
    package var stock: NamedValues<Int?> = [:]
    package var onOrder: NamedValues<Int> = [:]
    /// nil for an instant that has passed.
    package var isReady: Bool?
    /// Why the stand is not ready; nil for an instant that has passed.
    package var causes: [String]?
    /// The latest forecast; nil if none is made, and for an instant that has passed.
    package var forecast: Outlook?
    package var waits = Waits()
    /// The latest alerts, oldest first.
    package var alerts: [LedgerEvent] = []
    /// Of an instant that has passed: the orders in the queue, those being made, and the events around it.
    package var line: [Order]?
    package var making: [Order]?
    package var events: [LedgerEvent]?
    /// The address of the stand's page; nil if it has none.
    package var url: String?

    package init() {}

    package static let fields: [DocumentField<Self>] = [
        .init("stand", \.stand), .init("phase", \.phase, schema: ["enum": ["open", "paused", "closed"]]),
        .init("opens", \.opens), .init("seed", \.seed), .init("time", \.time), .init("speed", \.speed),
        .init("behind", \.behind), .init("rate", \.rate), .init("sequence", \.sequence), .init("editTag", \.editTag),
        .init("queue", \.queue), .init("present", \.present), .init("busyMakers", \.busyMakers),
        .init("makers", \.makers), .init("places", \.places), .init("orders", \.orders), .init("served", \.served),
        .init("lost", \.lost, schema: losses), .init("substituted", \.substituted), .init("cupsServed", \.cupsServed),
        .init("revenue", \.revenue), .init("lowStockAlerts", \.lowStockAlerts), .init("stock", \.stock),
        .init("onOrder", \.onOrder), .init("ready", \.isReady), .init("causes", \.causes),
        .init("forecast", \.forecast), .init("waits", \.waits), .init("alerts", \.alerts),
        .init(optional: "line", \.line), .init(optional: "making", \.making), .init(optional: "events", \.events),
        .init(optional: "url", \.url),
    ]

    /// A count for each reason.
    private static let losses: JSONValue = [
        "type": "object", "required": .strings(LossReason.allCases.map(\.name)), "additionalProperties": Int.schema,
    ]

    /// nil if it is not the status of a stand: without an opening, a seed and the number of the last event.
    package init?(ofStand json: JSONValue) {
        guard json["opens"] != nil, json["seed"] != nil, json["sequence"]?.count != nil else { return nil }
        self.init(json: json)
    }
}

// MARK: - Parts

extension StatusDocument {
    /// How late the stand is.
    package struct Behind: Document {
        /// The lateness in seconds of stand time.
        package var seconds = 0.0
        /// The share of the last minute's events that came late.
        package var share = 0.0

        package init() {}
        package static let fields: [DocumentField<Self>] = [.init("seconds", \.seconds), .init("share", \.share)]
    }

    /// Percentiles of the latest waits, in seconds; nil before anybody was served.
    package struct Waits: Document {
        package var p50: Double?
        package var p95: Double?
        package var p99: Double?

        package init() {}
        package static let fields: [DocumentField<Self>] = [
            .init("p50", \.p50), .init("p95", \.p95), .init("p99", \.p99),
        ]
    }

    /// The summary of a forecast.
    package struct Outlook: Document {
        /// When a fruit becomes short, in stand time; the times are nil if that happens in no future.
        package struct Fruit: Document {
            package var probability = 0.0
            package var p05: Double?
            package var p50: Double?
            package var p95: Double?

            package init() {}
            package static let fields: [DocumentField<Self>] = [
                .init("probability", \.probability), .init("p05", \.p05), .init("p50", \.p50), .init("p95", \.p95),
            ]

            /// The median, if a shortage is as likely as not.
            package var likely: Double? { probability >= 0.5 ? p50 : nil }
        }

        /// Stand time of the forecast, and of its end.
        package var at = 0.0
        package var horizon = 0.0
        package var fruits: NamedValues<Fruit> = [:]

        package init() {}
        package static let fields: [DocumentField<Self>] = [
            .init("at", \.at), .init("horizon", \.horizon), .init("fruits", \.fruits),
        ]
    }

    /// An order in the stand.
    package struct Order: Document {
        package var order: UInt64 = 0
        package var juice = ""
        package var cups = 1
        package var placed = 0.0
        package var started: Double?

        package init() {}
        package static let fields: [DocumentField<Self>] = [
            .init("order", \.order), .init("juice", \.juice), .init("cups", \.cups), .init("placed", \.placed),
            .init(optional: "started", \.started),
        ]
    }
}

// MARK: - What follows from it

extension StatusDocument {
    package var clock: StandClock { StandClock(opens: opens, seconds: time) }

    package var lostInAll: Int { Figures.sum(lost.members.map(\.value)) }

    /// Whether the stand is late by more than half a second of real time.
    package var isBehind: Bool { (behind?.seconds ?? 0) > (speed ?? 1) / 2 }
}
