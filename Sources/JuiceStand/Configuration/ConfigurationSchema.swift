import TextFormats

/// The JSON Schema of a configuration, for editors. It is made of the table that the reader walks.
///
/// It cannot say how values depend on each other, such as `from` and `to`; the reader checks that.
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
                        ["type": "number", "minimum": .number(Shape.leastPeriod.seconds)], isAboveZero: true),
                    "durationOrZero": duration(["type": "number", "minimum": 0], isAboveZero: false),
                    "distributionOfSeconds": distribution(.seconds),
                    "distributionOfCounts": distribution(.count),
                ])
        ])

    /// Some numbers of seconds, or a duration with a unit, which `DurationText` reads.
    private static func duration(_ seconds: JSONValue, isAboveZero: Bool) -> JSONValue {
        let unit = #"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?(ms|s|m|h|d)$"#
        let pattern = (isAboveZero ? "^(?=[0-9.]*[1-9])" : "^") + unit
        return ["anyOf": [seconds, ["type": "string", "pattern": .string(pattern)]]]
    }

    private static func distribution(_ unit: DistributionUnit) -> JSONValue {
        ["anyOf": [Shape.amount(unit, least: 0).schema, DistributionTable.shape(unit).schema]]
    }
}

extension Shape {
    fileprivate var schema: JSONValue {
        switch self {
        case .text: return Self.definition("text")
        case .colour: return ["type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"]
        case .picture: return .object(Self.definition("text").members + [.init(key: "minLength", value: 1)])
        case .flag: return ["type": "boolean"]
        case .null: return ["type": "null"]
        case .word(let word): return ["const": .string(word)]
        case .choice(let words): return ["enum": .array(words.map { .string($0) })]
        case .integer(let range):
            return [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ]
        case .number(let range):
            return ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .duration: return Self.definition("duration")
        case .period: return Self.definition("period")
        case .amount(.seconds, let least): return Self.definition(least > 0 ? "duration" : "durationOrZero")
        case .amount(.count, let least):
            return [
                "type": "number", "minimum": .number(least), "maximum": .number(DistributionUnit.counts.upperBound),
            ]
        case .distribution(.seconds, _): return Self.definition("distributionOfSeconds")
        case .distribution(.count, _): return Self.definition("distributionOfCounts")
        case .list(let shape): return ["type": "array", "items": shape.schema, "minItems": 1]
        case .object(let keys): return Self.object(keys, hasOneKey: false)
        case .oneOf(let keys): return Self.object(keys, hasOneKey: true)
        case .named(let shape, let least, let most):
            return [
                "type": "object", "additionalProperties": shape.schema,
                "minProperties": least == 0 ? nil : .integer(Int64(least)),
                "maxProperties": most.map { .integer(Int64($0)) },
            ]
        case .either(let shapes): return ["anyOf": .array(shapes.map(\.schema))]
        }
    }

    private static func definition(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }

    private static func object(_ keys: [ConfigurationKey], hasOneKey: Bool) -> JSONValue {
        let properties = keys.flatMap { key in
            key.spellings.map { spelling in
                var about = spelling.about
                if let standard = key.standard { about += " The default is \(standard.compact())." }
                let description = JSONValue.Member(key: "description", value: .string(about))
                return JSONValue.Member(
                    key: spelling.name, value: .object([description] + spelling.shape.schema.members))
            }
        }
        let required = keys.filter { $0.required != nil && $0.spellings.count == 1 }.map { JSONValue.string($0.name) }
        let spellings = keys.first { $0.spellings.count > 1 }?.spellings.map { spelling -> JSONValue in
            ["required": [.string(spelling.name)]]
        }
        return [
            "type": "object", "properties": .object(properties), "required": required.isEmpty ? nil : .array(required),
            "oneOf": spellings.map { .array($0) },
            "minProperties": hasOneKey ? 1 : nil, "maxProperties": hasOneKey ? 1 : nil, "additionalProperties": false,
        ]
    }
}
