/// The processors this process can use.
package enum Processors {
    /// The number of processors this process may run on, at least 1. A batch system or container may allow fewer than
    /// the machine has.
    package static var available: Int {
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
