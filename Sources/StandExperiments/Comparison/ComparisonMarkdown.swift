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
        lines += matrix()
        for table in tables.all {
            lines += ["**\(escaped(table.title))** — \(escaped(table.note))", ""]
            lines += self.table(table.header, table.rows) + [""]
        }
        lines += tables.absent.map { "Not here: " + escaped($0) + "." }
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
        return table([""] + tables.comparison.wirings.map(\.choice.rawValue), cells) + [""]
            + notes.enumerated().map { "\($0 + 1). \(escaped($1))" } + [""]
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
