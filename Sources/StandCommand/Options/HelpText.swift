import JuiceStand
import TextFormats

/// Formats help text for a terminal of 80 columns.
enum HelpText {
    /// Wraps paragraphs.
    ///
    /// A line that begins with a space is a table row: its first word is the name, the rest is indented and wrapped
    /// beside it.
    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var paragraph = ""
        func end() {
            lines += Columns.flow(paragraph)
            paragraph = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix(" ") { end() }
            if line.isEmpty {
                lines.append("")
            } else if line.hasPrefix(" ") {
                let parts = line.split(separator: " ", maxSplits: 1)
                lines += table([(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")], column: 11)
            } else {
                paragraph += (paragraph.isEmpty ? "" : " ") + line
            }
        }
        end()
        return lines
    }

    /// Two columns: names on the left, wrapped text on the right.
    ///
    /// - Parameter column: Start of the second column; by default just right of the longest name.
    static func table(_ rows: [(name: String, text: String)], column: Int? = nil) -> [String] {
        let column = column ?? Columns.width(of: rows.map(\.name)) + 4
        let rest = String(repeating: " ", count: column)
        return rows.flatMap { Columns.flow($0.text, first: Columns.left("  " + $0.name, column), rest: rest) }
    }
}
