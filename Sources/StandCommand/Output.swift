import JuiceStand

/// Standard output and standard error of a command, every write checked.
struct Output {
    private let results = FileLineSink(descriptor: 1, name: "standard output")
    private let diagnostics = FileLineSink(descriptor: 2, name: "standard error")

    /// Results; nothing else goes to standard output.
    func print(_ text: String) {
        results.write(text)
    }

    /// A diagnostic line.
    func warn(_ message: String) {
        diagnostics.write("juicestand: \(message)\n")
    }

    /// Diagnostic text as it stands.
    func explain(_ text: String) {
        diagnostics.write(text)
    }

    /// - Throws: where results did not arrive.
    func check() throws(CommandFailure) {
        if let failure = results.failure {
            throw CommandFailure(.inputOutput, "\(failure.path): \(failure.reason)")
        }
    }
}
