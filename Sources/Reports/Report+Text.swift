import TextFormats

extension Report {
    /// The report for a terminal, with a line feed after each line.
    ///
    /// Without `isVerbose`, the text fits a screen of 24 lines or more: tables keep their best rows, and remarks and
    /// lists become shorter. On a lower screen, it shrinks to the title, the headline and a row of the first table.
    ///
    /// - Parameters:
    ///   - width: Columns. Longer lines and wider tables wrap.
    ///   - height: Lines of the screen, the prompt included.
    ///   - isVerbose: Whether to show everything, however long it is.
    ///   - isColored: Whether titles are bold, ✓ green and ✗ red.
    package func text(
        width: Int = 80, height: Int = 24, isVerbose: Bool = false, isColored: Bool = false
    ) -> String {
        let text = ReportText(self, width: width, isColored: isColored)
        // A line for the prompt, and one for the message on standard error that expectations failed.
        let reserved = verdicts.allSatisfy(\.isMet) ? 1 : 2
        let lines = isVerbose ? text.lines(.everything) : text.screen(height: height - reserved)
        let all = lines.map { $0 + "\n" }.joined()
        guard isColored else { return all }
        return all.replacing("✓", with: "\u{1b}[32m✓\u{1b}[0m").replacing("✗", with: "\u{1b}[31m✗\u{1b}[0m")
    }
}

/// How many entries text has room for.
private struct Room {
    /// The rows of each table.
    var rows: Int
    /// The expectations, and as many notes.
    var remarks: Int
    /// The items of each list.
    var items: Int
    var sections = Int.max
    /// Whether tables leave out columns instead of wrapping.
    var isNarrow = false
    var isWhole = false

    static let everything = Room(rows: .max, remarks: .max, items: .max, isWhole: true)

    /// The room if each table has `rows` rows; remarks and lists have less.
    static func beside(rows: Int) -> Room { Room(rows: rows, remarks: max(1, rows / 4), items: rows / 8) }
}

/// A report as lines of text.
private struct ReportText {
    private static let margin = "  "
    /// Sections are left out before tables have fewer rows than this.
    private static let fewestRows = 3

    private let report: Report
    private let width: Int
    private let isColored: Bool
    /// A line for each expectation that fails.
    private let failures: [String]

    init(_ report: Report, width: Int, isColored: Bool) {
        self.isColored = isColored
        self.report = report
        self.width = width
        let bySubject = Dictionary(grouping: report.verdicts, by: \.subject)
        var seen: Set<String> = []
        failures = report.verdicts.map(\.subject).filter { seen.insert($0).inserted }.compactMap { subject in
            let all = bySubject[subject] ?? []
            let failed = all.filter { !$0.isMet }
            // An expectation given twice counts once: its messages for a setting are equal.
            let failedSettings = Set(failed.map(\.message)).count
            let settings = Set(all.map(\.message)).count
            guard failedSettings > 1 else { return failed.first?.message }
            return "✗ \(subject): \(Columns.grouped(failedSettings)) of \(Columns.grouped(settings)) settings fail"
        }
    }

    /// The lines with as many entries as `height` lines have room for.
    func screen(height: Int) -> [String] {
        func fits(_ room: Room) -> Bool { lines(room).count <= height }
        var room = Room.beside(rows: height)
        while !fits(room), room.rows > Self.fewestRows { room = .beside(rows: room.rows - 1) }
        room.sections = sections(room).count
        let areSectionsWhole = fits(room)
        while !fits(room), room.sections > 1 { room.sections -= 1 }
        while !fits(room), room.rows > 1 { room.rows -= 1 }
        if !fits(room) { room.isNarrow = true }
        // Without the sections that are left out, tables may have room for more rows.
        let lists: [WritableKeyPath<Room, Int>] =
            areSectionsWhole ? [\.remarks, \.items, \.rows] : [\.rows, \.remarks, \.items]
        for list in lists {
            var larger = room
            larger[keyPath: list] += 1
            while larger[keyPath: list] <= height, fits(larger) {
                room = larger
                larger[keyPath: list] += 1
            }
        }
        return lines(room)
    }

