import JuiceStand
import Platform
import Testing
import TextFormats

/// The tables of the guide are made of the table of keys.
struct ConfigurationGuideTests {
    private static func article() throws -> String {
        let root = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        return String(
            decoding: try readFile("/\(root)/Sources/JuiceStand/JuiceStand.docc/Configuration.md"), as: UTF8.self)
    }

    /// The key paths of the objects that the guide has a table of. Their members that are objects are rows, too.
    @Test(arguments: [
        "", "makers.shifts", "fruits.NAME", "fruits.NAME.restock.orderUpTo", "fruits.NAME.restock.fixedQuantity",
        "menu.NAME", "customers", "customers.arrivals.trace",
    ])
    func `the guide has the table of an object's keys`(path: String) throws {
        let keys = try #require(ConfigurationSchema.shape.keys(at: path.split(separator: ".").map(String.init)))
        var rows = ["| Key | Meaning | Values | Default |", "| --- | --- | --- | --- |"]
        // The customers and their laws have tables of their own.
        for key in keys where path != "" || key.name != "customers" { rows += key.rows() }
        let table = rows.map { $0 + "\n" }.joined()
        #expect(try Self.article().contains("\n\n\(table)\n"), "\(table)")
    }
}

extension Shape {
    /// The keys of an object inside; nil if there is none.
    fileprivate func keys(at path: [String]) -> [ConfigurationKey]? {
        switch members {
        case .keys(let keys):
            guard let name = path.first else { return keys }
            return keys.first { $0.name == name }?.shape.keys(at: Array(path.dropFirst()))
        case .named(let shape, _): return path.isEmpty ? nil : shape.keys(at: Array(path.dropFirst()))
        case .unknown: return nil
        }
    }
}

/// What a value of a schema may be, in words.
private func words(_ schema: JSONValue) -> String {
    func whole(_ key: String) -> String { Columns.grouped(schema[key]?.whole ?? 0) }
    func number(_ key: String) -> String {
        let bound = schema[key]?.seconds ?? 0
        return bound > 1e15 ? "\(bound)" : Columns.readable(bound)
    }
    if let reference = schema["$ref"]?.text {
        switch reference.split(separator: "/").last {
        case "duration", "durationOrZero": return "duration"
        case "period": return "duration of at least 1 ms"
        case "distributionOfSeconds": return "distribution of durations"
        case "distributionOfCounts" where schema["maximum"] == nil: return "distribution of numbers"
        case "distributionOfCounts": return "distribution of whole numbers from 1 to \(whole("maximum"))"
        default: return "text"
        }
    }
    if let word = schema["const"] { return "`\(word.compact())`" }
    if let choices = schema["enum"]?.elements {
        return choices.count > 5
            ? "one of the names in the schema" : choices.map { "`\($0.compact())`" }.joined(separator: ", ")
    }
    if let schemas = schema["anyOf"]?.elements { return schemas.map(words).joined(separator: ", or ") }
    switch schema["type"]?.text {
    case "string": return "`\"#rrggbb\"`"
    case "boolean": return "`true` or `false`"
    case "null": return "`null`"
    case "integer" where schema["maximum"] == .whole(Int.max): return "whole number from \(whole("minimum"))"
    case "integer": return "whole number from \(whole("minimum")) to \(whole("maximum"))"
    case "number": return "number from \(number("minimum")) to \(number("maximum"))"
    case "array": return "list of at least one \(schema["items"].map(words) ?? "")"
    default:
        if schema["minProperties"] == 1, schema["maxProperties"] == 1 {
            let keys = schema["properties"]?.members.map { "`\($0.key)`" } ?? []
            return "object with one key: " + keys.joined(separator: ", ")
        }
        let count = schema["maxProperties"]?.count.map { " of at most \($0) members" } ?? ""
        guard let member = schema["additionalProperties"], member["$ref"] != nil || member["type"] != "object" else {
            return "object\(count)"
        }
        return member == false ? "object" : "object\(count), each a \(words(member))"
    }
}

extension ConfigurationKey {
    /// One row, or those of the members of an object.
    fileprivate func rows(after path: String = "") -> [String] {
        if shape.isSection, case .keys(let keys) = shape.members {
            return keys.flatMap { $0.rows(after: "\(path)\(name).") }
        }
        return spellings.map { spelling in
            let fallback = standard.map { "`\($0.compact())`" } ?? (required == nil ? "" : "required")
            return "| `\(path)\(spelling.name)` | \(spelling.about) | \(words(spelling.shape.schema)) | \(fallback) |"
        }
    }
}
