import JuiceStand
import TextFormats

/// Standard output and standard error of a command. Every write is checked.
struct Output {
    private let results = FileLineSink(descriptor: 1, name: "standard output")
    private let diagnostics = FileLineSink(descriptor: 2, name: "standard error")

    /// Prints results. Nothing else goes to standard output.
    func print(_ text: String) {
        results.write(text)
    }

    /// Prints a diagnostic line.
    func warn(_ message: String) {
        warn(located: "juicestand: \(message)")
    }

    /// Prints a diagnostic that begins with its place, such as `stand.json:14:30`. Control characters are escaped, so it stays one line.
    func warn(located message: String) {
        diagnostics.write(message.visible + "\n")
    }

    /// Prints diagnostic text unchanged.
    func printDiagnostics(_ text: String) {
        diagnostics.write(text)
    }

    /// From now on, waits only a moment for readers that don't read.
    func stopWaiting() {
        results.end()
        diagnostics.end()
    }

    /// - Throws: ``CommandFailure`` if a write failed. A closed pipe is not an error: its reader is done.
    func check() throws(CommandFailure) {
        if let failure = results.failure, !failure.isReaderGone {
            throw CommandFailure(.inputOutput, "\(failure.path): \(failure.reason)")
        }
    }
}
