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
        point("juicestand: \(message)")
    }

    /// A diagnostic line that begins with a place; one line, whatever it quotes.
    func point(_ message: String) {
        let line = message.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        diagnostics.write(line.joined() + "\n")
    }

    /// Diagnostic text as it stands.
    func explain(_ text: String) {
        diagnostics.write(text)
    }

    /// - Throws: where results did not arrive, unless it was a pipe's reader who had seen enough.
    func check() throws(CommandFailure) {
        if let failure = results.failure, !failure.isReaderGone {
            throw CommandFailure(.inputOutput, "\(failure.path): \(failure.reason)")
        }
    }
}
