import Foundation
import JuiceStand
import Testing
import TextFormats

/// The tables of the guide are made of the tables of keys and of distributions.
///
/// `JUICESTAND_WRITE_GUIDE=1 swift test --filter ConfigurationGuideTests` writes them into the guide.
struct ConfigurationGuideTests {
    private static let article = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/JuiceStand/JuiceStand.docc/Configuration.md")

    /// The key paths of the objects that have a table, in the order of the guide. Their members that are objects are
    /// rows, too.
    private static let objects = [
        "", "makers.shifts", "fruits.NAME", "fruits.NAME.restock.orderUpTo", "fruits.NAME.restock.fixedQuantity",
        "menu.NAME", "customers", "customers.arrivals.trace",
    ]

    @Test func `the tables of the guide are those of the keys and distributions`() throws {
        var tables = try Self.objects.map(Self.keys)
        tables.append(Self.distributions)
        var lines = try String(contentsOf: Self.article, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        let starts = lines.indices.filter { lines[$0].hasPrefix("| Key |") }
        try #require(starts.count == tables.count)
        for (start, table) in zip(starts, tables).reversed() {
            let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
            if ProcessInfo.processInfo.environment["JUICESTAND_WRITE_GUIDE"] == nil {
                #expect(Array(lines[start..<end]) == table)
            }
            lines.replaceSubrange(start..<end, with: table)
        }
        if ProcessInfo.processInfo.environment["JUICESTAND_WRITE_GUIDE"] != nil {
            try lines.joined(separator: "\n").write(to: Self.article, atomically: true, encoding: .utf8)
        }
    }

    private static func keys(of path: String) throws -> [String] {
        let keys = try #require(ConfigurationSchema.shape.keys(at: path.split(separator: ".").map(String.init)))
        // The customers have a table of their own.
        let rows = keys.filter { path != "" || $0.name != "customers" }.flatMap { $0.rows() }
        return ["| Key | Meaning | Values | Default |", "| --- | --- | --- | --- |"] + rows
    }

    private static var distributions: [String] {
        let heads = ["| Key | Parameters | Distribution | If some time has passed |", "| --- | --- | --- | --- |"]
        return heads
            + DistributionTable.rows.map { row in
                let parameters = row.parameters.map { "`\($0)`" }.joined(separator: ", ")
                return "| `\(row.name)` | \(parameters) | \(row.about) | \(row.residual) |"
            }
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
