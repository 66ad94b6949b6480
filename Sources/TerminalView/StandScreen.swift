import JuiceStand
import TextFormats

/// Lays out a stand's view on a screen of any size.
///
/// A pure function: the same view and size give the same lines.
struct StandScreen: Sendable {
    /// The lines of one screen, and which of them scroll.
    struct Lines: Equatable {
        var lines: [StyledText] = []
        var scrolling = 0..<0
    }

    let glyphs: Glyphs

    /// - Complexity: O(*n*) for *n* cells
    func lines(_ view: StandView, _ size: TerminalScreen.Size) -> Lines {
        let width = size.columns
        var lines = [header(view, width)]
        let rest = max(0, size.rows - 2)
        if view.mode == .helping {
            lines += help(view, width).prefix(rest)
        } else {
            let alerts = max(2, min(8, (size.rows - 16) / 4))
            // If there is too little room, the log shrinks first, then the alerts.
            lines += (stock(view, width, most: max(1, rest - 5)) + orders(view, width)).prefix(rest)
            if let list = list(view, width) {
                lines += list.prefix(max(0, size.rows - 1 - lines.count))
            } else {
                if size.rows - 1 - lines.count > 5 { lines += self.alerts(view, width, alerts) }
                let room = size.rows - 1 - lines.count
                if room > 1 {
                    let title = view.log.filter.isEmpty ? "Log" : "Log with \"\(view.log.filter.harmless)\""
                    let place = view.log.back > 0 ? ", \(Columns.counted(view.log.back, "line")) back" : ""
                    lines.append(rule(title + place, width))
                    let start = lines.count
                    lines += log(view, width, room - 1)
                    return finish(lines, view, size, scrolling: start..<(start + room - 1))
                }
            }
        }
        return finish(lines, view, size, scrolling: 0..<0)
    }

    private func finish(
        _ lines: [StyledText], _ view: StandView, _ size: TerminalScreen.Size, scrolling: Range<Int>
    ) -> Lines {
        let filler = Array(repeating: StyledText(), count: max(0, size.rows - 1 - lines.count))
        let all = (lines + filler).prefix(max(0, size.rows - 1)) + [footer(view, size.columns)]
        return Lines(lines: all.map { $0.clipped(to: size.columns, mark: glyphs.cut) }, scrolling: scrolling)
    }

    /// Text as the terminal can show it, in at most `columns` columns.
    func clip(_ text: String, _ columns: Int) -> String {
        glyphs.showable(text).clipped(to: columns, mark: glyphs.cut)
    }

    // MARK: - Top and bottom

    private func header(_ view: StandView, _ width: Int) -> StyledText {
        let (word, style): (String, TextStyle) =
            view.absence != nil
            ? ("away", .bad)
            : view.phase == "open" ? ("open", .good) : (view.phase, .warning)
        var line = StyledText(" " + clip((view.status["stand"]?.text ?? "").harmless, max(8, width / 3)), .bold)
        line.append("  ")
        line.append(word, style)
        line.append("  " + SpanText.clock(view.time))
        if view.speed != 1 { line.append("  speed " + glyphs.times + Columns.readable(view.speed)) }
        if view.rate != 1 { line.append("  customers " + glyphs.times + Columns.readable(view.rate), .accent) }
        if view.isPast {
            line.append("  past", .reverse)
        } else if view.isHeld {
            line.append("  held", .reverse)
        }
        if view.status["ready"]?.isTrue == false, view.phase != "closed" { line.append("  not ready", .bad) }
        let event = "event " + Columns.grouped(view.count("sequence")) + " "
        guard line.columns + event.count < width else { return line }
        return line.padded(to: width - event.count) + StyledText(event, .dim)
    }

    private func footer(_ view: StandView, _ width: Int) -> StyledText {
        switch view.mode {
        case .filtering: prompt("Lines with:", view.log.filter, "Enter keeps it, Esc leaves", width)
        case .ordering(let text): prompt("Order:", text, "a name or number, then the cups", width)
        case .restocking(let text): prompt("Restock:", text, "a name or number, then the pieces", width)
        case .asking(let question, _):
            StyledText(" " + clip(question, width - 10), .bold) + StyledText(" (y/n)")
        case .helping: StyledText(" any key goes back", .dim)
        case .watching:
            if let notice = view.absence ?? view.notice ?? view.cause {
                StyledText(" " + clip(notice.harmless, width - 2), notice == view.notice ? .accent : .bad)
            } else {
                StyledText(
                    " "
                        + clip(
                            width < 64
                                ? "p / o r + - ? q"
                                : "p hold  / filter  o order  r restock  + - customers  ? help  q quit",
                            width - 2),
                    .dim)
            }
        }
    }

    private func prompt(_ label: String, _ text: String, _ hint: String, _ width: Int) -> StyledText {
        var line = StyledText(" \(label) ", .bold)
        line.append(clip(text.harmless, max(1, width - line.columns - 3)))
        line.append(" ", .reverse)
        if line.columns + hint.count + 3 < width { line.append("  " + hint, .dim) }
        return line
    }

    /// The title of a part of the screen, in a line across the screen.
    func rule(_ title: String, _ width: Int, _ more: StyledText = StyledText()) -> StyledText {
        var line = StyledText(String(glyphs.rule) + " ", .dim)
        line.append(clip(title, width - 4), .bold)
        line.append(" ")
        if line.columns + more.columns + 2 < width { line.append(more) }
        line.append(String(repeating: glyphs.rule, count: max(0, width - line.columns)), .dim)
        return line
    }
}
