import JuiceStand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lines at the top of a terminal, written again only where they changed.
///
/// Every line is addressed by its row, and a terminal that has changed its size is drawn anew. The cursor stays visible below the lines,
/// so that a terminal is as it should be however the program ends.
package struct TerminalScreen {
    /// Columns and rows.
    package struct Size: Equatable {
        package var columns = 80
        package var rows = 24
    }

    private let sink: any LineSink
    /// Stands above the lines, as long as it may be.
    private let header: String
    private var shown: [String] = []
    private var size = Size()

    init(_ sink: any LineSink, header: String = "") {
        self.sink = sink
        self.header = header
    }

    /// Whether a descriptor is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The size of a terminal; 80 by 24 where it does not say.
    package static func size(_ descriptor: Int32) -> Size {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1, size.ws_row > 1 else {
            return Size()
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Shows `lines` as far as there is room, writing those that differ from what is there.
    mutating func show(_ lines: [String], size newSize: Size) {
        let top = (header.count + newSize.columns - 1) / newSize.columns
        let clipped = lines.prefix(max(0, newSize.rows - 1 - top)).map { String($0.prefix(newSize.columns - 1)) }
        var output = ""
        if shown.isEmpty || newSize != size {
            // The terminal itself wraps what is too long, so that a link stays one.
            output += "\u{1b}[2J\u{1b}[1;1H\(header)"
            shown = []
            size = newSize
        }
        for (row, line) in clipped.enumerated() where row >= shown.count || shown[row] != line {
            output += "\u{1b}[\(top + row + 1);1H\(line)\u{1b}[K"
        }
        guard !output.isEmpty else { return }
        shown = clipped
        sink.write(output + "\u{1b}[\(top + clipped.count + 1);1H")
    }
}
