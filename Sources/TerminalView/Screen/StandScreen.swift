import Terms
import TextFormats

/// Lays out a stand's view on a screen of any size.
///
/// A pure function: the same view and size give the same lines.
package struct StandScreen: Sendable {
    /// The lines of one screen, and where its parts are.
    struct Lines: Equatable {
        var lines: [StyledText] = []
        /// The rows of each part that scrolls, without its title.
        var parts: [StandView.Part: Range<Int>] = [:]
        /// The rows of the help.
        var page: Range<Int>?
        /// The rows that move up when something happens.
        var scrolling = 0..<0

        /// Adds a title and the rows of a part that scrolls.
        fileprivate mutating func add(_ part: StandView.Part, _ rows: [StyledText]) {
            parts[part] = (lines.count + 1)..<(lines.count + rows.count)
            lines += rows
        }
    }

    let glyphs: Glyphs

    /// - Complexity: O(*n*) for *n* cells
    func lines(_ view: StandView, _ size: TerminalScreen.Size) -> Lines {
        let width = size.columns
        let bottom = opening(view, size) + bottom(view, width)
        // Between the header and the bottom.
        let room = max(0, size.rows - 1 - bottom.count)
        var screen = Lines(lines: [header(view, width)])
        if view.mode == .helping {
            screen.lines += help(view, width).dropFirst(view.choice.helpTop).prefix(room)
            screen.page = 1..<(1 + room)
        } else if let list = list(view, width, room) {
            // If there is room, the figures stay.
            let figures = stock(view, width, most: max(1, room - 5)) + orders(view, width, isTall: false)
            if figures.count + list.count <= room { screen.lines += figures }
            screen.lines += list.prefix(room)
        } else {
            screen = parts(screen, view, width, room)
            if let part = view.choice.part, !shows(part, screen, view) {
                screen = Lines(lines: [header(view, width)])
                switch part {
                case .stock: screen.add(.stock, stock(view, width, most: room - 1))
                case .alerts: screen.add(.alerts, alerts(view, width, room - 1))
                case .log: screen.add(.log, log(view, width, room - 1))
                }
            }
        }
        let filler = Array(repeating: StyledText(), count: max(0, 1 + room - screen.lines.count))
        let all = (screen.lines + filler).prefix(1 + room) + bottom
        screen.lines = all.map { $0.clipped(to: width, mark: glyphs.cut) }
        return screen
    }

    /// All parts that there is room for. The log shrinks first, then the alerts.
    private func parts(_ start: Lines, _ view: StandView, _ width: Int, _ room: Int) -> Lines {
        var screen = start
        let most = max(2, min(8, (room - 14) / 4))
        screen.add(.stock, stock(view, width, most: max(1, room - 5)))
        // Orders get more rows only if the log and the alerts have enough.
        let isTall = room - screen.lines.count >= 12
        screen.lines = Array((screen.lines + orders(view, width, isTall: isTall)).prefix(1 + room))
        if 1 + room - screen.lines.count > 5 { screen.add(.alerts, alerts(view, width, most)) }
        let left = 1 + room - screen.lines.count
        if left > 1 {
            screen.add(.log, log(view, width, left - 1))
            screen.scrolling = screen.parts[.log]!
        }
        return screen
    }

    /// Whether a part is on the screen; the stock only counts with all of its fruits.
    private func shows(_ part: StandView.Part, _ screen: Lines, _ view: StandView) -> Bool {
        guard let rows = screen.parts[part] else { return false }
        return part != .stock || rows.count >= view.shelves.count
    }

    /// Text as the terminal can show it, in at most `columns` columns.
    func clip(_ text: String, _ columns: Int) -> String { glyphs.showable(text).clipped(to: columns, mark: glyphs.cut) }

    // MARK: - Top and bottom

    private func header(_ view: StandView, _ width: Int) -> StyledText {
        let words = view.words
        let (phrase, style): (Phrase?, TextStyle) =
            switch view.status.phase {
            case _ where view.absence != nil: (.away, .bad)
            case "open": (.open, .good)
            case "paused": (.paused, .warning)
            case "closed": (.closed, .warning)
            default: (nil, .plain)
            }
        var line = StyledText(" " + clip(view.status.stand.visible, max(8, width / 3)), .bold)
        line.append("  ")
        line.append(phrase.map { words($0) } ?? view.status.phase.visible, style)
        line.append("  " + view.clock.text(seconds: view.status.time))
        if view.isPast || view.isHeld {
            line.append("  ")
            line.append(words(view.isPast ? .past : .held), .reverse)
        }
        if view.speed != 1 { line.append("  " + words(.speed, glyphs.times + Columns.factor(view.speed))) }
        if view.status.rate != 1 {
            line.append("  " + words(.arrivalRate, glyphs.times + Columns.factor(view.status.rate)), .accent)
        }
        if view.status.isReady == false, view.status.phase != "closed" { line.append("  " + words(.notReady), .bad) }
        let event = words(.event, Columns.grouped(Int(clamping: view.status.sequence))) + " "
        let blanks = width - line.columns - TextWidth.columns(of: event)
        guard blanks > 0 else { return line }
        line.append(String(repeating: " ", count: blanks))
        line.append(event, .dim)
        return line
    }

    /// The warnings and the page's link, until the first key: as much as leaves room for the stand.
    private func opening(_ view: StandView, _ size: TerminalScreen.Size) -> [StyledText] {
        guard view.isNew else { return [] }
        let warnings = warnings(view, size.columns)
        let all = warnings + link(view.link, size.columns)
        return [all, warnings].first { $0.count <= size.rows / 4 } ?? []
    }

    /// The last lines of the screen.
    private func bottom(_ view: StandView, _ width: Int) -> [StyledText] {
        let words = view.words
        switch view.mode {
        case .typing(let prompt): return input(prompt, view, width)
        case .asking(let question, _):
            return [StyledText(" " + clip(question, width - 10), .bold) + StyledText(" (y/n)")]
        case .helping: return [StyledText(" " + clip(words(.helpBack), width - 2), .dim)]
        case .watching:
            if let notice = view.absence ?? view.notice ?? view.cause {
                return [StyledText(" " + clip(notice.visible, width - 2), notice == view.notice ? .accent : .bad)]
            }
            guard view.hasKeys else { return [StyledText(" " + clip(words(.noKeyboard), width - 2), .dim)] }
            return [keys(view, width)]
        }
    }

    /// The keys that there is room for, the most useful first.
    private func keys(_ view: StandView, _ width: Int) -> StyledText {
        let quit: Phrase =
            switch view.ending {
            case nil: .keyQuit
            case .closes: .keyClose
            case .suspends: .keySuspend
            }
        var keys: [(String, Phrase)] = [("?", .keyHelp), ("q", quit)]
        if view.choice.part != nil || view.isOneOfMany {
            keys.insert(("Esc", .keyBack), at: 0)
        }
        if view.isPast {
            keys = [("[ ]", .keyTime), ("n", .keyBack)] + keys
        } else {
            keys += [
                ("/", .keyFilter), ("o", .keyOrder), ("r", .keyRestock), ("s", .keyPause),
                ("+ -", .keyRate), ("{ }", .keySpeed), ("[ ]", .keyTime), ("Tab", .keyPart), ("t", .keyTake),
                (">", .keySort), ("p", .keyHold),
            ]
        }
        return self.keys(keys, view.words, width)
    }

    /// As many of these keys, with what they do, as there is room for.
    func keys(_ keys: [(String, Phrase)], _ words: Words, _ width: Int) -> StyledText {
        var line = StyledText()
        for (key, phrase) in keys {
            let word = glyphs.showable(words(phrase))
            guard line.columns + key.count + TextWidth.columns(of: word) + 3 <= width else { break }
            line.append(line.columns == 0 ? " " : "  ")
            line.append(key, .bold)
            line.append(" " + word, .dim)
        }
        return line
    }

    /// A line of input, with what to type or what is wrong with it.
    private func input(_ prompt: Prompt, _ view: StandView, _ width: Int) -> [StyledText] {
        let words = view.words
        let fruit = view.shelves.first?.name ?? "1"
        let (label, hint): (Phrase, String) =
            switch prompt.kind {
            case .filter: (.linesWith, words(.linesWithHint))
            case .order: (.orderLabel, words(.orderHint, view.drinks.first?.name ?? "1"))
            case .restock: (.restockLabel, words(.piecesHint, fruit))
            case .take: (.takeLabel, words(.piecesHint, fruit))
            }
        var line = StyledText(" " + glyphs.showable(words(label)) + " ", .bold)
        line.append(clip(prompt.text.visible, max(1, width - line.columns - 3)))
        line.append(" ", .reverse)
        let help = StyledText(" " + clip((view.notice ?? hint).visible, width - 2), view.notice == nil ? .dim : .accent)
        guard prompt.kind == .filter else { return [help, line] }
        // No line of the log is covered while it is searched.
        return [line.columns + help.columns + 2 < width ? line + StyledText(" ") + help : line]
    }

    /// The title of a part of the screen, in a line across the screen.
    ///
    /// - Parameter isChosen: Whether keys scroll this part.
    func rule(_ title: String, _ width: Int, _ more: StyledText = StyledText(), isChosen: Bool = false) -> StyledText {
        var line = StyledText(String(isChosen ? glyphs.chosen : glyphs.rule) + " ", isChosen ? .accent : .dim)
        line.append(clip(title, width - 4), .bold)
        line.append(" ")
        if line.columns + more.columns + 2 < width { line.append(more) }
        line.append(String(repeating: glyphs.rule, count: max(0, width - line.columns)), .dim)
        return line
    }
}
