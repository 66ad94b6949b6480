import Platform

/// The threads and open files that a command needs besides its own.
enum ThreadReserve {
    /// Queues, signals, requests and the log may all need a thread at once.
    private static let threads = 12
    /// A pipe for signals, the timers and events of Dispatch, and a file.
    private static let files = 6

    /// Checks that a command can have its threads and files. Without threads Dispatch would wait, and the command would
    /// hang.
    ///
    /// - Throws: ``CommandFailure`` if the system refuses them now, or the memory for the stacks of the threads.
    static func check() throws(CommandFailure) {
        guard canStartThreads(threads) else {
            throw CommandFailure(
                .inputOutput,
                "the system refuses \(threads) threads; raise the limit of processes or memory (see ulimit -u and -v)")
        }
        guard canOpenFiles() else {
            throw CommandFailure(
                .inputOutput, "the system refuses \(files) open files; raise the limit of open files (see ulimit -n)")
        }
    }

    private static func canOpenFiles() -> Bool {
        var opened: [Int32] = []
        defer {
            for descriptor in opened { close(descriptor) }
        }
        for _ in 0..<files {
            let descriptor = dup(2)
            // Standard error may be closed.
            guard descriptor >= 0 else { return errno != EMFILE }
            opened.append(descriptor)
        }
        return true
    }
}
