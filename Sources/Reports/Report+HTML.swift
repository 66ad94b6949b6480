import TextFormats

extension Report {
    /// The most rows of a list or table on a page.
    package static let mostRows = 500

    /// The report as a self-contained page.
    package func html() -> String {
        HTMLPage(
            title: about.isEmpty ? title : "\(title): \(about)",
            body: """
                <header>
                <h1>\(title)</h1>
                \(about.isEmpty ? "" : "<p class=\"about\">\(about)</p>\n" as Markup)\
                \(Self.boxes(alarms, class: "alarm", sign: "✗ "))\(Self.boxes(notes, class: "note", sign: "Note: "))\
                \(headline.isEmpty ? "" : "<p class=\"headline\">\(headline)</p>\n" as Markup)</header>
                \(HTMLPage.section("Expectations", verdictList))\
                \(sections.filter { $0.audience != .terminal }.map(Self.markup))
                """
        ).source()
    }

    private static func boxes(_ lines: [String], class name: String, sign: String) -> Markup {
        let shown = lines.prefix(mostRows).map { "<p class=\"\(name)\">\(sign)\($0)</p>\n" as Markup }
        return shown.joined() + remark(leftOut(shown.count, of: lines.count, "messages", elsewhere: "the JSON has all"))
    }

    private var verdictList: Markup {
        guard !verdicts.isEmpty else { return "" }
        let failed = verdicts.filter { !$0.isMet }
        // If not all fit, those that failed come first.
        let order = verdicts.count > Self.mostRows ? failed + verdicts.filter(\.isMet) : verdicts
        let shown = order.prefix(Self.mostRows).map { verdict -> Markup in
            "<li class=\"\(verdict.isMet ? "met" : "failed")\">\(verdict.message)</li>\n"
        }
        let count = "\(Columns.grouped(verdicts.count - failed.count)) met, \(Columns.grouped(failed.count)) failed"
        let others = Self.leftOut(
            shown.count, of: verdicts.count, "expectations", elsewhere: "those that failed come first")
        return "<ul class=\"plain\">\n\(shown)</ul>\n\(HTMLPage.remark(count))\(Self.remark(others))"
    }

    private static func remark(_ block: Block?) -> Markup { block.map { markup(of: $0) } ?? "" }

    private static func markup(_ section: Section) -> Markup {
        let content = section.blocks.map(markup(of:)).joined()
        return section.title.isEmpty ? "<section>\n\(content)</section>\n" : HTMLPage.section(section.title, content)
    }

    private static func markup(of block: Block) -> Markup {
        switch block {
        case .paragraph(let text): return HTMLPage.remark(text)
        case .list(let items): return "<ul>\n\(items.map { "<li>\($0)</li>\n" as Markup })</ul>\n"
        case .figures(let figures):
            let entries = figures.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>\n" as Markup }
            return "<dl class=\"figures\">\n\(entries)</dl>\n"
        case .table(let table): return markup(of: table)
        case .plots(let drawings, let areSmall):
            let kind: Markup = areSmall ? "plots small" : "plots"
            return drawings.isEmpty ? "" : "<div class=\"\(kind)\">\n\(drawings)</div>\n"
        case .heading(let text): return "<h3>\(text)</h3>\n"
        case .code(let text): return "<pre>\(text)</pre>\n"
        case .folded(let title, let isOpen, let blocks):
            return HTMLPage.details(title, isOpen: isOpen, isPrinted: true, blocks.map(markup(of:)).joined())
        }
    }

    private static func markup(of table: Table) -> Markup {
        let shown = table.rows.prefix(mostRows)
        let rows = shown.map { row in row.cells.map(markup) }
        return HTMLPage.table(
            caption: table.caption, columns: table.columns, headings: table.headings, texts: table.texts, rows: rows,
            marked: Set(shown.indices.filter { shown[$0].isMarked }))
            + remark(leftOut(shown.count, of: table.rows.count, "rows", elsewhere: "the JSON has all"))
    }

    private static func markup(of cell: Cell) -> Markup {
        let small = cell.small.enumerated().map { place, line -> Markup in
            let weight: Markup = cell.isSure && place == cell.small.count - 1 ? " class=\"sure\"" : ""
            return " <small\(weight)>\(line)</small>"
        }
        guard let heat = cell.heat else { return "\(cell.text)\(small)" }
        // Ten shades, of which the first is that of very little.
        let shade = heat > 0 ? max(1, Int((heat * 9).rounded(.up))) : 0
        return "<span class=\"heat h\(shade)\" title=\"\(cell.hint)\">\(cell.text)\(small)</span>"
    }
}
