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
        var lines = wrapped(comparison.machine.message) + missing
        guard let parts else { return (lines + overview).map { $0 + "\n" }.joined() }
        lines.append("")
        for table in ComparisonTables(comparison).all where parts.contains(table.part) {
            lines += self.lines(of: table) + [""]
        }
        if parts.contains(.properties) {
            lines += matrix()
            if comparison.rows.count > 1 { lines += Advice.tree }
        }
        return (lines + ["More: juicestand help wirings"]).map { $0 + "\n" }.joined()
    }

    /// What could not be established or had no time; nothing if all is there.
    private var missing: [String] {
        guard comparison.isPartial else { return [] }
        let state = comparison.isInterrupted ? "interrupted" : "not all could be established"
        let missing = comparison.cutOff.joined(separator: "; ")
        return wrapped(missing.isEmpty ? state : "\(state), missing: \(missing)")
    }

    /// One screen of 80 columns and 24 lines.
    private var overview: [String] {
        let header = ["ns a post to observers:", "1", "3", "heard", "choose it for"]
        return Advice.tree + Columns.table([header] + ComparisonTables(comparison).overview, texts: [0, 4])
            + (comparison.isPartial ? [] : ["\(ComparisonTables.legend). More: --verbose"])
    }

    /// Two wirings in words that fit one screen: when to choose which, what each costs, and what only one of them can.
    package func differences() -> String {
        let (first, second) = (comparison.wirings[0], comparison.wirings[1])
        var lines = wrapped(comparison.machine.message) + missing
        for wiring in [first, second] {
            lines += wrapped("Choose \(wiring.choice) for \(wiring.choice.profile.advice.text).")
        }
        for own in first.speed {
            guard let other = second.speed.first(where: { $0.observers == own.observers }) else { continue }
            lines += wrapped(cost(first.choice, own, second.choice, other))
        }
        for (one, other) in [(first, second), (second, first)] {
            lines += sentence("Only \(one.choice)", one, other) {
                $0.holds == true && $0.option == nil && $1.holds != true
            }
            lines += sentence("\(one.choice) with an option", one, other) { $0.option != nil && $1.option == nil }
        }
        for wiring in [first, second] {
            lines += sentence("Not refuted for \(wiring.choice), and not guaranteed", wiring, wiring) { own, _ in
                own.holds == nil && own.tried != nil
            }
        }
        return (lines + ["More: --verbose, --code \(first.choice),\(second.choice)"]).map { $0 + "\n" }.joined()
    }

    private func cost(
        _ first: WiringChoice, _ own: Comparison.Speed, _ second: WiringChoice, _ other: Comparison.Speed
    ) -> String {
        let (one, two) = (own.nanoseconds.median, other.nanoseconds.median)
        let isKnown = comparison.overlaps(own.observers).isEmpty
        let (slower, ratio) = one > two ? (first, one / two) : (second, two / one)
        let verdict = isKnown ? "\(Figure.ratio(ratio)) as much with \(slower)" : "the intervals overlap"
        return "A post to \(own.observers.of("observer")) takes \(own.cost) ns with \(first), \(other.cost) ns with "
            + "\(second): \(verdict)."
    }

    /// The rows of which `isMeant` is true, in one sentence; nothing without any.
    private func sentence(
        _ beginning: String, _ wiring: Comparison.Wiring, _ other: Comparison.Wiring,
        _ isMeant: (Finding, Finding) -> Bool
    ) -> [String] {
        let titles = comparison.rows.filter { row in
            guard let own = wiring.findings[row], let other = other.findings[row], !other.isUnknown else {
                return false
            }
            return isMeant(own, other)
        }.map(\.wholeTitle)
        return titles.isEmpty ? [] : wrapped("\(beginning): \(titles.joined(separator: "; ")).")
    }

    /// A table that is too wide continues below, with its first column again.
    private func lines(of table: ComparisonTables.Table) -> [String] {
        [bold(table.title)] + wrapped(table.note, indentation: 2)
            + Columns.table([table.header] + table.rows, texts: table.texts.union([0]), margin: "  ", width: Self.width)
            + table.remarks.flatMap { wrapped("\($0.name): \($0.why)", indentation: 2) }
    }

    private func matrix() -> [String] {
        let rows = comparison.rows
        guard !rows.isEmpty else { return [] }
        let wirings = comparison.wirings
        let titles = Dictionary(
            uniqueKeysWithValues: rows.map { ($0, rows.count == 1 ? $0.wholeTitle : $0.title) })
        let width = Columns.width(of: titles.values + wirings.map(\.choice.rawValue)) + 2
        var lines = [bold("Properties"), ""] + wrapped(Finding.legend, indentation: 2) + [""]
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
        lines += [""] + values
        guard isVerbose else { return lines + reasons + [""] }
        lines += ["", bold("Evidence")]
        for row in rows {
            let title = row.wholeTitle
            lines += ["", "  " + bold(title), "  juicestand compare --probe \(row.rawValue)"]
            for wiring in wirings {
                guard let finding = wiring.findings[row] else { continue }
                lines += wrapped(
                    "\(finding.mark) \(wiring.choice.rawValue): \(finding.wholeEvidence)", indentation: 4)
            }
        }
        return lines + [""]
    }

    /// The figures behind the rows of the group `cost`, whose bounds alone say little.
    private var values: [String] {
        comparison.rows.filter { $0.source == .measurement }.flatMap { row in
            let values = comparison.wirings.compactMap { wiring in
                wiring.findings[row].flatMap { $0.applies ? "\(wiring.choice) \($0.evidence)" : nil }
            }
            return wrapped("\(row.title): \(values.joined(separator: "; "))", indentation: 2)
        }
    }

    /// Why cells are `?`, if some are.
    private var reasons: [String] {
        comparison.unknown.flatMap { property, choices in
            let evidence = choices.compactMap { choice in
                comparison.wirings.first { $0.choice == choice }?.findings[property].map { "\(choice): \($0.evidence)" }
            }
            return wrapped("? \(property.wholeTitle): \(evidence.joined(separator: "; "))", indentation: 2)
        }
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
