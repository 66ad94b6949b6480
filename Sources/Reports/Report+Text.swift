import TextFormats

extension Report {
    /// The report for a terminal, with a line feed after each line.
    ///
    /// Unless it is verbose, it fits the screen: tables keep their best rows, and remarks and lists become shorter.
    ///
    /// - Parameters:
    ///   - width: Columns. Longer words and wide tables go on in the next lines.
    ///   - height: Lines of the screen, the prompt included.
    ///   - isVerbose: Whether to show everything, however long it is.
    ///   - isColored: Whether titles are bold, and what holds green and what fails red.
    package func text(
        width: Int = 80, height: Int = 24, isVerbose: Bool = false, isColored: Bool = false
    ) -> String {
        let text = ReportText(self, width: width, isColored: isColored)
        // The command says on standard error that expectations failed.
        let others = verdicts.allSatisfy(\.isMet) ? 1 : 2
        let lines = isVerbose ? text.lines(.everything) : text.screen(height: height - others)
        let all = lines.map { $0 + "\n" }.joined()
        guard isColored else { return all }
        return all.replacing("✓", with: "\u{1b}[32m✓\u{1b}[0m").replacing("✗", with: "\u{1b}[31m✗\u{1b}[0m")
    }
}

/// How many entries text has room for.
private struct Room {
    /// Of each table.
    var rows: Int
    /// Of the expectations, and of the notes.
    var remarks: Int
    /// Of each list.
    var items: Int
    var sections = Int.max
    var isWhole = false

    static let everything = Room(rows: .max, remarks: .max, items: .max, isWhole: true)

    /// Remarks and lists give way before tables do.
    static func beside(rows: Int) -> Room { Room(rows: rows, remarks: max(1, rows / 4), items: rows / 8) }
}

/// A report as lines of text.
private struct ReportText {
    private static let margin = "  "
    /// Tables with fewer rows tell little. Sections give way before them.
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
            guard failed.count > 1 else { return failed.first?.message }
            return "✗ \(subject): \(Columns.grouped(failed.count)) of \(Columns.grouped(all.count)) settings fail"
        }
    }

    /// The lines with as many entries as `height` lines have room for.
    func screen(height: Int) -> [String] {
        func fits(_ room: Room) -> Bool { lines(room).count <= height }
        var room = Room.beside(rows: height)
        while !fits(room), room.rows > Self.fewestRows { room = .beside(rows: room.rows - 1) }
        room.sections = report.sections.count
        while !fits(room), room.sections > 1 { room.sections -= 1 }
        while !fits(room), room.rows > 1 { room.rows -= 1 }
        for list in [\Room.remarks, \Room.items] {
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
        var lines = flow(report.about.isEmpty ? report.title : "\(report.title): \(report.about)")
        func add(_ paragraph: [String]) {
            guard !paragraph.isEmpty else { return }
            lines += [""] + paragraph
        }
        let notes = report.alarms.map { "✗ \($0)" } + report.notes.map { "note: \($0)" }
        add((verdicts(room.remarks) + limited(notes, to: room.remarks, "notes")).flatMap(item))
        add(flow(report.headline))
        let sections = report.sections.filter { isShown($0, room) }
        for section in sections.prefix(room.sections) {
            let blocks = section.blocks.flatMap { self.lines(of: $0, room) }
            guard !blocks.isEmpty else { continue }
            let title = isColored ? "\u{1b}[1m\(section.title)\u{1b}[0m" : section.title
            add((section.title.isEmpty ? [] : [title]) + blocks)
        }
        if sections.count > room.sections { add([more(sections.count - room.sections, "tables and lists")]) }
        if !room.isWhole, report.isShortened { add(["\(report.details): --verbose or --format json"]) }
        return lines
    }

    private func isShown(_ section: Report.Section, _ room: Room) -> Bool {
        switch section.audience {
        case .everybody, .terminal: true
        case .curious: room.isWhole
        case .page: false
        }
    }

    /// All expectations, or those that fail and the number of the others.
    private func verdicts(_ most: Int) -> [String] {
        let all = report.verdicts
        guard all.count > most else { return all.map(\.message) }
        let met = all.count(where: \.isMet)
        return limited(failures, to: most, "expectations fail")
            + (met > 0 ? ["✓ \(Columns.grouped(met)) of \(Columns.grouped(all.count)) hold"] : [])
    }
}

