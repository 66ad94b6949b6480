import HTTPServer
import JuiceStand
import StandState
import TextFormats

// The JSON of status, stock, menu and orders.

extension StandStatus {
    /// The status: counts since the opening, times in seconds of stand time.
    package var json: JSONValue {
        [
            "stand": .string(settings.stand), "phase": .string(phase.rawValue), "opens": .string(settings.opens),
            "seed": .whole(settings.seed), "time": .number(time.seconds), "speed": .number(speed),
            "behind": ["seconds": .number(behind.seconds), "share": .number(lateShare)],
            "rate": .number(shown.rate), "sequence": .whole(engine.sequence), "editTag": .whole(engine.editTag),
            "queue": .whole(shown.queue),
            "present": .whole(shown.present), "busyMakers": .whole(engine.busyMakers),
            "makers": engine.makers.limitJSON,
            "places": settings.queueLimit.limitJSON, "orders": .whole(shown.orders), "served": .whole(shown.served),
            "lost": shown.lost.json,
            "substituted": .whole(shown.substituted), "cupsServed": .whole(shown.cupsServed),
            "revenue": .number(engine.revenue),
            "lowStockAlerts": .whole(lowStockAlerts),
            "stock": .object(zip(settings.menu.fruits, shown.levels).map { .init(key: $0.name, value: .orNull($1)) }),
            "onOrder": .object(zip(settings.menu.fruits, shown.onOrder).map { .init(key: $0.name, value: .whole($1)) }),
            "ready": .bool(isReady), "causes": .strings(causes), "forecast": outlook?.json ?? .null,
            "waits": waits.waitsJSON, "alerts": .array(alerts.map { $0.json(settings.menu) }),
        ]
    }

    package var isReady: Bool { phase != .closed && causes.isEmpty }

    /// Levels, pieces on order and the marks of each shelf, in menu order.
    package var stockJSON: JSONValue {
        [
            "editTag": .whole(engine.editTag),
            "stock": .array(
                settings.menu.fruits.indices.map { index in
                    let fruit = settings.menu.fruits[index]
                    let shelf = settings.shelves[index]
                    return [
                        "fruit": .string(fruit.name), "names": fruit.names.json, "colour": .string(fruit.face.colour),
                        "labelColour": .string(fruit.face.labelColour), "picture": .string(fruit.face.picture),
                        "level": .orNull(shown.levels[index]),
                        "onOrder": .whole(shown.onOrder[index]), "lowStock": .orNull(shelf.lowStock),
                        "reorderPoint": .orNull(shelf.restock.reorderPoint), "capacity": .orNull(shelf.capacity),
                        "full": .orNull(shelf.full),
                    ]
                }),
        ]
    }

    /// Juices with their recipes and prices.
    package var menuJSON: JSONValue {
        let menu = settings.menu
        return [
            "currency": .string(settings.currency),
            "juices": .array(
                menu.allJuices.map { juice in
                    let entry = menu.juices[juice.index]
                    return [
                        "juice": .string(entry.name), "names": entry.names.json, "category": .orNull(entry.category),
                        "method": .orNull(entry.method), "price": .number(settings.offers[juice.index].price),
                        "preparation": .number(settings.offers[juice.index].preparation.mean),
                        "recipe": .object(
                            entry.recipe.map { .init(key: menu.name(of: $0.fruit), value: .whole($0.pieces)) }),
                    ]
                }),
        ]
    }
}

extension OrderRecord {
    /// The order in the words of the ledger; times and spans in seconds of stand time.
    func json(number: UInt64, menu: Menu) -> JSONValue {
        let name =
            switch juice {
            case .onMenu(let juice): menu.name(of: juice)
            case .unknown(let name): name
            }
        let order: JSONValue = [
            "order": .whole(number), "state": .string(state), "juice": .string(name), "cups": .whole(cups),
            "placed": .orNull(placed?.seconds), "started": .orNull(started?.seconds),
        ]
        let end: JSONValue =
            switch outcome {
            case .served(let wait, let stay): ["wait": .number(wait.seconds), "stay": .number(stay.seconds)]
            case .lost(let reason, let fruit):
                ["reason": .string(reason.name), "fruit": fruit.map { .string(menu.name(of: $0)) }]
            case nil: [:]
            }
        return .object(order.members + end.members)
    }

    private var state: String {
        switch outcome {
        case .served: "served"
        case .lost: "lost"
        case nil: started == nil ? "waiting" : "started"
        }
    }
}

extension LossCounts {
    var json: JSONValue { .object(LossReason.allCases.map { .init(key: $0.name, value: .whole(self[$0])) }) }
}

extension [StockLevel] {
    var json: JSONValue { .object(map { .init(key: $0.fruit, value: .orNull($0.level)) }) }
}

extension [LocalizedName] {
    fileprivate var json: JSONValue { .object(map { .init(key: $0.language, value: .string($0.name)) }) }
}

extension Int {
    /// A number; null for no limit.
    var limitJSON: JSONValue { self == .max ? .null : .whole(self) }
}

extension StandSettings.Shelf {
    /// The level of a full bar; nil for unlimited fruit.
    fileprivate var full: Int? {
        initial.map { max($0, capacity ?? 0, restock.target ?? 0) }
    }
}

extension RestockPolicy {
    /// The approximate level after restocking.
    fileprivate var target: Int? {
        switch self {
        case .manual: nil
        case .orderUpTo(_, let level, _, _): level
        case .fixedQuantity(let point, let quantity, _): point + quantity
        }
    }
}

extension HTTPResponse {
    /// A JSON document.
    init(_ status: HTTPStatus = .ok, json: JSONValue) {
        self.init(status, type: "application/json", content: Array((json.compact() + "\n").utf8))
    }
}
