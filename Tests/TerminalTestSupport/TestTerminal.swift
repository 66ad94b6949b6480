import JuiceStand
import TerminalView
import TextFormats

/// A simple terminal emulator: takes bytes, holds cells.
///
/// It knows only the sequences that the display writes. Others are collected in ``unknown``.
package struct TestTerminal {
    /// One column of a row; the second column of a wide character has an empty text.
    package struct Cell: Equatable {
        package var text = " "
        package var style = "\u{1b}[m"

        package init(text: String = " ", style: String = "\u{1b}[m") {
            self.text = text
            self.style = style
        }
    }

    package let size: TerminalScreen.Size
    package private(set) var rows: [[Cell]]
    package private(set) var unknown: [String] = []
    private var row = 0
    private var column = 0
    private var style = "\u{1b}[m"
    private var margins: Range<Int>

    package init(_ size: TerminalScreen.Size) {
        self.size = size
        rows = Array(repeating: Array(repeating: Cell(), count: size.columns), count: size.rows)
        margins = 0..<size.rows
    }

    /// The rows as text, without blanks at their ends.
    package var text: [String] {
        rows.map { row in
            let text = row.map(\.text).joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    package mutating func take(_ bytes: String) {
        var rest = Substring(bytes)
        while let character = rest.popFirst() {
            guard character == "\u{1b}" else {
                put(character)
                continue
            }
            let sequence = rest.prefix { !$0.isLetter }
            rest = rest.dropFirst(sequence.count)
            guard let final = rest.popFirst() else { return unknown.append(String(sequence)) }
            obey(sequence.dropFirst(), final)
        }
    }

    private mutating func put(_ character: Character) {
        let columns = TextWidth.columns(of: String(character))
        guard row < size.rows, column + columns <= size.columns else {
            return unknown.append("past the end: \(character)")
        }
        rows[row][column] = Cell(text: String(character), style: style)
        if columns == 2 { rows[row][column + 1] = Cell(text: "", style: style) }
        column += columns
    }

    private mutating func obey(_ parameters: Substring, _ final: Character) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        let blank = Array(repeating: Cell(), count: size.columns)
        switch final {
        case "H":
            row = numbers[0] - 1
            column = numbers[1] - 1
        case "C": column += numbers[0]
        case "K":
            for place in min(column, size.columns)..<size.columns where row < size.rows { rows[row][place] = Cell() }
        case "J": rows = Array(repeating: blank, count: size.rows)
        case "m": style = "\u{1b}[" + parameters + "m"
        case "r":
            margins = numbers.isEmpty ? 0..<size.rows : (numbers[0] - 1)..<numbers[1]
            if margins.upperBound > size.rows { margins = 0..<size.rows }
            row = 0
            column = 0
        case "S":
            let count = min(numbers[0], margins.count)
            rows.replaceSubrange(
                margins, with: rows[margins].dropFirst(count) + Array(repeating: blank, count: count))
        case "h", "l": if !parameters.hasPrefix("?") { unknown.append(String(parameters) + String(final)) }
        default: unknown.append(String(parameters) + String(final))
        }
    }
}
