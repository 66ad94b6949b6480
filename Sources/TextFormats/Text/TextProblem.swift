/// A problem at one place of a text.
package struct TextProblem: Error, Equatable, Sendable {
    package var place: Place
    /// What was expected and what was found, without the place.
    package var message: String

    package init(place: Place, message: String) {
        self.place = place
        self.message = message
    }

    /// A problem of a whole file.
    package init(source: String, message: String) {
        self.init(place: Place(source: source), message: message)
    }
}

extension TextProblem: CustomStringConvertible {
    /// One line: `FILE:LINE:COLUMN: MESSAGE`, or the message alone without a source.
    package var description: String { place.source.isEmpty ? message : "\(place): \(message)" }
}

/// A place in a text.
package struct Place: Hashable, Sendable {
    /// The file's name or what replaces it, such as `--set makers=3`.
    package var source: String
    // A tree of JSON has two places for each member, so they are small.
    private var storedLine: UInt32
    private var storedColumn: UInt32

    package init(source: String, line: Int = 0, column: Int = 0) {
        self.source = source
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
    }

    /// Counted from 1; 0 if the source has no lines.
    package var line: Int {
        get { Int(storedLine) }
        set { storedLine = UInt32(clamping: newValue) }
    }

    /// Counted from 1 in Unicode scalars; without meaning if `line` is 0.
    package var column: Int {
        get { Int(storedColumn) }
        set { storedColumn = UInt32(clamping: newValue) }
    }
}

extension Place: CustomStringConvertible {
    /// `FILE:LINE:COLUMN`, or the source alone if there is no line.
    package var description: String {
        line == 0 ? source : "\(source):\(line):\(column)"
    }
}

// MARK: - Quoting

extension String {
    /// The number of scalars of a text that a message shows.
    static let mostQuoted = 40

    /// The text for a message: quoted, shortened, and with invisible characters written as `U+…`.
    package var inQuotes: String {
        var shown = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            if index == Self.mostQuoted {
                shown += "…"
                break
            }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                shown += "U+" + scalar.escaped.dropFirst(2).uppercased()
            case .spaceSeparator where scalar != " ": shown += "U+" + scalar.escaped.dropFirst(2).uppercased()
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown == "'" ? "\"'\"" : "'\(shown)'"
    }
}
