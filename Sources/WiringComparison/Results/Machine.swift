import AllocationCount
import JuiceStand
import Platform
import TextFormats

/// The machine that figures come from.
package struct Machine: Sendable {
    package var system: String
    package var processor: String
    /// Processors that the program may use.
    package var processors: Int
    /// Runnable tasks on average over the last minute when measuring began; nil if the system does not tell.
    package var load: Double?
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
        processors = Int(processorsAllowed())
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
        return isOptimized ? message : "\(message), debug build: figures of speed mean little"
    }

    /// What Linux calls the processor.
    private static func model() -> String? {
        let text: String
        do { text = String(decoding: try readFile("/proc/cpuinfo"), as: UTF8.self) } catch { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line.flatMap { $0.split(separator: ":").last }.map { String($0.drop { $0 == " " }) }
    }
}
