import JuiceStand
import TextFormats

/// A comparison for a terminal of 80 columns.
package struct ComparisonText {
    private let tables: ComparisonTables
    private let isVerbose: Bool
    private let isColored: Bool
    private static let width = 80

    /// - Parameter isVerbose: with the evidence behind every cell instead of behind those that don't hold.
    package init(_ comparison: Comparison, isVerbose: Bool, isColored: Bool) {
        tables = ComparisonTables(comparison)
        self.isVerbose = isVerbose
        self.isColored = isColored
    }

    package func text() -> String {
        let comparison = tables.comparison
        var lines =
            wrapped(tables.circumstances + (comparison.isPartial ? "; interrupted: what there is so far" : "")) + [""]
        for table in tables.all { lines += self.lines(of: table) + [""] }
        lines += matrix()
        lines += ComparisonVerdict(comparison).sentences().flatMap { wrapped($0) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A table that is too wide goes on below, its first column once more.
    private func lines(of table: ComparisonTables.Table) -> [String] {
        let widths = table.header.indices.map { column in
            ([table.header] + table.rows).map { $0[column].count }.max()!
        }
        var lines = [bold(table.title)] + wrapped(table.note, indentation: 2)
        var next = 1
        while next < widths.count {
            let begin = next
            var total = 2 + widths[0]
            while next < widths.count, next == begin || total + 2 + widths[next] <= Self.width {
                total += 2 + widths[next]
                next += 1
            }
            for row in [table.header] + table.rows {
                let cells = (begin..<next).map { Columns.right(row[$0], widths[$0]) }
                lines.append("  " + ([Columns.left(row[0], widths[0])] + cells).joined(separator: "  "))
            }
        }
        return lines + table.remarks.flatMap { wrapped("\($0.name): \($0.why)", indentation: 2) }
    }

    private func matrix() -> [String] {
        let rows = tables.matrix
        guard !rows.isEmpty else { return [] }
        let wirings = tables.comparison.wirings
        let width = rows.map(\.property.title.count).max()! + 2
        var lines = [bold("Properties"), "  ✓ seen to hold, ✗ seen not to hold, ? could not be established", ""]
        for (index, wiring) in wirings.enumerated() {
            lines.append(
                "  " + String(repeating: " ", count: width) + String(repeating: "│ ", count: index) + "┌ "
                    + wiring.choice.rawValue)
        }
        for row in rows {
            lines.append(
                "  " + Columns.left(row.property.title, width)
                    + row.findings.map { colored(ComparisonTables.mark($0)) }.joined(separator: " "))
        }
        lines += ["", bold("Evidence"), ""]
        for row in rows {
            lines.append("  \(row.property.title) (\(row.property.rawValue))")
            for (wiring, finding) in zip(wirings, row.findings) {
                guard let finding, isVerbose || finding.holds != true else { continue }
                lines += wrapped(
                    "\(ComparisonTables.mark(finding)) \(wiring.choice.rawValue): \(finding.evidence)", indentation: 4)
            }
        }
        return lines + [""]
    }

    private func bold(_ text: String) -> String { isColored ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

    private func colored(_ mark: String) -> String {
        guard isColored else { return mark }
        return switch mark {
        case "✓": "\u{1b}[32m✓\u{1b}[0m"
        case "✗": "\u{1b}[31m✗\u{1b}[0m"
        default: mark
        }
    }

    private func wrapped(_ text: String, indentation: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = margin
        for word in text.split(separator: " ") {
            if line.count + word.count >= Self.width, line.count > indentation {
                lines.append(line)
                line = margin + "  "
            }
            line += (line.last == " " || line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