// MARK: - Blocks

extension ReportText {
    private func flow(_ text: String) -> [String] { Columns.flow(text, width: width) }

    private func item(_ text: String) -> [String] {
        Columns.flow(text, width: width, first: Self.margin, rest: Self.margin + Self.margin)
    }

    private func limited(_ entries: [String], to most: Int, _ things: String) -> [String] {
        // A line that one is left out would be as long.
        entries.count - most > 1 ? entries.prefix(most) + [more(entries.count - most, things)] : entries
    }

    private func more(_ count: Int, _ things: String) -> String {
        "… \(Columns.grouped(count)) more \(things); --verbose lists all"
    }

    private func lines(of block: Report.Block, _ room: Room) -> [String] {
        switch block {
        case .paragraph(let text): return flow(text)
        case .list(let items): return room.items > 0 ? limited(items, to: room.items, "lines").flatMap(item) : []
        case .figures(let figures):
            let names = Columns.width(of: figures.map(\.name)) + 4
            return figures.flatMap { figure in
                Columns.flow(
                    figure.value, width: width, first: Columns.left(Self.margin + figure.name, names),
                    rest: String(repeating: " ", count: names))
            }
        case .table(let table): return lines(of: table, room)
        case .code(let text): return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case .folded(let title, _, let blocks): return ["\(title):"] + blocks.flatMap { lines(of: $0, room) }
        case .place(_, let blocks): return blocks.flatMap { lines(of: $0, room) }
        case .plots: return []
        }
    }

    /// The table on the screen, or below if it is too wide; see ``Layout``.
    private func lines(of table: Report.Table, _ room: Room) -> [String] {
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
        let texts = table.texts.union(0..<table.headings)
        var lines: [String] = []
        var height = 0
        for layout in layouts {
            height = layout.head.count + layout.body.count
            lines = Columns.table(layout.head + layout.body, texts: texts, margin: Self.margin, width: width)
            if lines.count == height { break }
        }
        // A table that is too wide goes on below, with all of its rows.
        for (place, row) in rows.enumerated() where row.sign != nil {
            for line in stride(from: height - rows.count + place, to: lines.count, by: height) {
                lines[line] = "\(row.sign ?? " ") " + lines[line].dropFirst(Self.margin.count)
            }
        }
        // Below, some lines of the headings may be empty.
        lines.removeAll { line in line.allSatisfy { $0 == " " } }
        let hidden = table.rows.count - rows.count
        return hidden > 0 ? lines + [Self.margin + more(hidden, table.things)] : lines
    }
}

/// The texts of a table's cells.
private struct Layout {
    private static let narrowHeading = 8

    private(set) var head: [[String]]
    let body: [[String]]

    /// - Parameters:
    ///   - columns: The number of columns to show; nil for all.
    ///   - isBrief: Whether to leave out what a wide table can do without.
    init(_ table: Report.Table, _ rows: [Report.Row], columns: Int? = nil, isBrief: Bool = false) {
        let shown = columns ?? table.columns.count
        head = [Array(table.columns.prefix(shown))]
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
            // Points and slashes end words, too.
            let words = heading.replacing(".", with: ". ").replacing("/", with: "/ ")
            let lines = Columns.flow(words, width: max(Self.narrowHeading, Columns.width(of: body.map { $0[column] })))
            return lines.map { $0.replacing(". ", with: ".").replacing("/ ", with: "/") }
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
}
