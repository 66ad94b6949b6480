import JuiceStand
import StandService
import TextFormats

/// Checks JSON against the keywords of JSON Schema that the OpenAPI document uses. An unknown keyword is a mistake.
struct SchemaCheck {
    private let schemas: JSONValue

    init(_ document: JSONValue) {
        schemas = document["components"]?["schemas"] ?? .null
    }

    /// What in `value` violates `schema`, each with its place.
    func mistakes(in value: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
        var mistakes: [String] = []
        for word in schema.members {
            let limit = word.value.seconds ?? 0
            switch word.key {
            case "$ref":
                let name = word.value.text?.split(separator: "/").last.map(String.init) ?? ""
                guard let schema = schemas[name] else { return ["\(place): no schema \(name)"] }
                mistakes += self.mistakes(in: value, schema, at: place)
            case "type":
                let names = word.value.text.map { [$0] } ?? word.value.elements.compactMap(\.text)
                if !names.contains(where: { value.isOf($0) }) { mistakes.append("\(place): is no \(names)") }
            case "enum":
                if !word.value.elements.contains(value) { mistakes.append("\(place): is none of \(word.value)") }
            case "exclusiveMinimum":
                if let number = value.seconds, number <= limit { mistakes.append("\(place): too small") }
            case "minimum": if let number = value.seconds, number < limit { mistakes.append("\(place): too small") }
            case "maximum": if let number = value.seconds, number > limit { mistakes.append("\(place): too large") }
            case "maxLength":
                if let text = value.text, Double(text.unicodeScalars.count) > limit {
                    mistakes.append("\(place): too long")
                }
            case "minProperties":
                if Double(value.members.count) < limit { mistakes.append("\(place): too few members") }
            case "maxProperties":
                if Double(value.members.count) > limit { mistakes.append("\(place): too many members") }
            case "const":
                if value != word.value { mistakes.append("\(place): is not \(word.value)") }
            case "not":
                if self.mistakes(in: value, word.value, at: place).isEmpty {
                    mistakes.append("\(place): must not be \(word.value)")
                }
            case "anyOf":
                if word.value.elements.allSatisfy({ !self.mistakes(in: value, $0, at: place).isEmpty }) {
                    mistakes.append("\(place): is none of \(word.value)")
                }
            case "pattern":
                let pattern = try? Regex(word.value.text ?? "")
                if let text = value.text, let pattern, text.wholeMatch(of: pattern) == nil {
                    mistakes.append("\(place): does not match")
                }
            case "description", "default": break
            case "required":
                guard value.isOf("object") else { continue }
                for name in word.value.elements.compactMap(\.text) where value[name] == nil {
                    mistakes.append("\(place).\(name): is missing")
                }
            case "properties":
                for property in word.value.members {
                    guard let member = value[property.key] else { continue }
                    mistakes += self.mistakes(in: member, property.value, at: "\(place).\(property.key)")
                }
            case "additionalProperties":
                let known = schema["properties"]?.members.map(\.key) ?? []
                for member in value.members where !known.contains(member.key) {
                    if word.value == .bool(false) {
                        mistakes.append("\(place).\(member.key): is not described")
                    } else {
                        mistakes += self.mistakes(in: member.value, word.value, at: "\(place).\(member.key)")
                    }
                }
            case "items":
                for element in value.elements { mistakes += self.mistakes(in: element, word.value, at: "\(place)[]") }
            default: mistakes.append("\(place): the schema says \(word.key), which this check does not know")
            }
        }
        return mistakes
    }
}

extension JSONValue {
    fileprivate func isOf(_ type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .number: type == "number"
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
