import TextFormats

/// Fields and lines of CSV (RFC 4180, with line feeds).
enum CSVText {
    /// A number; empty if it is missing.
    static func number(_ value: Double?) -> String {
        value.map { JSONValue.number($0).compact() } ?? ""
    }

    /// A line of fields, quoted where they must be.
    static func line(_ fields: [String]) -> String {
        fields.map { field in
            let mustBeQuoted = field.utf8.contains { [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0a, 0x0d].contains($0) }
            return mustBeQuoted ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
        }.joined(separator: ",") + "\n"
    }
}
