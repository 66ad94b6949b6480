import StandClient
import Terms
import TextFormats

extension StandScreen {
    /// The alerts, in at most `most` lines below their title, and at least two.
    func alerts(_ view: StandView, _ width: Int, _ most: Int) -> [StyledText] {
        let title = view.words(.alertsCounted, Columns.grouped(view.status.lowStockAlerts))
        let lines = view.alerts.window(most).map { entry($0, view, width) }
        return [rule(title + linesBack(view.alerts.back, view.words), width, isChosen: view.choice.part == .alerts)]
            + lines + Array(repeating: StyledText(), count: max(0, min(2, most) - lines.count))
    }

    /// How many lines are below the rows shown, for a title.
    private func linesBack(_ back: Int, _ words: Words) -> String {
        back > 0 ? ", " + words.counted(back, .linesBack) : ""
    }

    /// The log below its title, `rows` high. Suggests a speed while nothing happens.
    func log(_ view: StandView, _ width: Int, _ rows: Int) -> [StyledText] {
        let words = view.words
        let title = view.log.filter.isEmpty ? words(.log) : words(.logWith, view.log.filter.visible)
        var lines = view.log.window(rows).map { entry($0, view, width) }
        // In real time the first customer may take minutes.
        if view.speed <= 1, view.status.orders == 0, lines.count < rows, !view.isPast {
            lines.append(StyledText(" " + clip(words(.noCustomerYet), width - 2), .dim))
        }
        if view.log.hasNoMatch { lines = [StyledText(" " + clip(words(.noLineMatches), width - 2), .dim)] }
        return [rule(title + linesBack(view.log.back, words), width, isChosen: view.choice.part == .log)] + lines
            + Array(repeating: StyledText(), count: max(0, rows - lines.count))
    }

    private func entry(_ line: LogLine, _ view: StandView, _ width: Int) -> StyledText {
        let clock = " " + view.clock.text(seconds: line.time) + "  "
        let room = max(1, width - TextWidth.columns(of: clock))
        return StyledText(clock, .dim) + StyledText(clip(line.text, room), line.style)
    }

    /// The names to choose from in at most `room` lines; nil if there is nothing to choose.
    func list(_ view: StandView, _ width: Int, _ room: Int) -> [StyledText]? {
        guard case .typing(let prompt) = view.mode else { return nil }
        let names: [(name: String, key: String)]
        switch prompt.kind {
        case .filter: return nil
        case .order: names = view.drinks.map { ($0.name, $0.key) }
        case .restock, .take: names = view.shelves.map { ($0.name, $0.key) }
        }
        let chosen = view.choose(prompt.text, among: names.map { [$0.name, $0.key] })?.index
        let most = max(0, room - 1)
        let start = max(0, min((chosen ?? 0) - most / 2, names.count - most))
        return [rule(view.words(prompt.kind == .order ? .juices : .fruits), width)]
            + names.indices.dropFirst(start).prefix(most).map { index in
                let row = Columns.right("\(index + 1)", 4) + "  " + clip(names[index].name, width - 8)
                return index == chosen ? StyledText(row, .reverse) : StyledText(row)
            }
    }
}

// MARK: - Help

extension StandScreen {
    /// The keys of the display, besides `q`, and what they do.
    private static let keys: [(String, Phrase)] = [
        ("↑ ↓ PgUp PgDn", .helpScroll), ("Tab", .helpPart), ("/", .helpFilter), ("[ ] n", .helpTime),
        ("p, space", .helpHold), ("< >", .helpSort), ("o", .helpOrder), ("r", .helpRestock), ("t", .helpTake),
        ("s", .helpPause), ("+ -", .helpRate), ("{ }", .helpSpeed), ("↑ ↓", .helpRecall), ("Ctrl-L", .helpRedraw),
    ]

    /// The keys of the display as a guide in English, in Markdown.
    package static var keyGuide: String {
        let words = Words.english
        let rows = keys + [("q in watch", .helpQuit), ("q in run", .helpClose), ("q in run --state", .helpSuspend)]
        let table = rows.map { "| \($0) | \(words($1)) |" }
        return "# Keys of the live display\n\n| key | action |\n| --- | --- |\n" + table.joined(separator: "\n")
            + "\n\n?, in the display, shows this list, and the link to the page. "
            + "`juicestand help watching` says more.\n"
    }

