import JuiceStand
import StandState
import TextFormats

/// The schemas of requests and answers.
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
                // Of a served order, and of a lost one.
                ("wait", number), ("stay", number), ("reason", ["enum": reasons]), ("fruit", string),
            ], required: ["order", "state"]),
        "Orders": object([("orders", list(["$ref": "#/components/schemas/Order"])), ("last", count)]),
        "OrderRequest": object(
            [
                ("juice", ["type": "string", "maxLength": .integer(Int64(StandChange.longestName))]),
                ("cups", integer(1, Stand.mostCups)),
            ], required: ["juice"]),
        "OrderAnswer": object([
            ("order", count), ("at", number), ("juice", string), ("isSubstitute", boolean), ("isStarted", boolean),
            ("cupsWaitingForFruit", count),
        ]),
        "Comparison": ["type": "object", "required": ["schema", "machine", "wirings"]],
        "StockChange": object([
            (
                "changes",
                [
                    "type": "object", "minProperties": 1,
                    "additionalProperties": integer(-StandChange.mostPieces, StandChange.mostPieces),
                ]
            )
        ]),
        "StockAnswer": object([("editTag", count), ("stock", levels)]),
        "Rate": object([
            ("factor", ["type": "number", "minimum": 0, "maximum": .integer(Int64(Stand.rates.upperBound))])
        ]),
        "Done": object([("at", number)]),
        "Reloaded": object([("changes", list(object([("key", string), ("from", string), ("to", string)])))]),
        "Problem": [
            "type": "object", "required": ["type", "title", "status", "detail"],
            "properties": [
                "type": ["type": "string", "enum": types, "description": .string(typesDescription)], "title": string,
                "status": ["type": "integer"], "detail": string,
                // Of a lost order: the reason, and what could be made instead.
                "order": count, "reason": ["enum": ["soldOut", "queueFull"]], "missing": count, "instead": list(string),
                // The fruit that lacks pieces or room, and how many.
                "fruit": string, "by": count,
                // The nearest known name; the current edit tag of the stock.
                "nearest": string, "editTag": count,
                // The errors of a configuration, and why the stand is not ready.
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
    private static let types: JSONValue = .array(
        [.string("about:blank")] + ProblemType.allCases.map { .string($0.uri) })
    private static let typesDescription =
        "about:blank is a problem of HTTP alone. "
        + ProblemType.allCases.map { "\($0.rawValue) (\($0.status.rawValue)): \($0.title)" }.joined(separator: "; ")
    private static let boolean: JSONValue = ["type": "boolean"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]
    /// A number of pieces or places; null for no limit.
    private static let orNull: JSONValue = ["type": ["integer", "null"], "minimum": 0]
    private static let levels = map(orNull)
    /// By language tag.
    private static let names = map(string)

    private static func integer(_ least: Int, _ most: Int) -> JSONValue {
        ["type": "integer", "minimum": .integer(Int64(least)), "maximum": .integer(Int64(most))]
    }

    private static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    private static func map(_ value: JSONValue) -> JSONValue { ["type": "object", "additionalProperties": value] }

    /// An object of these members and no others. All are required by default.
    private static func object(_ members: [(name: String, schema: JSONValue)], required: [String]? = nil) -> JSONValue {
        [
            "type": "object",
            "required": .array((required ?? members.map(\.name)).map { .string($0) }),
            "properties": .object(members.map { .init(key: $0.name, value: $0.schema) }),
            "additionalProperties": false,
        ]
    }
}
