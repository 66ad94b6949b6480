import JuiceStand
import TextFormats

/// Lays help out for a terminal of the usual width.
enum HelpText {
    private static let width = 80

    /// Paragraphs with their words flowed into lines; a line that begins with a space stands for itself, and what it is too
    /// long for hangs below its second column.
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

    /// Names and what they are for, side by side.
    ///
    /// - Parameter column: Where the second column begins; as far left as the names let it by default.
    static func table(_ rows: [(name: String, text: String)], column: Int? = nil) -> [String] {
        let column = column ?? Columns.width(of: rows.map(\.name)) + 4
        return rows.flatMap { name, text in
            let lines = flow(text.split(separator: " "), width - column)
            return (lines.isEmpty ? [""] : lines).enumerated().map { number, line in
                Columns.left(number == 0 ? "  " + name : "", column) + line
            }
        }
    }

    /// Words in lines of at most so many columns; a longer word has a line of its own.
    private static func flow(_ words: [Substring], _ width: Int) -> [String] {
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
