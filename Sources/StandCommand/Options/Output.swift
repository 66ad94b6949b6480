import JuiceStand
import Platform
import Reports
import TerminalView
import TextFormats

/// Standard output and standard error of a command. Every write is checked.
struct Output: Sendable {
    private let results = FileLineSink(descriptor: 1, name: "standard output")
    private let diagnostics = FileLineSink(descriptor: 2, name: "standard error")

    /// Prints results, with hidden characters escaped. Nothing else goes to standard output.
    func print(_ text: String) {
        results.write(text.visibleLines)
    }

    /// Prints a report for the size of the terminal; for 24 lines of 80 columns if standard output is no terminal.
    ///
    /// - Parameter width: The width in columns; nil for that of the terminal.
    func print(_ report: Report, width: Int? = nil, isVerbose: Bool) {
        let size = isatty(1) == 1 ? TerminalScreen.size(1) : TerminalScreen.Size()
        print(report.text(width: width ?? max(40, size.columns), height: max(12, size.rows), isVerbose: isVerbose))
    }

    /// Prints text for people. If it is higher than the terminal, the pager of `PAGER` shows it, or else `less`.
    func page(_ text: String) {
        let rows = TerminalScreen.size(1).rows
        guard isatty(1) == 1, text.count(where: { $0 == "\n" }) >= rows else { return print(text) }
        let given = environmentVariable("PAGER") ?? ""
        let pager = given.isEmpty ? "if command -v less >/dev/null; then less; else cat; fi" : given
        // As other programs start it: `less` ends by itself if one screen is enough.
        if environmentVariable("LESS") == nil { unsafe setenv("LESS", "FRX", 1) }
        guard let pipe = unsafe popen(pager, "w") else { return print(text) }
        unsafe fputs(text.visibleLines, pipe)
        // Status 127: the shell has not found the pager.
        if unsafe pclose(pipe) == 127 << 8 { print(text) }
    }

    /// Prints text with escape sequences for colours.
    func printColored(_ text: String) {
        results.write(text)
    }

    /// Prints a diagnostic line.
    func warn(_ message: String) {
        warn(TextProblem(place: Place(source: ""), message: message))
    }

    /// Prints a problem on one line, with control characters escaped.
    ///
    /// The line begins with file, line and column, as editors expect. A problem without a line begins with the
    /// program's name.
    func warn(_ problem: TextProblem) {
        diagnostics.write((problem.place.line > 0 ? "" : "juicestand: ") + problem.description.visible + "\n")
    }

    /// Prints diagnostic text unchanged.
    func printDiagnostics(_ text: String) {
        diagnostics.write(text)
    }

    /// From now on, gives up writing to a stalled reader after a timeout.
    ///
    /// - Parameter silence: The timeout in milliseconds.
    func stopWaiting(after silence: Int = FileLineSink.silence) {
        results.end(after: silence)
        diagnostics.end(after: silence)
    }

    /// - Throws: ``CommandFailure`` if a write failed. A closed pipe is not an error: its reader is done.
    func check() throws(CommandFailure) {
        if let failure = results.failure, !failure.isReaderGone {
            throw CommandFailure(.inputOutput, failure)
        }
    }
}
