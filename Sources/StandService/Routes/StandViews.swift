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
            "seed": .integer(Int64(clamping: settings.seed)),
            "time": .number(time.seconds), "speed": .number(speed), "rate": .number(rate),
            "sequence": .integer(Int64(sequence)), "editTag": .integer(Int64(editTag)),
            "queue": .integer(Int64(queue)), "present": .integer(Int64(present)),
            "busyMakers": .integer(Int64(busyMakers)), "makers": makers.limitJSON,
            "places": settings.queueLimit.limitJSON,
            "orders": .integer(Int64(orders)), "served": .integer(Int64(served)),
            "lost": [
                "queueFull": .integer(Int64(balked)), "soldOut": .integer(Int64(soldOut)),
                "ranOutOfPatience": .integer(Int64(reneged)), "notOnMenu": .integer(Int64(notOnMenu)),
            ],
            "substituted": .integer(Int64(substituted)), "cupsServed": .integer(Int64(cupsServed)),
            "revenue": .number(revenue),
            "lowStockAlerts": .integer(Int64(lowStockAlerts)),
            "stock": .object(
                zip(settings.menu.fruits, levels).map { .init(key: $0.name, value: $1.levelJSON) }),
            "onOrder": .object(
                zip(settings.menu.fruits, onOrder).map { .init(key: $0.name, value: .integer(Int64($1))) }),
            "ready": .bool(isReady), "causes": .array(causes.map { .string($0) }),
            "forecast": outlook?.json ?? .null,
        ]
    }

    var isReady: Bool { phase != .closed && causes.isEmpty }

    /// Levels, pieces on order and the marks of each shelf, in menu order.
    package var stockJSON: JSONValue { stockJSON(editTag: .integer(Int64(editTag))) }

    func stockJSON(editTag: JSONValue) -> JSONValue {
        [
            "editTag": editTag,
            "stock": .array(
                settings.menu.fruits.indices.map { index in
                    let fruit = settings.menu.fruits[index]
                    let shelf = settings.shelves[index]
                    return [
                        "fruit": .string(fruit.name), "names": fruit.names.json, "level": levels[index].levelJSON,
                        "onOrder": .integer(Int64(onOrder[index])), "lowStock": shelf.lowStock.levelJSON,
                        "reorderPoint": shelf.restock.point.levelJSON, "capacity": shelf.capacity.levelJSON,
                        "full": shelf.full.levelJSON,
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
                        "juice": .string(entry.name), "names": entry.names.json,
                        "category": entry.category.map { .string($0) } ?? .null,
                        "method": entry.method.map { .string($0) } ?? .null,
                        "price": .number(settings.offers[juice.index].price),
                        "recipe": .object(
                            entry.recipe.map {
                                .init(key: menu.name(of: $0.fruit), value: .integer(Int64($0.pieces)))
                            }),
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
        var members: [JSONValue.Member] = [
            .init(key: "order", value: .integer(Int64(number))), .init(key: "state", value: .string(state)),
            .init(key: "juice", value: .string(name)), .init(key: "cups", value: .integer(Int64(cups))),
            .init(key: "placed", value: placed.map { .number($0.seconds) } ?? .null),
            .init(key: "started", value: started.map { .number($0.seconds) } ?? .null),
        ]
        switch outcome {
        case .served(let wait, let stay):
            members.append(.init(key: "wait", value: .number(wait.seconds)))
            members.append(.init(key: "stay", value: .number(stay.seconds)))
        case .lost(let reason, let fruit):
            members.append(.init(key: "reason", value: .string(reason.rawValue)))
            if let fruit { members.append(.init(key: "fruit", value: .string(menu.name(of: fruit)))) }
        case nil: break
        }
        return .object(members)
    }

    private var state: String {
        switch outcome {
        case .served: "served"
        case .lost: "lost"
        case nil: started == nil ? "waiting" : "started"
        }
    }
}

extension [StockLevel] {
    var json: JSONValue { .object(map { .init(key: $0.fruit, value: $0.level.levelJSON) }) }
}

extension [LocalizedName] {
    fileprivate var json: JSONValue { .object(map { .init(key: $0.language, value: .string($0.name)) }) }
}

extension Int? {
    /// A number; null for no limit or no mark.
    var levelJSON: JSONValue { map { .integer(Int64($0)) } ?? .null }
}

extension Int {
    /// A number; null for no limit.
    var limitJSON: JSONValue { self == .max ? .null : .integer(Int64(self)) }
}

extension RestockPolicy {
    fileprivate var point: Int? {
        switch self {
        case .manual: nil
        case .orderUpTo(let point, _, _, _), .fixedQuantity(let point, _, _): point
        }
    }
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