    func lines(_ room: Room) -> [String] {
        var isCut = false
        var lines = flow(report.about.isEmpty ? report.title : "\(report.title): \(report.about)")
        func add(_ paragraph: [String]) {
            guard !paragraph.isEmpty else { return }
            lines += [""] + paragraph
        }
        let notes = report.alarms.map { "✗ \($0)" } + report.notes.map { "note: \($0)" }
        let verdicts = self.verdicts(room.remarks, &isCut)
        add((verdicts + limited(notes, to: room.remarks, "notes", &isCut)).flatMap(item))
        add(flow(report.headline))
        let sections = self.sections(room)
        var hidden = max(0, sections.count - room.sections)
        for section in sections.prefix(room.sections) {
            // A title with nothing but "… 5 lines" below would take three lines.
            if room.items == 0, items(of: section) != nil {
                hidden += 1
                continue
            }
            let blocks = self.lines(of: section.blocks, room, &isCut)
            guard !blocks.isEmpty else { continue }
            let title = flow(section.title).map { isColored ? "\u{1b}[1m\($0)\u{1b}[0m" : $0 }
            add(title + blocks)
        }
        if hidden > 0 {
            isCut = true
            add(flow(left(hidden, hidden == 1 ? "more table or list" : "more tables and lists")))
        }
        if !room.isWhole, isCut || report.isShortened {
            add(flow("\(report.details): --verbose or --format json"))
        }
        return lines
    }

    /// The sections that text shows and that have content.
    private func sections(_ room: Room) -> [Report.Section] {
        report.sections.filter { isShown($0, room) && items(of: $0) != 0 }
    }

    /// The number of lines of a section that has only lists; nil if it has other blocks.
    private func items(of section: Report.Section) -> Int? {
        var count = 0
        for block in section.blocks {
            guard case .list(let items) = block else { return nil }
            count += items.count
        }
        return count
    }

    private func isShown(_ section: Report.Section, _ room: Room) -> Bool {
        switch section.audience {
        case .everybody, .terminal: true
        case .curious: room.isWhole
        case .page: false
        }
    }

    /// All expectations, or those that fail and the number of the others.
    private func verdicts(_ most: Int, _ isCut: inout Bool) -> [String] {
        let all = report.verdicts
        guard all.count > most else { return all.map(\.message) }
        isCut = true
        let met = all.count(where: \.isMet)
        return limited(failures, to: most, "expectations fail", &isCut)
            + (met > 0 ? ["✓ \(Columns.grouped(met)) of \(Columns.grouped(all.count)) hold"] : [])
    }
}

// MARK: - Blocks

extension ReportText {
    private func flow(_ text: String) -> [String] { Columns.flow(text, width: width) }

    private func item(_ text: String) -> [String] {
        Columns.flow(text, width: width, first: Self.margin, rest: Self.margin + Self.margin)
    }

    /// - Parameter isCut: Becomes true if entries are left out, as in the methods below.
    private func limited(_ entries: [String], to most: Int, _ things: String, _ isCut: inout Bool) -> [String] {
        // The line "… 1 more" would be as long as the entry that it hides.
        let hidden = entries.count - most
        guard hidden > 1 else { return entries }
        isCut = true
        return Array(entries.prefix(most)) + [left(hidden, most > 0 ? "more \(things)" : things)]
    }

    /// Says how much is left out.
    private func left(_ count: Int, _ things: String) -> String {
        "… \(Columns.grouped(count)) \(things); --verbose lists all"
    }

    private func lines(of blocks: [Report.Block], _ room: Room, _ isCut: inout Bool) -> [String] {
        var all: [String] = []
        for block in blocks { all += lines(of: block, room, &isCut) }
        return all
    }

    private func lines(of block: Report.Block, _ room: Room, _ isCut: inout Bool) -> [String] {
        switch block {
        case .paragraph(let text): return flow(text)
        case .list(let items): return limited(items, to: room.items, "lines", &isCut).flatMap(item)
        case .figures(let figures):
            let names = Columns.width(of: figures.map(\.name)) + 4
            return figures.flatMap { figure in
                Columns.flow(
                    figure.value, width: width, first: Columns.left(Self.margin + figure.name, names),
                    rest: String(repeating: " ", count: names))
            }
        case .table(let table): return lines(of: table, room, &isCut)
        case .code(let text): return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case .folded(let title, _, let blocks): return ["\(title):"] + lines(of: blocks, room, &isCut)
        case .place(_, let blocks): return lines(of: blocks, room, &isCut)
        case .plots: return []
        }
    }

