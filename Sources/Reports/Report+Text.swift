import TextFormats

extension Report {
    /// The most verdicts of text that is not verbose.
    private static let mostVerdicts = 8

    /// The report for a terminal, with a line feed after each line.
    ///
    /// - Parameters:
    ///   - width: Columns. Longer words and wide tables go on in the next lines.
    ///   - isVerbose: Whether to show what only curious readers want.
    package func text(width: Int = 80, isVerbose: Bool = false) -> String {
        var lines = Columns.flow(about.isEmpty ? title : "\(title): \(about)", width: width)
        func add(_ paragraph: [String]) {
            guard !paragraph.isEmpty else { return }
            lines += [""] + paragraph
        }
        let remarks = alarms.map { "✗ \($0)" } + notes.map { "note: \($0)" }
        add(
            verdictLines(isVerbose).map { "  \($0)" }
                + remarks.flatMap { Columns.flow($0, width: width, first: "  ", rest: "    ") })
        add(Columns.flow(headline, width: width))
        for section in sections where Self.isShown(section, isVerbose) {
            let blocks = section.blocks.flatMap { Self.lines(of: $0, width, isVerbose) }
            guard !blocks.isEmpty else { continue }
            add((section.title.isEmpty ? [] : [section.title]) + blocks)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func isShown(_ section: Section, _ isVerbose: Bool) -> Bool {
        switch section.audience {
        case .everybody, .terminal: true
        case .curious: isVerbose
        case .page: false
        }
    }

    private func verdictLines(_ isVerbose: Bool) -> [String] {
        let most = isVerbose ? .max : Self.mostVerdicts
        let sorted = verdicts(most: most)
        guard sorted.count > most else { return sorted.map(\.message) }
        let hidden = sorted.dropFirst(most - 1)
        return sorted.prefix(most - 1).map(\.message) + [
            "and \(Columns.grouped(hidden.count)) more expectations, "
                + "\(Columns.grouped(hidden.count { !$0.isMet })) of them failed"
        ]
    }

    private static func lines(of block: Block, _ width: Int, _ isVerbose: Bool) -> [String] {
        switch block {
        case .paragraph(let text): return Columns.flow(text, width: width)
        case .list(let items): return items.flatMap { Columns.flow($0, width: width, first: "  ", rest: "    ") }
        case .figures(let figures):
            let names = Columns.width(of: figures.map(\.name)) + 4
            return figures.flatMap { figure in
                Columns.flow(
                    figure.value, width: width, first: Columns.left("  " + figure.name, names),
                    rest: String(repeating: " ", count: names))
            }
        case .table(let table): return lines(of: table, width, isVerbose)
        case .code(let text): return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case .folded(let title, _, let blocks):
            return ["\(title):"] + blocks.flatMap { lines(of: $0, width, isVerbose) }
        case .plots: return []
        }
    }

    private static func lines(of table: Table, _ width: Int, _ isVerbose: Bool) -> [String] {
        var shown = table.rows
        if !isVerbose, shown.count > table.mostInText {
            let first = shown.prefix(table.mostInText)
            shown = first + shown.dropFirst(table.mostInText).filter(\.isMarked)
        }
        let cells = shown.map { row in row.cells.map { $0.small.isEmpty ? $0.text : "\($0.text) \($0.small)" } }
        let rows = [table.columns] + cells
        let texts = table.texts.union(0..<table.headings)
        let margin = "  "
        var lines = Columns.table(rows, texts: texts, margin: margin, width: width)
        // A table that is too wide goes on below, with all of its rows.
        for (place, row) in shown.enumerated() where row.isMarked {
            for start in stride(from: place + 1, to: lines.count, by: rows.count) {
                lines[start] = "▸ " + lines[start].dropFirst(margin.count)
            }
        }
        let more = table.rows.count - shown.count
        if more > 0 { lines.append("\(margin)and \(Columns.grouped(more)) more") }
        return lines
    }
}
