import JuiceStand
import TextFormats

/// A comparison for a terminal of 80 columns.
package struct ComparisonText {
    private let comparison: Comparison
    /// nil for the first screen.
    private let parts: [ComparisonPart]?
    private let isVerbose: Bool
    private let isColored: Bool
    private static let width = 80

    /// - Parameters:
    ///   - parts: The tables to show; nil for one screen that says what to know first.
    ///   - isVerbose: Shows the evidence for every cell.
    package init(_ comparison: Comparison, parts: [ComparisonPart]?, isVerbose: Bool, isColored: Bool) {
        self.comparison = comparison
        self.parts = parts
        self.isVerbose = isVerbose
        self.isColored = isColored
    }

    package func text() -> String {
        var lines = wrapped(comparison.machine.message)
        if comparison.isPartial {
            let state = comparison.isInterrupted ? "interrupted" : "there was no time for all"
            let missing = comparison.cutOff.joined(separator: "; ")
            lines += wrapped(missing.isEmpty ? state : "\(state), missing: \(missing)")
        }
        guard let parts else { return (lines + overview).map { $0 + "\n" }.joined() }
        lines.append("")
        for table in ComparisonTables(comparison).all where parts.contains(table.part) {
            lines += self.lines(of: table) + [""]
        }
        if parts.contains(.properties) {
            lines += matrix()
            if comparison.rows.count > 1 {
                let usual: [WiringChoice] = [.delegate, .closure, .notification]
                lines += Advice.all.filter { usual.contains($0.choice) }.compactMap { $0.line(comparison) }
                    .flatMap { wrapped($0) }
            }
        }
        return (lines + ["More: juicestand help wirings"]).map { $0 + "\n" }.joined()
    }

    /// One screen of 80 columns and 24 lines.
    private var overview: [String] {
        let header = ["ns a post, to observers:", "1", "3", "heard", "choose it for"]
        let absent = comparison.wirings.count == WiringChoice.allCases.count ? Comparison.absent : []
        let parts = ComparisonPart.allCases.map(\.rawValue).joined(separator: "|")
        return Columns.table([header] + ComparisonTables(comparison).overview, texts: [0, 4])
            + absent.map { "\($0.name): \($0.why)" }
            + wrapped("heard: of \(Columns.grouped(Comparison.Burst.postedAtOnce)) posts as fast as possible")
            + wrapped("More: --table \(parts), --verbose, --report FILE.html, compare A B, --code A,B")
    }

    /// Two wirings in words: the rows in which they differ, and nothing else.
    package func differences() -> String {
        let (first, second) = (comparison.wirings[0], comparison.wirings[1])
        func word(_ finding: Finding) -> String {
            guard finding.applies else { return "does not apply" }
            let verdict = finding.holds.map { $0 ? "yes" : "no" } ?? "not known"
            return finding.price.map { "\(verdict), at \(Figure.number($0)) ns" } ?? verdict
        }
        let costs = first.speed.compactMap { own in
            second.speed.first { $0.observers == own.observers }.map { other in
                ["ns a post to \(Columns.counted(own.observers, "observer"))"]
                    + [own, other].map { Figure.number($0.nanoseconds.median) }
            }
        }
        let rows = comparison.rows.compactMap { row -> [String]? in
            guard let own = first.findings[row], let other = second.findings[row] else { return nil }
            let isKnown = ![own, other].contains { $0.applies && $0.holds == nil }
            let differ = own.holds != other.holds || own.applies != other.applies
            return isKnown && differ ? [row.wholeTitle, word(own), word(other)] : nil
        }
        let header = ["", first.choice.rawValue, second.choice.rawValue]
        return Columns.table([header] + costs + rows, texts: nil)
            .map { $0 + "\n" }.joined()
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
        let titles = Dictionary(
            uniqueKeysWithValues: rows.map { ($0, rows.count == 1 ? $0.wholeTitle : $0.title) })
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
            let title = row.wholeTitle
            lines += ["", "  " + bold(title), "  juicestand compare --probe \(row.rawValue)"]
            for wiring in wirings {
                guard let finding = wiring.findings[row] else { continue }
                let seen = "\(finding.mark) \(wiring.choice.rawValue): \(finding.datedEvidence)"
                lines += wrapped(
                    finding.price.map { "\(seen), \(Figure.number($0)) ns a post" } ?? seen, indentation: 4)
                // Of one row, since all drawings together are a long text; the report has them all.
                if rows.count == 1, let trace = finding.trace { lines += trace.text + [""] }
            }
        }
        return lines + [""]
    }

    /// Why cells are `?`, if some are.
    private var unknown: [String] {
        let findings = comparison.rows.flatMap { row in comparison.wirings.compactMap { $0.findings[row] } }
        var counts: [String: Int] = [:]
        for finding in findings where finding.applies && finding.holds == nil {
            counts[finding.datedEvidence, default: 0] += 1
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
