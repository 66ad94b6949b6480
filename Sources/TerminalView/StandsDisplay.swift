import StandClient
import Terms
import TextFormats

/// The table of many stands on a terminal, without the terminal: takes news and keys, gives bytes.
package struct StandsDisplay: Sendable {
    package private(set) var table = StandTable()
    private var alerts = ScrolledLines()
    private let words: Words
    /// Only stands whose name has this text are shown.
    private var filter = ""
    private var isTyping = false
    /// The selected stand; nil is that of the first row.
    private var chosen: StandTarget?
    /// Said in the last line until a key is pressed.
    private var notice: String?
    private let layout: StandScreen
    private var glyphs: Glyphs { layout.glyphs }
    private var screen: TerminalScreen
    private var pacing = FramePacing()
    private var size = TerminalScreen.Size()
    /// Whether the next frame answers a key or a new size.
    private var isUrgent = true

    package init(words: Words, _ glyphs: Glyphs, hasColor: Bool) {
        self.words = glyphs.isASCII ? .english : words
        layout = StandScreen(glyphs: glyphs)
        screen = TerminalScreen(hasColor: hasColor)
    }

    package mutating func take(_ table: StandTable, _ new: [StandTable.Alert]) {
        if let problem = table.problem, problem != self.table.problem {
            notice = words.detail(problem, or: .badList)
        }
        self.table = table
        let sentence = EventSentence(names: [:], words: words)
        alerts.append(
            new.map { alert in
                let line = sentence(alert.event)
                let text = "\(alert.stand.visible)  \(alert.clock)  \(line.text)"
                return LogLine(time: line.time, text: text, style: line.style)
            })
    }

    package mutating func invalidate() {
        screen.invalidate()
        isUrgent = true
    }

    package mutating func say(_ notice: String) { self.notice = notice }

    /// The bytes that bring the terminal up to date; empty if it is not time yet or nothing has changed.
    package mutating func frame(at now: Double, size newSize: TerminalScreen.Size) -> String {
        if newSize != size { isUrgent = true }
        size = newSize
        guard pacing.allows(at: now, isUrgent: isUrgent) else { return "" }
        isUrgent = false
        let bytes = screen.bytes(showing: lines(size), scrolling: 0..<0, size: size)
        if !bytes.isEmpty { pacing.drew(bytes.utf8.count, at: now) }
        return bytes
    }

    /// The stands that are shown, the most urgent first, and the index of the selected one.
    private var shown: (rows: [StandTable.Row], selected: Int) {
        let rows = table.rows(named: filter)
        return (rows, rows.firstIndex { $0.target == chosen } ?? 0)
    }

    /// The rows of the table and of the alerts below it.
    private func rows(_ size: TerminalScreen.Size) -> (table: Int, alerts: Int) {
        let alerts = size.rows < 12 ? 0 : max(2, size.rows / 4)
        // Besides: header, titles, the rule above the alerts, and the keys.
        return (max(1, size.rows - 3 - (alerts > 0 ? alerts + 1 : 0)), alerts)
    }
}

// MARK: - Keys

extension StandsDisplay {
    /// A request that a key makes.
    package enum Wish: Equatable {
        /// Opens a stand, at first with its known status.
        case open(StandTarget, StatusDocument)
        case quit
    }

    package mutating func press(_ key: Key) -> Wish? {
        isUrgent = true
        if key == .control("l") { screen.invalidate() }
        notice = nil
        if isTyping {
            type(key)
            return nil
        }
        let page = rows(size).table
        switch key {
        case .up, .wheel(true, _): move(by: -1)
        case .down, .wheel(false, _): move(by: 1)
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .home, .character("g"): move(by: -table.count)
        case .end, .character("G"): move(by: table.count)
        case .character("/"): isTyping = true
        case .escape: filter = ""
        case .enter: return open()
        case .character("q"): return .quit
        default: break
        }
        return nil
    }

    /// Opens the chosen stand, if it answers.
    private mutating func open() -> Wish? {
        let (rows, selected) = shown
        guard rows.indices.contains(selected) else { return nil }
        guard let status = rows[selected].status, !rows[selected].isAway else {
            notice = words(.noAnswer)
            return nil
        }
        chosen = rows[selected].target
        return .open(rows[selected].target, status)
    }

    private mutating func type(_ key: Key) {
        switch key {
        case .character(let character): filter.append(character)
        case .backspace: filter = String(filter.dropLast())
        case .enter: isTyping = false
        case .escape:
            isTyping = false
            filter = ""
        default: break
        }
    }

    private mutating func move(by count: Int) {
        let (rows, selected) = shown
        guard !rows.isEmpty else { return }
        chosen = rows[max(0, min(selected + count, rows.count - 1))].target
    }
}

// MARK: - Layout

