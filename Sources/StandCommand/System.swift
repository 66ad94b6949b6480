import JuiceStand
import Platform

/// The environment variables in `names` that are set.
func environment(_ names: [String]) -> [String: String] {
    var found: [String: String] = [:]
    for name in names {
        if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
}

/// The threads that a command needs besides its own.
enum ThreadReserve {
    /// Queues, signals, requests and the log may all need a thread at once.
    private static let threads = 12

    /// Checks that a command can have its threads. Without them Dispatch would wait, and the command would hang.
    ///
    /// - Throws: ``CommandFailure`` if the system refuses them now, or the memory for their stacks.
    static func check() throws(CommandFailure) {
        guard canStartThreads(threads) else {
            throw CommandFailure(
                .inputOutput,
                "the system refuses \(threads) threads; raise the limit of processes or memory (see ulimit -u and -v)")
        }
    }
}
