import JuiceStand

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
        let line = message.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        diagnostics.write(line.joined() + "\n")
    }

    /// Prints diagnostic text unchanged.
    func printDiagnostics(_ text: String) {
        diagnostics.write(text)
    }

    /// - Throws: ``CommandFailure`` if a write failed. A closed pipe is not an error: its reader is done.
    func check() throws(CommandFailure) {
        if let failure = results.failure, !failure.isReaderGone {
            throw CommandFailure(.inputOutput, "\(failure.path): \(failure.reason)")
        }
    }
}
