import JuiceStand
import TextFormats

/// Formats help text for a terminal of 80 columns.
enum HelpText {
    private static let width = 80

    /// Wraps paragraphs.
    ///
    /// A line that begins with a space is a table row: its first word is the name, the rest is indented and wrapped
    /// beside it.
    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var words: [Substring] = []
        func end() {
            lines += flow(words, width)
            words = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix(" ") { end() }
            if line.isEmpty {
                lines.append("")
            } else if line.hasPrefix(" ") {
                let parts = line.split(separator: " ", maxSplits: 1)
                lines += table([(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")], column: 11)
            } else {
                words += line.split(separator: " ")
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
        return rows.flatMap { name, text in
            let lines = flow(text.split(separator: " "), width - column)
            return (lines.isEmpty ? [""] : lines).enumerated().map { number, line in
                Columns.left(number == 0 ? "  " + name : "", column) + line
            }
        }
    }

    /// Lines of at most `width` columns; a longer word gets a line of its own.
    static func flow(_ words: [Substring], _ width: Int) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, TextWidth.columns(of: last) + 1 + TextWidth.columns(of: word) <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
