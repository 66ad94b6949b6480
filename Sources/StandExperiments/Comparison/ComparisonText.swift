import JuiceStand

/// A comparison for a terminal of 100 columns.
package struct ComparisonText {
    private let tables: ComparisonTables
    private let isVerbose: Bool
    private let isColored: Bool

    /// - Parameter isVerbose: with the evidence behind every cell instead of behind those that don't hold.
    package init(_ comparison: Comparison, isVerbose: Bool, isColored: Bool) {
        tables = ComparisonTables(comparison)
        self.isVerbose = isVerbose
        self.isColored = isColored
    }

    package func text() -> String {
        let comparison = tables.comparison
        var lines = [tables.circumstances + (comparison.isPartial ? "; interrupted: what there is so far" : ""), ""]
        for table in tables.all { lines += self.lines(of: table) + [""] }
        lines += matrix()
        lines += ["Not here", ""] + tables.absent.map { "  " + $0 } + [""]
        lines += ComparisonVerdict(comparison).sentences().flatMap { wrapped($0) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func lines(of table: ComparisonTables.Table) -> [String] {
        let widths = table.header.indices.map { column in
            ([table.header] + table.rows.filter { $0[2...].contains { !$0.isEmpty } || column == 0 }).map {
                $0[column].count
            }
            .max() ?? 0
        }
        return [bold(table.title), "  " + table.note]
            + ([table.header] + table.rows).map { row in
                "  "
                    + row.enumerated().map { index, cell in
                        index == 0 || row[index...].dropFirst().allSatisfy(\.isEmpty) && index == 1
                            ? Columns.left(cell, widths[index]) : Columns.right(cell, widths[index])
                    }.joined(separator: "  ")
            }.map { $0.trimmedRight }
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
            if line.count + word.count >= 100, line.count > indentation {
                lines.append(line)
                line = margin + "  "
            }
            line += (line.last == " " || line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}

extension String {
    fileprivate var trimmedRight: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
