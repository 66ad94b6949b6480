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
        switch self {
        case .object(let keys), .oneOf(let keys):
            guard let name = path.first else { return keys }
            return keys.first { $0.name == name }?.shape.keys(at: Array(path.dropFirst()))
        case .named(let shape, _, _): return path.isEmpty ? nil : shape.keys(at: Array(path.dropFirst()))
        case .either(let shapes): return shapes.lazy.compactMap { $0.keys(at: path) }.first
        default: return nil
        }
    }

    /// What a value may be, in words.
    fileprivate var words: String {
        func number(_ bound: Double) -> String { bound > 1e15 ? "\(bound)" : Columns.readable(bound) }
        switch self {
        case .text: return "text"
        case .colour: return "`\"#rrggbb\"`"
        case .picture: return "text"
        case .flag: return "`true` or `false`"
        case .null: return "`null`"
        case .word(let word): return "`\"\(word)\"`"
        case .choice(let words):
            return words.count > 5
                ? "one of the names in the schema" : words.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .integer(let range):
            let from = "whole number from \(Columns.grouped(range.lowerBound))"
            return range.upperBound == .max ? from : "\(from) to \(Columns.grouped(range.upperBound))"
        case .number(let range): return "number from \(number(range.lowerBound)) to \(number(range.upperBound))"
        case .duration: return "duration"
        case .period: return "duration of at least 1 ms"
        case .amount(.seconds, _): return "duration"
        case .amount(.count, _): return "number"
        case .distribution(.seconds, _): return "distribution of durations"
        case .distribution(.count, nil): return "distribution of numbers"
        case .distribution(.count, let most?):
            return "distribution of whole numbers from 1 to \(Columns.grouped(most))"
        case .list(let shape): return "list of at least one \(shape.words)"
        case .object: return "object"
        case .oneOf(let keys):
            return "object with one key: " + keys.map { "`\($0.name)`" }.joined(separator: ", ")
        case .named(let shape, _, let most):
            let count = most.map { " of at most \($0) members" } ?? ""
            return if case .object = shape { "object\(count)" } else { "object\(count), each a \(shape.words)" }
        case .either(let shapes): return shapes.map(\.words).joined(separator: ", or ")
        }
    }
}

extension ConfigurationKey {
    /// One row, or those of the members of an object.
    fileprivate func rows(after path: String = "") -> [String] {
        if case .object(let keys) = shape {
            return keys.flatMap { $0.rows(after: "\(path)\(name).") }
        }
        return spellings.map { spelling in
            let fallback = standard.map { "`\($0.compact())`" } ?? (required == nil ? "" : "required")
            return "| `\(path)\(spelling.name)` | \(spelling.about) | \(spelling.shape.words) | \(fallback) |"
        }
    }
}
