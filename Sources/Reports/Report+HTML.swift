import TextFormats

extension Report {
    /// The most rows of a list or table on a page.
    package static let mostRows = 500

    /// The report as a self-contained page.
    package func html() -> String {
        HTMLPage.source(
            title: about.isEmpty ? title : "\(title): \(about)",
            body: """
                <header>
                <h1>\(title)</h1>
                \(about.isEmpty ? "" : "<p class=\"about\">\(about)</p>\n" as Markup)\
                \(Self.boxes(alarms, class: "alarm", sign: "✗ "))\(Self.boxes(notes, class: "note", sign: "Note: "))\
                \(headline.isEmpty ? "" : "<p class=\"headline\">\(headline)</p>\n" as Markup)</header>
                \(Self.section("Expectations", verdictList))\
                \(sections.filter { $0.audience != .terminal }.map { Self.section($0.title, Self.markup(of: $0.blocks)) })
                """)
    }

    private static func boxes(_ lines: [String], class name: String, sign: String) -> Markup {
        let shown = lines.prefix(mostRows).map { "<p class=\"\(name)\">\(sign)\($0)</p>\n" as Markup }
        return shown.joined()
            + markup(of: leftOut(shown.count, of: lines.count, "messages", elsewhere: "the JSON has all"))
    }

    private var verdictList: Markup {
        guard !verdicts.isEmpty else { return "" }
        let shown = verdicts(most: Self.mostRows).prefix(Self.mostRows).map { verdict -> Markup in
            "<li class=\"\(verdict.isMet ? "met" : "failed")\">\(verdict.message)</li>\n"
        }
        let met = verdicts.count(where: \.isMet)
        let count = "\(Columns.grouped(met)) met, \(Columns.grouped(verdicts.count - met)) failed"
        let others = Self.leftOut(
            shown.count, of: verdicts.count, "expectations", elsewhere: "those that failed come first")
        return "<ul class=\"plain\">\n\(shown)</ul>\n\(Self.markup(of: [.paragraph(count)] + others))"
    }

    /// - Parameter title: Empty for none.
    private static func section(_ title: String, _ content: Markup) -> Markup {
        let heading: Markup = title.isEmpty ? "" : "<h2>\(title)</h2>\n"
        return content.source.isEmpty ? "" : "<section>\n\(heading)\(content)</section>\n"
    }

    private static func markup(of blocks: [Block]) -> Markup { blocks.map(markup(of:)).joined() }

    private static func markup(of block: Block) -> Markup {
        switch block {
        case .paragraph(let text): return "<p class=\"remark\">\(text)</p>\n"
        case .list(let items): return "<ul>\n\(items.map { "<li>\($0)</li>\n" as Markup })</ul>\n"
        case .figures(let figures):
            let entries = figures.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>\n" as Markup }
            return "<dl class=\"figures\">\n\(entries)</dl>\n"
        case .table(let table): return markup(of: table)
        case .plots(let drawings, let areSmall):
            let kind: Markup = areSmall ? "plots small" : "plots"
            return drawings.isEmpty ? "" : "<div class=\"\(kind)\">\n\(drawings)</div>\n"
        case .code(let text): return "<pre>\(text)</pre>\n"
        case .folded(let title, let isOpen, let blocks):
            let open: Markup = isOpen ? " open=\"\"" : ""
            return """
                <details class="printed"\(open)><summary>\(title)</summary>
                \(markup(of: blocks))</details>

                """
        case .place(let name, let blocks): return "<div id=\"\(name)\">\n\(markup(of: blocks))</div>\n"
        }
    }

    /// A table that scrolls if it is larger than the window.
    private static func markup(of table: Table) -> Markup {
        let shown = table.rows.prefix(mostRows)
        let bars = table.columns.indices.map { column in shown.compactMap { $0.cells[column].bar } }
        let head = table.columns.enumerated().map { index, column -> Markup in
            let kind: Markup = index < table.headings || table.texts.contains(index) ? " class=\"heading\"" : ""
            return "<th scope=\"col\"\(kind)>\(column)</th>"
        }
        let body = shown.map { row -> Markup in
            let cells = row.cells.enumerated().map { index, cell -> Markup in
                let content = markup(of: cell, among: bars[index])
                let kind: Markup = table.texts.contains(index) ? " class=\"text\"" : ""
                return index < table.headings ? "<th scope=\"row\">\(content)</th>" : "<td\(kind)>\(content)</td>"
            }
            let kind: Markup = row.isMarked ? " class=\"marked\"" : ""
            return "<tr\(kind)>\(cells)</tr>\n"
        }
        let titled: Markup = table.caption.isEmpty ? "" : "<caption>\(table.caption)</caption>\n"
        return """
            <div class="scroll" role="region" aria-label="\(table.caption)" tabindex="0"><table>
            \(titled)<thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody>
            </table></div>
            \(markup(of: leftOut(shown.count, of: table.rows.count, "rows", elsewhere: "the JSON has all")))
            """
    }

    /// - Parameter bars: All bars of the column, which set its scale.
    private static func markup(of cell: Cell, among bars: [Bar]) -> Markup {
        let weight: Markup = cell.isSure ? " class=\"sure\"" : ""
        let small: Markup = cell.small.isEmpty ? "" : " <small\(weight)>\(cell.small)</small>"
        let bar = cell.bar.map { markup(of: $0, among: bars) } ?? ""
        if let place = cell.link { return "<a href=\"#\(place)\" title=\"\(cell.hint)\">\(cell.text)</a>" }
        guard let heat = cell.heat else { return "\(cell.text)\(small)\(bar)" }
        // Ten shades: 0 is no heat, and 1 to 9 divide the rest.
        let shade = heat > 0 ? max(1, Int((heat * 9).rounded(.up))) : 0
        return "<span class=\"heat h\(shade)\" title=\"\(cell.hint)\">\(cell.text)\(small)</span>"
    }

    private static func markup(of bar: Bar, among bars: [Bar]) -> Markup {
        let low = bars.reduce(0) { min($0, $1.value, $1.interval?.lowerBound ?? 0) }
        let high = bars.reduce(0) { max($0, $1.value, $1.interval?.upperBound ?? 0) }
        guard high - low > 0, high - low < .infinity else { return "" }
        func place(_ value: Double) -> Double { (value - low) / (high - low) * 100 }
        let zero = place(0)
        let end = place(bar.value)
        let interval = bar.interval ?? bar.value...bar.value
        let from = Plot.number(place(interval.lowerBound))
        let to = Plot.number(place(interval.upperBound))
        let whisker: Markup = "<path class=\"whisker s0\" d=\"M\(from) 2v6M\(from) 5H\(to)M\(to) 2v6\"/>"
        return """
            <svg class="cell" viewBox="-1 0 102 10" aria-hidden="true"><rect class="bar s0" \
            x="\(min(zero, end))" y="1" width="\(abs(end - zero))" height="8"/>\(from == to ? "" : whisker)</svg>
            """
    }
}
