import JuiceStand
import Reports
import TextFormats

extension Comparison {
    /// The comparison as a page, whose cells lead to the evidence and to the code, and as text.
    ///
    /// - Parameters:
    ///   - parts: The tables to show.
    ///   - showsEvidence: Whether text has the evidence for every cell.
    package func report(
        _ parts: [ComparisonPart] = ComparisonPart.allCases, showsEvidence: Bool = true
    ) -> Report {
        let title = "\(Columns.counted(wirings.count, "way")) to notify observers"
        var report = Report(title: title, about: machine.message)
        report.alarms = missing
        report.add("Which one?", for: .page, [.table(questions)])
        report.add("What each costs", for: .page, [.table(costs), .paragraph(Self.legend)])
        for table in tables where parts.contains(table.part) {
            // Text shows no captions.
            report.add(table.title, for: .terminal, [.paragraph(table.note)] + table.blocks)
            report.add(table.title, for: .page, table.blocks)
        }
        if parts.contains(.properties), !rows.isEmpty {
            let values = rows.filter { $0.source == .measurement }.compactMap { row in
                told(row) { $0.applies ? "\($1) \($0.evidence)" : nil }.map { "\(row.title): \($0)" }
            }
            let unknown = rows.compactMap { row in
                told(row) { $0.isUnknown ? "\($1): \($0.evidence)" : nil }.map { "? \(row.wholeTitle): \($0)" }
            }
            report.add(
                "Properties", for: .terminal,
                [.list([Finding.legend]), .code(matrix), .list(values + (showsEvidence ? [] : unknown))])
            report.add("Properties", for: .page, [.paragraph(Finding.legend)] + groups)
            for row in rows where showsEvidence {
                let findings = wirings.compactMap { wiring in
                    wiring.findings[row].map { "\($0.mark) \(wiring.choice): \($0.wholeEvidence)" }
                }
                let command = "juicestand compare --probe \(row.rawValue)"
                report.add(row.wholeTitle, for: .terminal, [.list([command] + findings)])
            }
            if rows.count > 1 { report.add("", for: .terminal, [.code(Advice.tree.joined(separator: "\n"))]) }
        }
        let listings = wirings.map { wiring -> Report.Block in
            let profile = wiring.choice.profile
            let listing: [Report.Block] = [.paragraph(profile.configuration), .code(profile.code)]
            return .place(wiring.choice.rawValue, [.folded(wiring.choice.rawValue, isOpen: true, listing)])
        }
        let common = Report.Block.folded("what each of them needs", isOpen: true, [.code(Profile.commonCode)])
        report.add("The code that is measured", for: .page, listings + [common])
        report.add("", for: .terminal, [.paragraph("More: juicestand help wirings")])
        return report
    }

    /// The texts on a property, of the wirings that have one; nil if none has.
    private func told(_ row: Property, _ text: (Finding, WiringChoice) -> String?) -> String? {
        let texts = wirings.compactMap { wiring in wiring.findings[row].flatMap { text($0, wiring.choice) } }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// A row for each property and a column for each wiring.
    private var matrix: String {
        let titles = rows.map { rows.count == 1 ? $0.wholeTitle : $0.title }
        let width = Columns.width(of: titles + wirings.map(\.choice.rawValue)) + 2
        var lines = [""]
        for (index, wiring) in wirings.enumerated() {
            let name = Columns.right(wiring.choice.rawValue, width - 1)
            lines.append("  \(name) \(String(repeating: "│ ", count: index))┐")
        }
        for group in Property.Group.allCases where rows.contains(where: { $0.group == group }) {
            lines.append("  " + group.rawValue)
            for (row, title) in zip(rows, titles) where row.group == group {
                let marks = wirings.map { $0.findings[row]?.mark ?? " " }
                lines.append("  " + Columns.left(title, width) + marks.joined(separator: " "))
            }
        }
        return (lines + [""]).joined(separator: "\n")
    }

    /// A line on what is missing; empty if nothing is.
    var missing: [String] {
        guard isPartial else { return [] }
        let state = isInterrupted ? "interrupted" : "not all could be established"
        return [cutOff.isEmpty ? state : "\(state), missing: \(cutOff.joined(separator: "; "))"]
    }

    /// The name of a wiring, linked to its code if it was compared.
    private func cell(_ choice: WiringChoice) -> Report.Cell {
        let isCompared = wirings.contains { $0.choice == choice }
        return .init(choice.rawValue, link: isCompared ? choice.rawValue : nil)
    }

    private var questions: Report.Table {
        let rows = Advice.questions.map { question in
            Report.Row([.init(question.text), cell(question.yes), question.no.map(cell) ?? "go on"])
        }
        return .init("The first yes is the answer", columns: ["question", "yes", "no"], texts: [1, 2], rows: rows)
    }

    private var costs: Report.Table {
        let rows = zip(wirings, overview).map { wiring, cells in
            Report.Row([cell(wiring.choice)] + cells.dropFirst().map { Report.Cell($0) })
        }
        return .init(
            "Nanoseconds of a post; a click on a heading sorts",
            columns: ["wiring", "ns to 1", "ns to 3", "heard of a burst", "choose it for"], texts: [4], rows: rows)
    }

    /// A table for each group, whose cells lead to the evidence below: `#PROPERTY-WIRING`.
    private var groups: [Report.Block] {
        Property.Group.allCases.compactMap { group in
            let rows = rows.filter { $0.group == group }
            guard !rows.isEmpty else { return nil }
            var table = Report.Table(group.rawValue, columns: ["property"] + wirings.map(\.choice.rawValue))
            table.rows = rows.map { row in
                let cells = wirings.map { wiring -> Report.Cell in
                    guard let finding = wiring.findings[row] else { return "" }
                    return .init(
                        finding.mark, hint: finding.wholeEvidence, link: "\(row.rawValue)-\(wiring.choice.rawValue)")
                }
                return .init([.init(row.wholeTitle)] + cells)
            }
            return .folded(group.rawValue, isOpen: true, [.table(table)] + rows.map(evidence))
        }
    }

    /// What was seen of a property under each wiring; a counter-example that several share is shown once.
    private func evidence(_ row: Property) -> Report.Block {
        var shown: Set<String> = []
        let findings = wirings.compactMap { wiring -> Report.Block? in
            guard let finding = wiring.findings[row] else { return nil }
            let name = wiring.choice.rawValue
            var blocks: [Report.Block] = [.paragraph("\(finding.mark) \(name): \(finding.wholeEvidence)")]
            if let program = finding.counterExample {
                let isNew = shown.insert(program).inserted
                blocks.append(isNew ? .code(program) : .paragraph("the same program as above"))
            }
            return .place("\(row.rawValue)-\(name)", blocks)
        }
        return .folded("evidence: \(row.wholeTitle)", findings)
    }
}