extension StandsDisplay {
    /// The current lines of the screen.
    package func lines(_ size: TerminalScreen.Size) -> [StyledText] {
        let width = size.columns
        let room = rows(size)
        let (shown, selected) = shown
        let top = max(0, min(selected - room.table / 2, shown.count - room.table))
        let columns = columns(width)
        var lines = [header(shown.count, width), titles(columns, width)]
        for (index, row) in shown.enumerated().dropFirst(top).prefix(room.table) {
            lines.append(line(row, columns, width, isChosen: index == selected))
        }
        if shown.isEmpty { lines.append(StyledText(" " + words(.noStand), .dim)) }
        lines += Array(repeating: StyledText(), count: max(0, 2 + room.table - lines.count))
        if room.alerts > 0 {
            let title = words(.alertsCounted, Columns.grouped(table.alertCount))
            lines.append(layout.rule(title, width))
            let alerts = self.alerts.window(room.alerts).map { StyledText(" " + $0.text, $0.style) }
            lines += alerts + Array(repeating: StyledText(), count: room.alerts - alerts.count)
        }
        lines.append(footer(width))
        return lines.map { line in
            var whole = StyledText()
            for piece in line.pieces { whole.append(glyphs.showable(piece.text), piece.style) }
            return whole.clipped(to: width, mark: glyphs.cut)
        }
    }

    private func header(_ shown: Int, _ width: Int) -> StyledText {
        var line = StyledText(" " + words.counted(table.count, .stands), .bold)
        if table.awayCount > 0 { line.append("  " + words.counted(table.awayCount, .standsAway), .bad) }
        if !filter.isEmpty, !isTyping {
            line.append("  " + words(.namedLike, filter.visible, Columns.grouped(shown)), .accent)
        }
        return line
    }

    private func footer(_ width: Int) -> StyledText {
        if isTyping {
            return StyledText(" " + words(.nameLabel) + " ", .bold) + StyledText(filter.visible)
                + StyledText(" ", .reverse) + StyledText(" " + words(.linesWithHint), .dim)
        }
        if let notice = notice { return StyledText(" " + notice.visible, .accent) }
        var keys: [(String, Phrase)] = [
            ("↑ ↓", .keyChoose), ("Enter", .keyOpen), ("/", .keyFilter), ("q", .keyQuit),
        ]
        if !filter.isEmpty { keys.insert(("Esc", .keyBack), at: 0) }
        // Keys that do not fit are cut.
        return layout.keys(keys, words, .max)
    }

    /// A column of figures: its title, its width, and what it shows of a stand.
    private struct Column {
        let title: Phrase
        let width: Int
        let text: (StandTable.Row, Words) -> (String, TextStyle)
    }

    /// The columns that there is room for beside the name, from left to right.
    private func columns(_ width: Int) -> [Column] {
        let times = glyphs.times
        let all = [
            Column(title: .columnTime, width: 11) { row, words in
                if row.isAway { return (words(.away), .bad) }
                return row.status?.phase == "paused" ? (words(.paused), .warning) : (row.clock, .plain)
            },
            Column(title: .columnSpeed, width: 8) { row, _ in
                (times + Columns.factor(row.speed), row.isBehind ? .bad : .plain)
            },
            Column(title: .columnOrders, width: 7) { row, _ in
                (row.ordersPerMinute.map { Columns.fixed($0, decimals: $0 < 9.95 ? 1 : 0) } ?? "", .plain)
            },
            Column(title: .line, width: 6) { row, _ in (Columns.grouped(row.status?.queue ?? 0), .plain) },
            Column(title: .wait, width: 8) { row, words in (row.status?.waits.p50.map { words.span($0) } ?? "", .plain)
            },
            Column(title: .columnShort, width: 17) { row, words in
                guard let short = row.short else { return ("", .plain) }
                let when = short.after.map { words.span($0) } ?? Columns.grouped(short.level)
                return (
                    words.name(short.fruit).visible.clipped(to: 10) + " " + (short.level == 0 ? words(.out) : when),
                    short.level == 0 ? .bad : .warning
                )
            },
            Column(title: .columnAlerts, width: 7) { row, _ in
                (Columns.grouped(row.status?.lowStockAlerts ?? 0), .plain)
            },
            Column(title: .lost, width: 6) { row, _ in
                (Columns.fixed(row.lost, decimals: row.lost < 9.95 ? 1 : 0) + "%", row.lost >= 10 ? .warning : .plain)
            },
        ]
        // On a narrow screen, the columns that matter most for attention stay.
        var left = width - 11
        var chosen: Set<Int> = []
        for index in [0, 7, 3, 5, 6, 4, 1, 2] where all[index].width <= left {
            left -= all[index].width
            chosen.insert(index)
        }
        return all.indices.filter { chosen.contains($0) }.map { all[$0] }
    }

    private func nameWidth(_ columns: [Column], _ width: Int) -> Int { width - 1 - columns.reduce(0) { $0 + $1.width } }

    private func titles(_ columns: [Column], _ width: Int) -> StyledText {
        let names = columns.map { Columns.right(words($0.title).clipped(to: $0.width - 1), $0.width) }.joined()
        return StyledText(" " + words(.columnStand).left(nameWidth(columns, width)) + names, .dim)
    }

    private func line(_ row: StandTable.Row, _ columns: [Column], _ width: Int, isChosen: Bool) -> StyledText {
        let name = " " + row.name.visible.left(nameWidth(columns, width), mark: glyphs.cut)
        var line = StyledText(name, isChosen ? .reverse : .bold)
        for column in columns {
            let isKnown = row.status != nil && !row.isAway || column.title == .columnTime
            let (text, style) = isKnown ? column.text(row, words) : ("", .plain)
            let cell = Columns.right(text.clipped(to: column.width - 1), column.width)
            line.append(cell, isChosen ? .reverse : style)
        }
        return line
    }
}
