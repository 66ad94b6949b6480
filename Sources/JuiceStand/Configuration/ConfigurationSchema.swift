import TextFormats

/// The JSON Schema of a configuration, for editors. It is made of the forms that the reader checks.
///
/// It cannot say how values depend on each other, such as `from` and `to`; the reader checks that.
package enum ConfigurationSchema {
    package static let document = JSONValue.object(
        [
            .init(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
            .init(key: "title", value: "Configuration of juicestand"),
            .init(
                key: "description",
                value: """
                    Made by juicestand check-config --format schema. Durations are seconds or a string such as 30s.
                    """),
        ] + ValueForm.stand.schema.members + [
            .init(
                key: "$defs",
                value: [
                    "text": ["type": "string", "not": ["pattern": #"[\u0000-\u001F\u007F-\u009F]"#]],
                    "duration": [
                        "anyOf": [
                            ["type": "number", "exclusiveMinimum": 0],
                            ["type": "string", "pattern": .string(duration(isAboveZero: true))],
                        ]
                    ],
                    "period": [
                        "anyOf": [
                            ["type": "number", "minimum": .number(ValueForm.leastPeriod.seconds)],
                            ["type": "string", "pattern": .string(duration(isAboveZero: true))],
                        ]
                    ],
                    "durationOrZero": [
                        "anyOf": [
                            ["type": "number", "minimum": 0],
                            ["type": "string", "pattern": .string(duration(isAboveZero: false))],
                        ]
                    ],
                    "distributionOfSeconds": distribution(.seconds),
                    "distributionOfCounts": distribution(.count),
                ])
        ])

    /// The pattern of a duration with a unit, which `DurationText` reads.
    private static func duration(isAboveZero: Bool) -> String {
        (isAboveZero ? "^(?=[0-9.]*[1-9])" : "^") + #"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?(ms|s|m|h|d)$"#
    }

    private static func distribution(_ unit: DistributionUnit) -> JSONValue {
        ["anyOf": [ValueForm.amount(unit, least: 0).schema, ValueForm.law(unit).schema]]
    }
}

extension ValueForm {
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
        case .distribution(.seconds): return Self.definition("distributionOfSeconds")
        case .distribution(.count): return Self.definition("distributionOfCounts")
        case .list(let form): return ["type": "array", "items": form.schema, "minItems": 1]
        case .object(let form): return form.schema
        case .named(let form, let least):
            let members: [JSONValue.Member] = [
                .init(key: "type", value: "object"), .init(key: "additionalProperties", value: form.schema),
            ]
            return .object(
                least == 0 ? members : members + [.init(key: "minProperties", value: .integer(Int64(least)))])
        case .either(let forms): return ["anyOf": .array(forms.map(\.schema))]
        }
    }

    private static func definition(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }
}

extension ObjectForm {
    fileprivate var schema: JSONValue {
        let properties = keys.map { key in
            let about = JSONValue.Member(key: "description", value: .string(key.about))
            return JSONValue.Member(key: key.name, value: .object([about] + key.form.schema.members))
        }
        let required = keys.filter { $0.required != nil }.map { JSONValue.string($0.name) }
        return [
            "type": "object", "properties": .object(properties), "required": required.isEmpty ? nil : .array(required),
            "minProperties": hasOneKey ? 1 : nil, "maxProperties": hasOneKey ? 1 : nil, "additionalProperties": false,
        ]
    }
}
