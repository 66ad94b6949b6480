import TextFormats

/// Fields and lines of CSV (RFC 4180, with line feeds).
enum CSVText {
    /// A number; empty if it is missing.
    static func number(_ value: Double?) -> String {
        value.map { JSONValue.number($0).compact() } ?? ""
    }

    /// A line of fields, quoted where they must be, with escapes for control characters and ends of lines.
    ///
    /// A text that a spreadsheet would take for a formula begins with an apostrophe, as OWASP's page on CSV injection
    /// advises. Numbers stay as they are.
    static func line(_ fields: [String]) -> String {
        fields.map { field in
            let isFormula = field.first.map { "=+-@\t\r".contains($0) } ?? false
            let field = (isFormula && Double(field) == nil ? "'" + field : field).visible
            let mustBeQuoted = field.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
            return mustBeQuoted ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
        }.joined(separator: ",") + "\n"
    }
}
