import JuiceStand
import StandState
import TextFormats

/// The shapes of what is sent and answered.
enum OpenAPISchemas {
    static let all: JSONValue = [
        "Status": object([
            ("stand", string), ("phase", ["enum": ["open", "paused", "closed"]]), ("opens", string), ("seed", count),
            ("time", number),
            ("speed", number), ("rate", number), ("sequence", count), ("editTag", count), ("queue", count),
            ("present", count), ("busyMakers", count), ("makers", orNull), ("places", orNull), ("orders", count),
            ("served", count),
            (
                "lost",
                object([("queueFull", count), ("soldOut", count), ("ranOutOfPatience", count), ("notOnMenu", count)])
            ), ("substituted", count), ("cupsServed", count), ("lowStockAlerts", count), ("stock", levels),
            ("onOrder", map(count)), ("ready", boolean), ("causes", list(string)),
        ]),
        "Stock": object([
            ("editTag", count),
            (
                "stock",
                list(
                    object([
                        ("fruit", string), ("names", names), ("level", orNull), ("onOrder", count),
                        ("lowStock", orNull),
                        ("reorderPoint", orNull), ("capacity", orNull), ("full", orNull),
                    ]))
            ),
        ]),
        "Menu": object([
            ("currency", string),
            (
                "juices",
                list(
                    object([
                        ("juice", string), ("names", names), ("category", stringOrNull), ("method", stringOrNull),
                        ("price", number), ("recipe", map(count)),
                    ]))
            ),
        ]),
        "Order": object(
            [
                ("order", count), ("state", ["enum": ["waiting", "started", "served", "lost", "left"]]),
                ("juice", string), ("cups", count), ("placed", numberOrNull), ("started", numberOrNull),
                // Of one that was served, and of one that was lost.
                ("wait", number), ("stay", number), ("reason", ["enum": reasons]), ("fruit", string),
            ], required: ["order", "state"]),
        "OrderRequest": object([("juice", string), ("cups", ["type": "integer", "minimum": 1])], required: ["juice"]),
        "OrderAnswer": object([
            ("order", count), ("at", number), ("juice", string), ("isSubstitute", boolean), ("isStarted", boolean),
            ("cupsWaitingForFruit", count),
        ]),
        "Comparison": ["type": "object", "required": ["schema", "machine", "wirings"]],
        "StockChange": object([("changes", map(["type": "integer"]))]),
        "StockAnswer": object([("editTag", count), ("stock", levels)]),
        "Rate": object([("factor", ["type": "number", "minimum": 0])]),
        "Done": object([("at", number)]),
        "Reloaded": object([("changes", list(object([("key", string), ("from", string), ("to", string)])))]),
        "Problem": [
            "type": "object", "required": ["type", "title", "status", "detail"],
            "properties": [
                "type": string, "title": string, "status": ["type": "integer"], "detail": string,
                // Of an order that was lost: why, and what could be made instead.
                "order": count, "reason": ["enum": ["soldOut", "queueFull"]], "missing": count, "instead": list(string),
                // The fruit that is short, or has no place, and by how many pieces.
                "fruit": string, "by": count,
                // A name that may have been meant; the stock's edit tag of now.
                "nearest": string, "editTag": count,
                // What is wrong with a configuration, and why the stand is not ready.
                "problems": list(string), "causes": list(string),
            ],
        ],
        "OpenAPI": ["type": "object", "required": ["openapi", "info", "paths"]],
    ]

    private static let string: JSONValue = ["type": "string"]
    private static let stringOrNull: JSONValue = ["type": ["string", "null"]]
    private static let number: JSONValue = ["type": "number"]
    private static let numberOrNull: JSONValue = ["type": ["number", "null"]]
    private static let reasons: JSONValue = .array(LossReason.allCases.map { .string($0.rawValue) })
    private static let boolean: JSONValue = ["type": "boolean"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]
    /// A number of pieces or places; null where there is no limit.
    private static let orNull: JSONValue = ["type": ["integer", "null"], "minimum": 0]
    private static let levels = map(orNull)
    /// By language tag.
    private static let names = map(string)

    private static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    private static func map(_ value: JSONValue) -> JSONValue { ["type": "object", "additionalProperties": value] }

    /// An object of these members and no others, all of them required unless said otherwise.
    private static func object(_ members: [(name: String, schema: JSONValue)], required: [String]? = nil) -> JSONValue {
        [
            "type": "object",
            "required": .array((required ?? members.map(\.name)).map { .string($0) }),
            "properties": .object(members.map { .init(key: $0.name, value: $0.schema) }),
            "additionalProperties": false,
        ]
    }
}
