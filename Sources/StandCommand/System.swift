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

/// The processors this process can use.
enum Processors {
    /// The number of processors this process may run on, at least 1. A batch system or container may allow fewer than the machine has.
    static var available: Int {
        // `sched_getaffinity` is not visible to Swift. This file has the same mask, as a line `Cpus_allowed: ff`.
        do {
            let status = String(decoding: try readFile("/proc/self/status"), as: UTF8.self)
            let mask = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }?.split(separator: "\t")
                .last
            let count = mask?.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount } ?? 0
            if count > 0 { return count }
        } catch {
            // Only Linux has this file.
        }
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
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
