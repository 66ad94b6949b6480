import JuiceStand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A few lines on a terminal that are redrawn where they stand, and only where they changed.
struct TerminalScreen {
    private let sink: any LineSink
    private var shown: [String] = []

    init(_ sink: any LineSink) {
        self.sink = sink
        // Without a cursor that would wander about.
        sink.write("\u{1b}[?25l")
    }

    /// Whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal; 80 where it does not say.
    static func width(_ descriptor: Int32) -> Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Shows `lines`, writing those that differ from what is there.
    mutating func show(_ lines: [String], width: Int) {
        var output = shown.isEmpty ? "" : "\u{1b}[\(shown.count)A"
        let clipped = lines.map { String($0.prefix(max(1, width - 1))) }
        for (index, line) in clipped.enumerated() {
            // Down without writing where nothing changed; the first time there is no line to go down to.
            if index < shown.count, shown[index] == line {
                output += "\u{1b}[1B"
            } else {
                output += "\r\(line)\u{1b}[K\n"
            }
        }
        if clipped == shown { return }
        shown = clipped
        sink.write(output + "\r")
    }

    /// Leaves the last lines where they are and gives the cursor back.
    func end() {
        sink.write("\u{1b}[?25h")
    }
}
