import JuiceStand

/// A comparison as Markdown, for a README.
package struct ComparisonMarkdown {
    private let tables: ComparisonTables

    package init(_ comparison: Comparison) {
        tables = ComparisonTables(comparison)
    }

    package func text() -> String {
        let comparison = tables.comparison
        var lines = [
            "Measured on \(escaped(tables.circumstances))\(comparison.isPartial ? "; interrupted, so parts are missing" : "").",
            "",
        ]
        lines += ComparisonVerdict(comparison).sentences().map(escaped) + [""]
        // What most come for is open, the rest a click away.
        for (index, table) in tables.all.enumerated() {
            let remarks = table.remarks.map { [$0.name, $0.why] + table.header.dropFirst(2).map { _ in "" } }
            let content = self.table(table.header, table.rows + remarks)
            lines +=
                index == 0
                ? ["**\(escaped(table.title))**: \(escaped(table.note))", ""] + content + [""] + matrix()
                : folded("\(table.title): \(table.note)", content)
        }
        if tables.all.isEmpty { lines += matrix() }
        return lines.map { $0 + "\n" }.joined()
    }

    private func matrix() -> [String] {
        let rows = tables.matrix
        guard !rows.isEmpty else { return [] }
        var notes: [String] = []
        let cells = rows.map { row in
            [row.property.title]
                + row.findings.map { finding in
                    guard let finding, finding.holds != true else { return ComparisonTables.mark(finding) }
                    // Equal evidence is told once.
                    if !notes.contains(finding.evidence) { notes.append(finding.evidence) }
                    return "\(ComparisonTables.mark(finding)) \(notes.firstIndex(of: finding.evidence)! + 1)"
                }
        }
        let key = [
            "✓ seen to hold, ✗ seen not to hold, ? could not be established; numbers are those of the notes below", "",
        ]
        return key + table([""] + tables.comparison.wirings.map(\.choice.rawValue), cells) + [""]
            + folded("What the probes saw", notes.enumerated().map { "\($0 + 1). \(escaped($1))" })
    }

    private func folded(_ title: String, _ content: [String]) -> [String] {
        ["<details><summary>\(escaped(title))</summary>", ""] + content + ["", "</details>", ""]
    }

    private func table(_ header: [String], _ rows: [[String]]) -> [String] {
        func line(_ cells: [String]) -> String { "| " + cells.map(escaped).joined(separator: " | ") + " |" }
        return [line(header), "|" + String(repeating: " --- |", count: header.count)] + rows.map(line)
    }

    /// Text in which nothing means anything to Markdown or to a browser.
    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "|", "`", "*", "_", "[", "]", "\\", "#": result += "\\\(character)"
            case "\n", "\r": result += " "
            default: result.append(character)
            }
        }
        return result
    }
}
