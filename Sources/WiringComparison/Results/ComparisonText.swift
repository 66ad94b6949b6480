import JuiceStand
import TextFormats

/// A comparison for a terminal of 80 columns.
package struct ComparisonText {
    private let comparison: Comparison
    private let isVerbose: Bool
    private let isColored: Bool
    private static let width = 80

    /// - Parameter isVerbose: Shows the evidence for every cell.
    package init(_ comparison: Comparison, isVerbose: Bool, isColored: Bool) {
        self.comparison = comparison
        self.isVerbose = isVerbose
        self.isColored = isColored
    }

    package func text() -> String {
        var lines = wrapped(
            comparison.machine.description + (comparison.isPartial ? "; interrupted, so parts are missing" : ""))
        lines.append("")
        for table in ComparisonTables(comparison: comparison).all { lines += self.lines(of: table) + [""] }
        lines += matrix()
        if !comparison.rows.isEmpty, comparison.rows.count > 1 {
            lines += Advice.all.compactMap { $0.line(comparison) }.flatMap { wrapped($0) }
            lines.append("More: juicestand help wirings")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A table that is too wide continues below, with its first column again.
    private func lines(of table: ComparisonTables.Table) -> [String] {
        [bold(table.title)] + wrapped(table.note, indentation: 2)
            + Columns.table([table.header] + table.rows, texts: [0], margin: "  ", width: Self.width)
            + table.remarks.flatMap { wrapped("\($0.name): \($0.why)", indentation: 2) }
    }

    private func matrix() -> [String] {
        let rows = comparison.rows
        guard !rows.isEmpty else { return [] }
        let wirings = comparison.wirings
        let titles = Dictionary(uniqueKeysWithValues: rows.map { ($0, rows.count == 1 ? $0.wholeTitle : $0.title) })
        let width = Columns.width(of: titles.values) + 2
        var lines = [bold("Properties"), "  " + Finding.legend, ""]
        for (index, wiring) in wirings.enumerated() {
            lines.append(
                "  " + Columns.right(wiring.choice.rawValue, width - 1) + " " + String(repeating: "│ ", count: index)
                    + "┐")
        }
        for group in Property.Group.allCases where rows.contains(where: { $0.group == group }) {
            lines.append("  " + bold(group.rawValue))
            for row in rows where row.group == group {
                let marks = wirings.map { $0.findings[row]?.mark ?? " " }
                lines.append("  " + Columns.left(titles[row]!, width) + marks.map(colored).joined(separator: " "))
            }
        }
        guard isVerbose else { return lines + unknown + [""] }
        lines += ["", bold("Evidence")]
        for row in rows {
            lines += ["", "  " + bold(row.wholeTitle), "  juicestand compare --probe \(row.rawValue)"]
            for wiring in wirings {
                guard let finding = wiring.findings[row] else { continue }
                let price = finding.price.map { ", \(Figure.number($0)) ns a post" } ?? ""
                lines += wrapped(
                    "\(finding.mark) \(wiring.choice.rawValue): \(finding.evidence)\(price)", indentation: 4)
            }
        }
        return lines + [""]
    }

    /// Why cells are `?`, if some are.
    private var unknown: [String] {
        let findings = comparison.rows.flatMap { row in comparison.wirings.compactMap { $0.findings[row] } }
        var counts: [String: Int] = [:]
        for finding in findings where finding.applies && finding.holds == nil {
            counts[finding.evidence, default: 0] += 1
        }
        guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return [] }
        let cells = Columns.counted(counts.values.reduce(0, +), "cell")
        return [""]
            + wrapped("? in \(cells), most often because: \(usual.key). --verbose prints every reason.", indentation: 2)
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
        return Columns.flow(text, width: Self.width, first: margin, rest: margin + "  ")
    }
}
