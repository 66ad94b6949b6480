import JuiceStand
import Platform
import TextFormats

/// The machine on which the figures were measured.
package struct Machine: Sendable {
    package var system: String
    package var processor: String
    /// Processors that the program may use.
    package var processors: Int
    /// Runnable tasks on average over the last minute when measuring began; nil if the system does not tell.
    package var load: Double?
    /// Processors that other programs used while this one measured; nil if the system does not tell.
    package var busyElsewhere: Double?
    /// Whether the program was compiled for speed; figures of a debug build mean little.
    package var isOptimized: Bool

    package init() {
        var name = utsname()
        unsafe uname(&name)
        let words = unsafe [
            withUnsafeBytes(of: &name.sysname, Self.text), withUnsafeBytes(of: &name.release, Self.text),
            withUnsafeBytes(of: &name.machine, Self.text),
        ]
        system = words.joined(separator: " ")
        processors = Processors.available
        processor = Self.model() ?? words[2]
        var loads = [0.0]
        load = unsafe getloadavg(&loads, 1) == 1 ? loads[0] : nil
        isOptimized = !_isDebugAssertConfiguration()
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: unsafe Array(bytes).prefix { $0 != 0 }, as: UTF8.self)
    }

    package var message: String {
        var message = "\(processor), \(Columns.counted(processors, "processor")), \(system)"
        if let load { message = "\(message), load \(Columns.fixed(load, decimals: 1))" }
        if isUnderLoad, let busyElsewhere {
            message += "; other programs used \(Columns.fixed(busyElsewhere, decimals: 1)) processors: figures vary"
        }
        return isOptimized ? message : "\(message), debug build: figures of speed mean little"
    }

    /// Whether the load of other programs makes figures of speed unreliable.
    package var isUnderLoad: Bool { (busyElsewhere ?? 0) > 0.1 * Double(processors) }

    /// Processor time of the whole machine and of this program with its finished processes, to tell what others used.
    struct Usage {
        private let instant = ContinuousClock.now
        private let busy: Double?
        private let own: Double

        init() {
            var ended = rusage()
            // -1 is RUSAGE_CHILDREN, which has another type here.
            unsafe getrusage(-1, &ended)
            let times = [ended.ru_utime, ended.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
            own = processorTime() / .seconds(1) + times[0] + times[1]
            busy = Self.busy()
        }

        /// Processors that other programs used since `earlier`.
        func others(since earlier: Usage) -> Double? {
            guard let busy, let before = earlier.busy else { return nil }
            return max(0, busy - before - (own - earlier.own)) / ((instant - earlier.instant) / .seconds(1))
        }

        /// Seconds of processor time used on all processors since the system began; nil if it does not tell.
        private static func busy() -> Double? {
            let text: String
            do { text = String(decoding: try readFile("/proc/stat"), as: UTF8.self) } catch { return nil }
            // cpu user nice system idle iowait irq softirq …, in hundredths of a second.
            let ticks = text.prefix { $0 != "\n" }.split(separator: " ").compactMap { Double($0) }
            return ticks.count < 7 ? nil : (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / 100
        }
    }

    /// The processor's model name, from Linux; nil if it gives none.
    private static func model() -> String? {
        let text: String
        do { text = String(decoding: try readFile("/proc/cpuinfo"), as: UTF8.self) } catch { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line.flatMap { $0.split(separator: ":").last }.map { String($0.drop { $0 == " " }) }
    }
}
