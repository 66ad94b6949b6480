import TextFormats

/// Renders a guide for a terminal: the Markdown of a DocC article as plain text of 80 columns.
struct GuideText {
    private static let width = 80
    private static let indent = "  "

    /// Lines of text; code blocks may be wider than 80 columns.
    private(set) var lines: [String] = []

    init(markdown: String) {
        var blocks = Self.withoutDirectives(markdown).split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = blocks.popFirst() {
            if line.hasPrefix("```") {
                let code = blocks.prefix { !$0.hasPrefix("```") }
                blocks = blocks.dropFirst(code.count + 1)
                lines += code.map { $0.isEmpty ? "" : "    " + $0 } + [""]
            } else if line.hasPrefix("#") {
                let heading = Self.inline(line.drop { $0 == "#" }.trimmed)
                lines += Columns.flow(heading) + [""]
            } else if line.hasPrefix("|") {
                let rows = [line] + blocks.prefix { $0.hasPrefix("|") }
                blocks = blocks.dropFirst(rows.count - 1)
                lines += Self.table(rows.map(Self.cells)) + [""]
            } else if !line.trimmed.isEmpty {
                // A paragraph or list item goes on until a blank line or the next item.
                let more = blocks.prefix { !$0.trimmed.isEmpty && Self.marker($0) == nil && !$0.hasPrefix("```") }
                blocks = blocks.dropFirst(more.count)
                lines += Self.paragraph(([line] + more).joined(separator: " "))
                let isFollowedByItem = blocks.first.map { Self.marker($0) != nil } ?? false
                if Self.marker(line) == nil || !isFollowedByItem { lines.append("") }
            }
        }
        while lines.last == "" { lines.removeLast() }
    }

    // MARK: - Blocks

    /// Drops DocC directives and comments, and makes headings of folded sections.
    private static func withoutDirectives(_ markdown: String) -> String {
        markdown.replacing(#/<!--(?s:.*?)-->\n?/#, with: "").replacing(#/(?m:^@\w+[^\n]*\{(?s:.*?)^\}\n?)/#, with: "")
            .replacing("<details><summary>", with: "### ").replacing("</summary>", with: "").replacing(
                "</details>", with: "")
    }

    /// The list marker that a line begins with, such as `- ` or `1. `; nil if there is none.
    private static func marker(_ line: Substring) -> Substring? {
        line.prefixMatch(of: #/ *(?:-|\d+\.) +/#)?.output
    }

    private static func paragraph(_ text: String) -> [String] {
        let marker = marker(text[...]) ?? ""
        let rest = String(repeating: " ", count: indent.count + marker.count)
        return Columns.flow(inline(text.dropFirst(marker.count)), first: indent + marker, rest: rest)
    }

    private static func cells(_ row: Substring) -> [String] {
        let inner = row.dropFirst().trimmed
        let cells = inner.split(separator: "|", omittingEmptySubsequences: false)
        return (inner.hasSuffix("|") ? cells.dropLast() : cells[...]).map { inline($0.trimmed) }
    }

    /// Aligned columns if they fit; else two columns, the second wrapped; else each row as a list.
    private static func table(_ rows: [[String]]) -> [String] {
        let head = rows[0]
        let body = rows.dropFirst(2)
        let lines = Columns.table([head] + body, texts: nil, margin: indent)
        if Columns.width(of: lines) <= width { return lines }
        if head.count == 2, Columns.width(of: body.map { $0[0] }) < width / 2 {
            return HelpText.table(body.map { ($0[0], $0[1]) })
        }
        return body.flatMap { row in
            ["\(indent)- \(row[0])"]
                + zip(head, row).dropFirst().flatMap { name, text in
                    Columns.flow("\(name): \(text)", first: "    ", rest: "      ")
                }
        }
    }

    // MARK: - Inline

    /// Text without the marks of links, symbols and emphasis.
    private static func inline(_ text: some StringProtocol) -> String {
        String(text).replacing(#/!\[[^\]]*\]\([^)]*\)/#, with: "").replacing(#/\[([^\]]+)\]\((https?:[^)]+)\)/#) {
            "\($0.1) (\($0.2))"
        }.replacing(#/\[([^\]]+)\]\([^)]+\)/#) { "\($0.1)" }.replacing(#/<doc:([^>]+)>/#) { "\($0.1)" }
            .replacing(#/<(https?:[^>]+)>/#) { "\($0.1)" }.replacing("``", with: "").replacing("**", with: "")
    }
}
