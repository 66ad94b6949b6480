/// The resources that this process uses.
package struct ProcessFigures {
    package var cpuSeconds: Double
    package var residentBytes: Int
    package var openDescriptors: Int
    package var mostDescriptors: UInt64

    /// The current figures; nil if the system has no `/proc`.
    package static var current: ProcessFigures? {
        guard let memory = try? readFile("/proc/self/statm"), let open = try? Folder.names(in: "/proc/self/fd") else {
            return nil
        }
        let pages = memory.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        var usage = rusage()
        #if canImport(Glibc)
            unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
            unsafe getrusage(RUSAGE_SELF, &usage)
        #endif
        return ProcessFigures(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            residentBytes: (pages ?? 0) * Int(getpagesize()),
            // One descriptor is that of the folder itself.
            openDescriptors: open.count - 1,
            mostDescriptors: descriptorLimit().map { UInt64($0.rlim_cur) } ?? 0)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
