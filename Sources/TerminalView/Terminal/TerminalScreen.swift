import Platform
import TextFormats

/// The cells of a terminal, so that only changes are written.
///
/// It makes bytes and writes none. They are sequences of ECMA-48, the alternate screen (mode 1049), the mouse (modes
/// 1000 and 1006) and synchronized output (mode 2026), which terminals without it ignore.
package struct TerminalScreen: Sendable {
    /// A size in columns and rows.
    package struct Size: Equatable, Sendable {
        package var columns = 80
        package var rows = 24

        package init(columns: Int = 80, rows: Int = 24) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// One column of a row. A wide character takes two cells; the second is empty.
    private struct Cell: Equatable {
        var character: Character?
        var style: TextStyle

        static let blank = Cell(character: " ", style: .plain)
    }

    /// Switches to the alternate screen and asks for the mouse wheel; ``leave`` restores the former state.
    package static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?1000h\u{1b}[?1006h\u{1b}[m\u{1b}[2J"
    package static let leave =
        "\u{1b}[?2026l\u{1b}[?1006l\u{1b}[?1000l\u{1b}[r\u{1b}[m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    private var rows: [[Cell]] = []
    private var size = Size(columns: 0, rows: 0)

    private let hasColor: Bool
    private let link: String?

    /// - Parameters:
    ///   - hasColor: Whether colours are shown; bold, dim, underlined and reverse text always are.
    ///   - link: The target of text in the style ``TextStyle/link``; nil for a terminal without links.
    package init(hasColor: Bool = true, link: String? = nil) {
        self.hasColor = hasColor
        self.link = link
    }

    /// Forgets the terminal's content, so that the next frame writes everything.
    package mutating func invalidate() { size = Size(columns: 0, rows: 0) }

    /// The bytes that make the terminal show `lines` from its first row on; empty if it shows them already.
    ///
    /// - Parameter scrolling: Rows that scroll up as lines are added below.
    /// - Complexity: O(*n*) for *n* cells
    package mutating func bytes(showing lines: [StyledText], scrolling: Range<Int>, size newSize: Size) -> String {
        var writer = Writer(link: link)
        if newSize != size {
            size = newSize
            rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
            writer.text += "\u{1b}[m\u{1b}[2J"
        }
        let wanted = (0..<size.rows).map { cells($0 < lines.count ? lines[$0] : StyledText()) }
        scroll(scrolling.clamped(to: 0..<size.rows), to: wanted, &writer)
        for row in 0..<size.rows where rows[row] != wanted[row] { update(row, to: wanted[row], &writer) }
        writer.style(.plain)
        rows = wanted
        return writer.text.isEmpty ? "" : "\u{1b}[?2026h" + writer.text + "\u{1b}[?2026l"
    }

    private func cells(_ line: StyledText) -> [Cell] {
        var cells: [Cell] = []
        cells.reserveCapacity(size.columns)
        filling: for piece in line.pieces {
            let style = hasColor ? piece.style : piece.style.colorless
            for character in piece.text {
                let columns = TextWidth.columns(of: character)
                if cells.count + columns > size.columns { break filling }
                if columns > 0 { cells.append(Cell(character: character, style: style)) }
                if columns > 1 { cells.append(Cell(character: nil, style: style)) }
            }
        }
        return cells + Array(repeating: .blank, count: size.columns - cells.count)
    }

    /// Scrolls rows if that leaves less to write.
    private mutating func scroll(_ range: Range<Int>, to wanted: [[Cell]], _ writer: inout Writer) {
        func rowsThatFit(_ count: Int) -> Int {
            range.dropLast(count).count { rows[$0 + count] == wanted[$0] && wanted[$0] != rows[$0] }
        }
        guard range.count > 1, let count = (1..<range.count).max(by: { rowsThatFit($0) < rowsThatFit($1) }),
            rowsThatFit(count) > 0
        else { return }
        writer.style(.plain)
        writer.text += "\u{1b}[\(range.lowerBound + 1);\(range.upperBound)r\u{1b}[\(count)S\u{1b}[r"
        let blank = Array(repeating: Cell.blank, count: size.columns)
        rows.replaceSubrange(range, with: rows[range].dropFirst(count) + Array(repeating: blank, count: count))
    }

    private func update(_ row: Int, to wanted: [Cell], _ writer: inout Writer) {
        let shown = rows[row]
        let end = (wanted.lastIndex { $0 != .blank } ?? -1) + 1
        var column = 0
        var cursor: Int?
        while column < size.columns {
            guard shown[column] != wanted[column] else {
                column += 1
                continue
            }
            // A blank end of a row is erased.
            if column >= end, size.columns - column > 3 {
                writer.move(row, column, from: cursor)
                writer.style(.plain)
                writer.text += "\u{1b}[K"
                return
            }
            // Writing never starts in the middle of a wide character of either line.
            while column > 0, wanted[column].character == nil || shown[column].character == nil { column -= 1 }
            if let cursor, cursor <= column, column - cursor <= 4 {
                // Shorter than a cursor movement.
                for between in cursor..<column { writer.write(wanted[between].character, wanted[between].style) }
            } else {
                writer.move(row, column, from: cursor)
            }
            repeat {
                writer.write(wanted[column].character, wanted[column].style)
                column += 1
            } while column < size.columns
                && (shown[column] != wanted[column] || wanted[column].character == nil
                    || shown[column].character == nil)
                && !(column >= end && size.columns - column > 3)
            cursor = column
        }
    }

    /// The bytes for the terminal so far.
    private struct Writer {
        var text = ""
        var current = TextStyle.plain
        let link: String?

        /// Changes the style. Links are written as OSC 8; all cells with the same id are one link.
        mutating func style(_ style: TextStyle) {
            guard style != current else { return }
            if let link, current == .link || style == .link {
                text += style == .link ? "\u{1b}]8;id=page;\(link)\u{1b}\\" : "\u{1b}]8;;\u{1b}\\"
            }
            text += style.code
            current = style
        }

        mutating func write(_ character: Character?, _ style: TextStyle) {
            guard let character else { return }
            self.style(style)
            text.append(character)
        }

        mutating func move(_ row: Int, _ column: Int, from cursor: Int?) {
            if let cursor, cursor < column {
                text += "\u{1b}[\(column - cursor)C"
            } else if cursor != column {
                text += "\u{1b}[\(row + 1);\(column + 1)H"
            }
        }
    }
}

// MARK: - Size of the terminal

extension TerminalScreen {
    /// The size of a terminal; 80 by 24 if it does not tell.
    package static func size(_ descriptor: Int32) -> Size {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1, size.ws_row > 1 else {
            return Size()
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
