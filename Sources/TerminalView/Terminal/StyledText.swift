import TextFormats

/// The style of a piece of text on a terminal.
package enum TextStyle: Equatable, Sendable {
    case plain
    case bold
    case dim
    case good
    case warning
    case bad
    case accent
    case reverse
    /// The address of the stand's page.
    case link
    /// Text on the colour of a fruit, by its number in the palette of 256 colours.
    case face(Int, isDark: Bool)

    /// Its Select Graphic Rendition sequence of ECMA-48.
    package var code: String {
        switch self {
        case .plain: "\u{1b}[m"
        case .bold: "\u{1b}[0;1m"
        case .dim: "\u{1b}[0;2m"
        case .good: "\u{1b}[0;32m"
        case .warning: "\u{1b}[0;33m"
        case .bad: "\u{1b}[0;31m"
        case .accent: "\u{1b}[0;36m"
        case .reverse: "\u{1b}[0;7m"
        case .link: "\u{1b}[0;4m"
        case .face(let colour, let isDark): "\u{1b}[0;\(isDark ? "97" : "30");48;5;\(colour)m"
        }
    }

    /// The style in its place on a terminal without colour.
    var colorless: TextStyle {
        switch self {
        case .plain, .good, .face: .plain
        case .bold, .warning, .bad, .accent: .bold
        case .dim: .dim
        case .reverse: .reverse
        case .link: .link
        }
    }
}

/// One line of a screen: pieces of text, each with its style.
package struct StyledText: Equatable, Sendable {
    package struct Piece: Equatable, Sendable {
        package var text: String
        package var style: TextStyle
    }

    package private(set) var pieces: [Piece] = []

    package init(_ text: String = "", _ style: TextStyle = .plain) { append(text, style) }

    package mutating func append(_ text: String, _ style: TextStyle = .plain) {
        guard !text.isEmpty else { return }
        if pieces.last?.style == style {
            pieces[pieces.count - 1].text += text
        } else {
            pieces.append(Piece(text: text, style: style))
        }
    }

    mutating func append(_ other: StyledText) { for piece in other.pieces { append(piece.text, piece.style) } }

    /// The text without styles.
    package var text: String { pieces.map(\.text).joined() }

    var columns: Int { pieces.reduce(0) { $0 + TextWidth.columns(of: $1.text) } }

    /// Its first `columns` columns; a line that is cut ends in `mark`.
    func clipped(to columns: Int, mark: Character) -> StyledText {
        guard self.columns > columns else { return self }
        var clipped = StyledText()
        for piece in pieces {
            let room = columns - clipped.columns
            // The mark also stands for the pieces behind.
            let isLast = TextWidth.columns(of: piece.text) >= room
            clipped.append(isLast ? (piece.text + "  ").clipped(to: room, mark: mark) : piece.text, piece.style)
            if isLast { break }
        }
        return clipped
    }

    static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum.append(right)
        return sum
    }
}

extension String {
    /// Its first `columns` columns; a line that is cut ends in `mark`.
    package func clipped(to columns: Int, mark: Character = "…") -> String {
        guard TextWidth.columns(of: self) > columns else { return self }
        var clipped = ""
        var width = 0
        for character in self {
            width += TextWidth.columns(of: character)
            if width > columns - 1 { break }
            clipped.append(character)
        }
        return columns > 0 ? clipped + String(mark) : ""
    }

    /// Padded with blanks on the right, or clipped, to `columns` columns.
    func left(_ columns: Int, mark: Character = "…") -> String {
        let clipped = clipped(to: columns, mark: mark)
        return clipped + String(repeating: " ", count: max(0, columns - TextWidth.columns(of: clipped)))
    }
}
