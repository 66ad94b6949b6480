/// The processors this process can use.
package enum Processors {
    /// The number of processors this process may run on, at least 1. A batch system or container may allow fewer than
    /// the machine has.
    package static var available: Int {
        // `sched_getaffinity` is not visible to Swift. This file has the same mask, as a line `Cpus_allowed: ff`.
        do {
            let lines = try readFile("/proc/self/status").split(separator: UInt8(ascii: "\n"))
            let name = "Cpus_allowed:"
            let mask = lines.first { $0.starts(with: name.utf8) }?.dropFirst(name.utf8.count) ?? []
            let count = mask.reduce(0) { count, digit in
                count + (Character(Unicode.Scalar(digit)).hexDigitValue ?? 0).nonzeroBitCount
            }
            if count > 0 { return count }
        } catch {
            // Only Linux has this file.
        }
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
