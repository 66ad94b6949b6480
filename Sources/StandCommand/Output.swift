import JuiceStand
import TextFormats

/// Standard output and standard error of a command. Every write is checked.
struct Output: Sendable {
    private let results = FileLineSink(descriptor: 1, name: "standard output")
    private let diagnostics = FileLineSink(descriptor: 2, name: "standard error")

    /// Prints results, with hidden characters escaped. Nothing else goes to standard output.
    func print(_ text: String) {
        results.write(text.visibleLines)
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

    /// From now on, waits only a moment for readers that don't read.
    ///
    /// - Parameter silence: The moment in milliseconds.
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
