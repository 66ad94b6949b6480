import TextFormats

/// The JSON Schema of a configuration, for editors. It is made of the table that the reader walks.
package enum ConfigurationSchema {
    /// The shape of a configuration.
    package static let shape = StandSettings.form.shape

    package static let document = JSONValue.object(
        [
            .init(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
            .init(key: "title", value: "Configuration of juicestand"),
            .init(
                key: "description",
                value: """
                    Made by juicestand check-config --format schema. Durations are seconds or a string such as 30s.
                    """),
        ] + shape.schema.members + [
            .init(
                key: "$defs",
                value: [
                    "text": ["type": "string", "not": ["pattern": #"[\u0000-\u001F\u007F-\u009F]"#]],
                    "duration": duration(["type": "number", "exclusiveMinimum": 0], isAboveZero: true),
                    "period": duration(
                        ["type": "number", "minimum": .number(SimulationTime.leastPeriod.seconds)], isAboveZero: true),
                    "durationOrZero": duration(["type": "number", "minimum": 0], isAboveZero: false),
                    "distributionOfSeconds": DistributionTable.schema(.seconds),
                    "distributionOfCounts": DistributionTable.schema(.count),
                ])
        ])

    /// Some numbers of seconds, or a duration with a unit, which `DurationText` reads.
    private static func duration(_ seconds: JSONValue, isAboveZero: Bool) -> JSONValue {
        let unit = #"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?(ms|s|m|h|d)$"#
        let pattern = (isAboveZero ? "^(?=[0-9.]*[1-9])" : "^") + unit
        return ["anyOf": [seconds, ["type": "string", "pattern": .string(pattern)]]]
    }

    /// One of the definitions of ``document``, with keywords that restrict it further.
    static func reference(_ name: String, _ more: [JSONValue.Member] = []) -> JSONValue {
        .object([.init(key: "$ref", value: .string("#/$defs/\(name)"))] + more)
    }

    /// - Parameter hasOneKey: Whether an object has exactly one of the keys.
    static func object(_ keys: [ConfigurationKey], hasOneKey: Bool = false) -> JSONValue {
        let properties = keys.flatMap { key in
            key.spellings.map { spelling in
                let standard = key.standard.map { " The default is \($0.compact())." } ?? ""
                let description = JSONValue.Member(key: "description", value: .string(spelling.about + standard))
                return JSONValue.Member(
                    key: spelling.name, value: .object([description] + spelling.shape.schema.members))
            }
        }
        let required = keys.filter { $0.required != nil && $0.spellings.count == 1 }.map(\.name)
        let spellings = keys.first { $0.spellings.count > 1 }?.spellings.map { spelling -> JSONValue in
            ["required": [.string(spelling.name)]]
        }
        return [
            "type": "object", "properties": .object(properties),
            "required": required.isEmpty ? nil : .strings(required), "oneOf": spellings.map { .array($0) },
            "minProperties": hasOneKey ? 1 : nil, "maxProperties": hasOneKey ? 1 : nil, "additionalProperties": false,
        ]
    }
}