    /// The table in the first ``Layout`` that fits the width; if none fits, the last one wraps.
    private func lines(of table: Report.Table, _ room: Room, _ isCut: inout Bool) -> [String] {
        let rows = table.places(most: room.rows).map { table.rows[$0] }
        var layouts = [Layout(table, rows)]
        if !room.isWhole {
            let columns = table.columns.count - table.extras
            layouts += [
                Layout(table, rows).withFlownHeadings(),
                Layout(table, rows, columns: columns).withFlownHeadings(),
                Layout(table, rows, columns: columns, isBrief: true).withFlownHeadings(),
            ]
        }
        if room.isNarrow {
            layouts += stride(from: table.columns.count - table.extras - 1, to: 1, by: -1).map { columns in
                Layout(table, rows, columns: columns, isBrief: true).withFlownHeadings()
            }
        }
        let texts = table.texts.union(0..<table.headings)
        var lines: [String] = []
        var height = 0
        var isLayoutCut = false
        for layout in layouts {
            isLayoutCut = layout.isCut
            height = layout.head.count + layout.body.count
            lines = Columns.table(layout.head + layout.body, texts: texts, margin: Self.margin, width: width)
            if lines.count == height, Columns.width(of: lines) <= width { break }
        }
        // A table that wraps repeats all of its rows below, so a mark stands at each part of its row.
        for (place, row) in rows.enumerated() where row.sign != nil {
            for line in stride(from: height - rows.count + place, to: lines.count, by: height) {
                lines[line] = "\(row.sign ?? " ") " + lines[line].dropFirst(Self.margin.count)
            }
        }
        // In the wrapped part of a table, some heading lines may be empty.
        lines.removeAll { line in line.allSatisfy { $0 == " " } }
        let hidden = table.rows.count - rows.count
        if hidden > 0 || isLayoutCut { isCut = true }
        return hidden > 0 ? lines + item(left(hidden, "more \(table.things)")) : lines
    }
}

/// The texts of a table's cells.
private struct Layout {
    private static let narrowHeading = 8

    private(set) var head: [[String]]
    let body: [[String]]
    /// Whether columns or parts of cells are left out.
    let isCut: Bool

    /// - Parameters:
    ///   - columns: The number of columns to show; nil for all.
    ///   - isBrief: Whether cells show their `brief` texts.
    init(_ table: Report.Table, _ rows: [Report.Row], columns: Int? = nil, isBrief: Bool = false) {
        let shown = columns ?? table.columns.count
        head = [Array(table.columns.prefix(shown))]
        let hasBriefCells = rows.contains { row in row.cells.contains { ($0.brief ?? $0.text) != $0.text } }
        isCut = shown < table.columns.count || isBrief && hasBriefCells
        body = rows.map { row in
            row.cells.prefix(shown).map { cell in
                if isBrief, let brief = cell.brief { return brief }
                return cell.small.isEmpty ? cell.text : "\(cell.text) \(cell.small)"
            }
        }
    }

    /// Headings in several lines, so that they are hardly wider than their columns if their words allow it.
    consuming func withFlownHeadings() -> Layout {
        let columns = head[0].enumerated().map { column, heading in
            Self.flow(heading, width: max(Self.narrowHeading, Columns.width(of: body.map { $0[column] })))
        }
        let height = columns.map(\.count).max() ?? 0
        head = (0..<height).map { line in
            columns.map { lines in
                let place = line - (height - lines.count)
                return place >= 0 ? lines[place] : ""
            }
        }
        return self
    }

    /// A heading in lines of at most `width` columns. Lines may also end after a point or a slash within a word.
    private static func flow(_ heading: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in heading.split(separator: " ") {
            var separator = " "
            let parts = String(word).replacing(".", with: ". ").replacing("/", with: "/ ").split(separator: " ")
            for part in parts.map(String.init) {
                if let last = lines.last, Columns.width(of: last + separator + part) <= width {
                    lines[lines.count - 1] = last + separator + part
                } else {
                    lines.append(part)
                }
                separator = ""
            }
        }
        return lines
    }
}
