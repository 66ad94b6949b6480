import JuiceStand
import TextFormats

extension StandScreen {
    /// The last alerts, in at most `most` lines.
    func alerts(_ view: StandView, _ width: Int, _ most: Int) -> [StyledText] {
        let title = "Alerts " + Columns.grouped(view.count("lowStockAlerts"))
        let lines = view.alerts.suffix(most).map { entry($0, width) }
        return [rule(title, width)] + lines + Array(repeating: StyledText(), count: max(0, 2 - lines.count))
    }

    /// The last lines of the log, and a suggestion while nothing happens.
    func log(_ view: StandView, _ width: Int, _ rows: Int) -> [StyledText] {
        var lines = view.log.window(rows).map { entry($0, width) }
        // Only `run` can change the speed; in real time the first customer may take minutes.
        if view.quitQuestion != nil, view.speed <= 1, view.count("orders") == 0, lines.count < rows {
            lines.append(
                StyledText(" " + clip("No customer yet. Quit and add --speed 60 for a faster stand.", width - 2), .dim))
        }
        return lines + Array(repeating: StyledText(), count: rows - lines.count)
    }

    private func entry(_ entry: LiveLog.Entry, _ width: Int) -> StyledText {
        let clock = " \(SpanText.clock(entry.time))  "
        return StyledText(clock, .dim) + StyledText(clip(entry.text, max(1, width - clock.count)), entry.style)
    }

    /// The names to choose from; nil if there is nothing to choose.
    func list(_ view: StandView, _ width: Int) -> [StyledText]? {
        let (title, names, text): (String, [String], String)
        switch view.mode {
        case .ordering(let typed): (title, names, text) = ("Juices", view.drinks.map(\.name), typed)
        case .restocking(let typed): (title, names, text) = ("Fruits", view.shelves.map(\.name), typed)
        default: return nil
        }
        let keys =
            title == "Juices"
            ? view.drinks.map { [$0.name, $0.key] } : view.shelves.map { [$0.name, $0.key] }
        let chosen = view.choose(text, among: keys)?.index
        return [rule(title, width)]
            + names.enumerated().map { index, name in
                let row = "\(index + 1)".right(4) + "  " + clip(name, width - 8)
                return index == chosen ? StyledText(row, .reverse) : StyledText(row)
            }
    }

    /// The help: keys and signs.
    func help(_ view: StandView, _ width: Int) -> [StyledText] {
        let keys = [
            ("p, space", "freezes or unfreezes the display; the stand continues"),
            ("/", "shows only log lines that contain a text; Esc shows all"),
            ("o", "orders juice: a name or a number, then the cups"),
            ("r", "adds fruit to the stock: a name or a number, then the pieces"),
            ("+, -", "doubles or halves the arrival rate"), ("s", "pauses the stand, or lets it go on"),
            ("PgUp, PgDn", "scroll the log, as the arrow keys do; G goes to its end"),
            ("[, ], n", "go back and forward by an event, and to now"),
            ("Ctrl-L", "redraws the screen"),
            ("?", "this text"),
            ("q", view.quitQuestion == nil ? "ends the display; the stand continues" : "closes the stand"),
        ]
        var lines =
            [rule("Keys", width)]
            + keys.map { StyledText("  " + $0.left(12), .bold) + StyledText(clip($1, width - 15)) }
        lines.append(rule("Screen", width))
        let words = [
            "Bars show levels; full is the shelf's capacity or the restocking target.",
            "\(glyphs.low) marks low stock, \(glyphs.reorder) the reorder point, + what is on order.",
            "Counts are those of /metrics and the ledger at the event named above.",
            "Waits are of the orders served since this display opened.",
        ]
        lines += words.map { StyledText("  " + clip($0, width - 4)) }
        if let link = view.link {
            lines.append(rule("Page", width))
            lines += pieces(of: link, max(8, width - 4)).map { StyledText("  " + $0) }
        }
        return lines
    }

    /// A link in as few lines of `columns` columns as possible. In a link that is too long, the token is kept on one line,
    /// because the page also accepts the token alone.
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