    /// The help: warnings, the page's address, keys and signs.
    func help(_ view: StandView, _ width: Int) -> [StyledText] {
        let words = view.words
        var lines = warnings(view, width)
        let link = link(view.link ?? view.status.url?.visible, width)
        if !link.isEmpty { lines += [rule(words(.pageTitle), width)] + link }
        lines.append(rule(words(.keysTitle), width))
        lines += Self.keys.flatMap { row($0, words($1), width) }
        let quit: Phrase =
            switch view.ending {
            case nil: .helpQuit
            case .closes: .helpClose
            case .suspends: .helpSuspend
            }
        lines += row("q", words(quit), width)
        lines.append(rule(words(.screenTitle), width))
        let marks = words(.helpMarks, String(glyphs.low), String(glyphs.reorder))
        for text in [words(.helpBars), marks, words(.helpCounts), words(.helpWaits), words(.helpMouse)] {
            lines += flow(text, width - 3).map { StyledText("  " + $0) }
        }
        return lines
    }

    /// A key and what it does, in as many lines as needed.
    private func row(_ key: String, _ text: String, _ width: Int) -> [StyledText] {
        let indent = width < 60 ? 8 : 17
        let isLong = TextWidth.columns(of: key) + 3 > indent
        var lines: [StyledText] = []
        if isLong { lines.append(StyledText("  " + glyphs.showable(key), .bold)) }
        for (index, piece) in flow(text, width - indent - 1).enumerated() {
            let start = index == 0 && !isLong ? "  " + glyphs.showable(key) : ""
            lines.append(StyledText(start.left(indent), .bold) + StyledText(piece))
        }
        return lines
    }

    /// Text in lines of at most `columns` columns, cut at spaces.
    private func flow(_ text: String, _ columns: Int) -> [String] {
        Columns.flow(glyphs.showable(text), width: columns).map { clip($0, columns) }
    }

    /// The number of lines that the help may scroll.
    func mostHelpTop(_ view: StandView, _ size: TerminalScreen.Size) -> Int {
        max(0, help(view, size.columns).count - max(0, size.rows - 2))
    }

    /// Why the stand does not listen where users look for it.
    func warnings(_ view: StandView, _ width: Int) -> [StyledText] {
        let words = view.words
        return view.warnings.flatMap { warning in
            let (sentence, option): (String, String?) =
                switch warning {
                case .portTaken(let port, let other): (words(.portTaken, "\(port)", "\(other)"), nil)
                case .socketTaken(let socket): (words(.socketTaken), "--socket \(socket)")
                case .folderTaken(let socket): (words(.folderTaken), "--socket \(socket)")
                }
            return flow(sentence, width - 2).map { StyledText(" " + $0, .warning) }
                + copyable(option, width).map { StyledText($0, .warning) }
        }
    }

    /// The page's address.
    func link(_ address: String?, _ width: Int) -> [StyledText] {
        copyable(address, width).map { StyledText($0, .link) }
    }

    /// Text from the first column, so that a selection has nothing else.
    private func copyable(_ text: String?, _ width: Int) -> [String] {
        text.map { pieces(of: $0, max(8, width - 1)).map(String.init) } ?? []
    }

    /// A link in as few lines of `columns` columns as possible. In a link that is too long, the token is kept on one
    /// line, because the page also accepts the token alone.
    private func pieces(of link: String, _ columns: Int) -> [Substring] {
        var pieces: [Substring] = []
        var rest = Substring(link)
        if rest.count > columns, let token = rest.firstIndex(of: "#"), token > rest.startIndex {
            pieces += self.pieces(of: String(rest[..<token]), columns)
            rest = rest[token...]
        }
        while !rest.isEmpty {
            pieces.append(rest.prefix(columns))
            rest = rest.dropFirst(columns)
        }
        return pieces
    }
}
