import JuiceStand
import StandClient
import StandExperiments
import StandState
import TextFormats

/// The schemas of requests and answers.
enum OpenAPISchemas {
    /// The schemas of a stand with this menu.
    static func all(_ menu: Menu) -> JSONValue { .object(others.members + requests(menu).members) }

    /// The schemas of requests. They list the juices and fruits, so that valid requests can be made from them.
    private static func requests(_ menu: Menu) -> JSONValue {
        func stock(_ pieces: JSONValue) -> JSONValue {
            [
                "type": "object", "minProperties": 1,
                "properties": .object(menu.fruits.map { .init(key: $0.name, value: pieces) }),
                "additionalProperties": false,
            ]
        }
        let added = integer(1, StandChange.mostPieces)
        let difference: JSONValue = [
            "type": "integer", "minimum": .whole(-StandChange.mostPieces), "maximum": .whole(StandChange.mostPieces),
            "not": ["const": 0],
        ]
        let change: JSONValue = [
            "type": "object", "minProperties": 1, "maxProperties": 1,
            "properties": ["restock": stock(added), "adjust": stock(difference), "rate": rate],
            "additionalProperties": false,
        ]
        return [
            "OrderRequest": object(
                [
                    ("juice", ["enum": .strings(menu.juiceNames)]),
                    ("cups", integer(1, Stand.mostCups)),
                ], required: ["juice"]),
            "StockChange": object([("changes", stock(difference))]),
            "ForecastRequest": object(
                [
                    ("in", durationOrSeconds), ("every", durationOrSeconds),
                    ("replications", integer(1, Forecast.Span.mostReplications)),
                    ("seed", integer(0, .max)), ("changes", list(change)), ("set", ["type": "object"]),
                ], required: []),
        ]
    }

    private static let others: JSONValue = [
        "Status": StatusDocument.schema, "Stock": StockDocument.schema, "Menu": MenuDocument.schema,
        "Order": OrderDocument.schema, "Orders": OrdersDocument.schema, "OrderAnswer": AcceptedOrder.schema,
        "StockAnswer": ChangedStock.schema, "Done": ChangeTime.schema, "Reloaded": ChangedSettings.schema,
        "Problem": ProblemDocument.schema,
        "History": object([
            ("from", number), ("to", number), ("at", list(number)), ("sequence", list(count)), ("queue", list(count)),
            ("present", list(count)), ("orders", list(count)), ("served", list(count)),
            ("lost", object(LossReason.allCases.map { ($0.name, list(count)) })), ("stock", map(list(orNull))),
        ]),
        "Rate": object([("factor", rate)]),
        "Speed": object([("speed", ["type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000_000])]),
        "Forecast": ForecastResult.schema,
        "Wiring": wiring,
        "OpenAPI": ["type": "object", "required": ["openapi", "info", "paths"]],
    ]

    private static let string = String.schema
    private static let number = Double.schema
    private static let numberOrNull = Double?.schema
    static let count = Int.schema
    /// A factor on the arrival rate.
    private static let rate: JSONValue = [
        "type": "number",
        "anyOf": [
            ["const": 0], ["minimum": .number(Stand.rates.lowerBound), "maximum": .number(Stand.rates.upperBound)],
        ],
    ]
    /// A number of pieces or places; null for no limit.
    private static let orNull = Int?.schema

    private static func integer(_ least: Int, _ most: Int) -> JSONValue {
        ["type": "integer", "minimum": .whole(least), "maximum": .whole(most)]
    }

    private static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    private static func map(_ value: JSONValue) -> JSONValue { ["type": "object", "additionalProperties": value] }

    /// An object of these members and no others. All are required by default.
    private static func object(_ members: [(name: String, schema: JSONValue)], required: [String]? = nil) -> JSONValue {
        [
            "type": "object",
            "required": .strings(required ?? members.map(\.name)),
            "properties": .object(members.map { .init(key: $0.name, value: $0.schema) }),
            "additionalProperties": false,
        ]
    }

    // MARK: - Times

    /// Text such as 4h, above 0.
    static func duration(default value: JSONValue) -> JSONValue {
        ["type": "string", "pattern": durationPattern, "default": value]
    }

    private static let durationPattern: JSONValue =
        #"^(?=.*[1-9])([0-9]{1,6}([.][0-9]{1,3})?(ms|s|m|h)?|[0-9]{1,5}([.][0-9]{1,3})?d)$"#
    /// Seconds, or text such as 4h.
    private static let durationOrSeconds: JSONValue = [
        "anyOf": [
            ["type": "number", "exclusiveMinimum": 0, "maximum": 9_223_372_036],
            ["type": "string", "pattern": durationPattern],
        ]
    ]

    /// An instant of the stand, as `StandClock` reads it.
    static func instant(default value: JSONValue? = nil) -> JSONValue {
        let days =
            "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
        let leapDay = "20([02468][048]|[13579][26])-02-29"
        let date = "((19|20)[0-9]{2}-(\(days))|\(leapDay))"
        let time = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?"
        return [
            "type": "string",
            "pattern": .string("^(now|[0-9]{1,9}([.][0-9]{1,9})?s?|([1-9][0-9]{0,5} )?\(time)|\(date)(T\(time))?)$"),
            "default": value,
        ]
    }

    // MARK: - The wiring

    private static let wiring: JSONValue = object(
        [
            ("schema", ["enum": [.string(WiringMap.schema)]]), ("stand", string), ("wiring", string),
            ("mechanism", string), ("clock", ["enum": ["wall", "stand"]]), ("seconds", number),
            ("pricePerCall", numberOrNull), ("facts", list(fact)),
            ("unheard", object([("facts", list(string)), ("count", count)])),
            // Only if calls were timed.
            ("slowest", object([("observer", string), ("fact", string), ("seconds", number)])),
        ],
        required: [
            "schema", "stand", "wiring", "mechanism", "clock", "seconds", "pricePerCall", "facts", "unheard",
        ])

    private static let fact: JSONValue = object([
        ("fact", string), ("postedBy", string), ("count", orNull), ("perSecond", numberOrNull),
        ("delivery", numberOrNull), ("observers", list(observer)),
    ])

    private static let observer: JSONValue = object([
        ("observer", string), ("calls", orNull), ("mean", numberOrNull), ("slowest", numberOrNull),
    ])
}
