import JuiceStand
import TextFormats

/// Levels, pieces on order and the marks of each shelf, in menu order.
package struct StockDocument: Document {
    package struct Shelf: Document {
        package var fruit = ""
        /// By language tag.
        package var names: NamedValues<String> = [:]
        package var colour: String?
        package var labelColour: String?
        package var picture: String?
        /// nil for unlimited fruit.
        package var level: Int?
        package var onOrder = 0
        package var lowStock: Int?
        package var reorderPoint: Int?
        package var capacity: Int?
        /// The level of a full bar; nil for unlimited fruit.
        package var full: Int?

        package init() {}
        package static let fields: [DocumentField<Self>] = [
            .init("fruit", \.fruit), .init("names", \.names), .init("colour", \.colour, schema: String.schema),
            .init("labelColour", \.labelColour, schema: String.schema),
            .init("picture", \.picture, schema: String.schema),
            .init("level", \.level), .init("onOrder", \.onOrder), .init("lowStock", \.lowStock),
            .init("reorderPoint", \.reorderPoint), .init("capacity", \.capacity), .init("full", \.full),
        ]

        package var face: FruitFace { FruitFace(of: fruit, colour: colour, picture: picture) }
    }

    /// Counts edits and not sales.
    package var editTag: UInt64?
    package var shelves: [Shelf] = []

    package init() {}
    package static let fields: [DocumentField<Self>] = [.init("editTag", \.editTag), .init("stock", \.shelves)]
}

/// Juices with their recipes and prices, in menu order.
package struct MenuDocument: Document {
    package struct Entry: Document {
        package var juice = ""
        /// By language tag.
        package var names: NamedValues<String> = [:]
        package var category: String?
        package var method: String?
        package var price = 0.0
        /// The mean seconds that a maker is busy with a cup.
        package var preparation = Double.infinity
        /// Pieces by fruit.
        package var recipe: NamedValues<Int> = [:]

        package init() {}
        package static let fields: [DocumentField<Self>] = [
            .init("juice", \.juice), .init("names", \.names), .init("category", \.category), .init("method", \.method),
            .init("price", \.price), .init("preparation", \.preparation), .init("recipe", \.recipe),
        ]
    }

    package var currency = ""
    package var juices: [Entry] = []

    package init() {}
    package static let fields: [DocumentField<Self>] = [.init("currency", \.currency), .init("juices", \.juices)]
}

/// How far an order has come, or how it ended; times and spans in seconds of stand time.
package struct OrderDocument: Document {
    /// The states of an order.
    package static let states = ["waiting", "started", "served", "lost", "left"]

    package var order: UInt64 = 0
    /// One of ``states``. Of an order that has `left`, nothing else is known.
    package var state = ""
    package var juice: String?
    package var cups: Int?
    /// null if the order was lost before. Left out of an order that has `left`.
    package var placed: Double??
    package var started: Double??
    /// Of a served order.
    package var wait: Double?
    package var stay: Double?
    /// Of a lost order.
    package var reason: String?
    package var fruit: String?

    package init() {}
    package static let fields: [DocumentField<Self>] = [
        .init("order", \.order), .init("state", \.state, schema: ["enum": .strings(states)]),
        .init(optional: "juice", \.juice), .init(optional: "cups", \.cups), .init(optional: "placed", \.placed),
        .init(optional: "started", \.started), .init(optional: "wait", \.wait), .init(optional: "stay", \.stay),
        .init(optional: "reason", \.reason, schema: ["enum": .strings(LossReason.allCases.map(\.name))]),
        .init(optional: "fruit", \.fruit),
    ]
}

/// Orders in the order of their numbers.
package struct OrdersDocument: Document {
    package var orders: [OrderDocument] = []
    /// The number of the last order so far.
    package var last: UInt64 = 0

    package init() {}
    package static let fields: [DocumentField<Self>] = [.init("orders", \.orders), .init("last", \.last)]
}

// MARK: - Answers to changes

/// An order that was accepted.
package struct AcceptedOrder: Document {
    package var order: UInt64 = 0
    package var at = 0.0
    package var juice = ""
    package var isSubstitute = false
    package var isStarted = false
    package var cupsWaitingForFruit = 0

    package init() {}
    package static let fields: [DocumentField<Self>] = [
        .init("order", \.order), .init("at", \.at), .init("juice", \.juice), .init("isSubstitute", \.isSubstitute),
        .init("isStarted", \.isStarted), .init("cupsWaitingForFruit", \.cupsWaitingForFruit),
    ]
}

/// The stock after a change.
package struct ChangedStock: Document {
    package var editTag: UInt64 = 0
    /// Levels by fruit; nil for unlimited fruit.
    package var stock: NamedValues<Int?> = [:]

    package init() {}
    package static let fields: [DocumentField<Self>] = [.init("editTag", \.editTag), .init("stock", \.stock)]
}

/// When a change took effect.
package struct ChangeTime: Document {
    /// Stand time in seconds.
    package var at = 0.0
    /// The date of stand time 0.
    package var opens = ""

    package init() {}
    package static let fields: [DocumentField<Self>] = [.init("at", \.at), .init("opens", \.opens)]

    /// The time of day.
    package var clock: StandClock { StandClock(opens: opens, seconds: at) }
}

/// The settings that a reload has changed.
package struct ChangedSettings: Document {
    package struct Change: Document {
        package var key = ""
        package var from = ""
        package var to = ""

        package init() {}
        package static let fields: [DocumentField<Self>] = [
            .init("key", \.key), .init("from", \.from), .init("to", \.to),
        ]
    }

    package var changes: [Change] = []

    package init() {}
    package static let fields: [DocumentField<Self>] = [.init("changes", \.changes)]
}
