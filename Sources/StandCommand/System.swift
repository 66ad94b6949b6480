import JuiceStand
import Platform

/// The variables of the environment among `names`.
func environment(_ names: [String]) -> [String: String] {
    var found: [String: String] = [:]
    for name in names {
        if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
}

/// The machine's processors.
enum Processors {
    /// Those this process may run on, at least 1; a batch system or a container may allow it fewer than there are.
    static var available: Int {
        // `sched_getaffinity` is not visible to Swift: the system tells the same as a line `Cpus_allowed: ff`.
        do {
            let status = String(decoding: try readFile("/proc/self/status"), as: UTF8.self)
            let mask = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }?.split(separator: "\t")
                .last
            let count = mask?.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount } ?? 0
            if count > 0 { return count }
        } catch {
            // Not every system has such a file.
        }
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
