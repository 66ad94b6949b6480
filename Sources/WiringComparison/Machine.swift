import AllocationCount
import JuiceStand
import Platform

/// Where figures come from, so that they are not held against those of another machine.
package struct Machine: Sendable {
    package var system: String
    package var processor: String
    /// Those the program may run on.
    package var processors: Int
    /// Runnable tasks on average over the last minute when measuring began; nil where the system does not say.
    package var load: Double?
    /// Whether the program was compiled for speed; figures of a debug build mean little.
    package var isOptimized: Bool
    /// Whether measuring threads could be kept on one processor.
    package var isPinned = false

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
        var isOptimized = true
        assert(
            {
                isOptimized = false
                return true
            }())
        self.isOptimized = isOptimized
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: unsafe Array(bytes).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// What Linux calls the processor.
    private static func model() -> String? {
        let text: String
        do { text = String(decoding: try readFile("/proc/cpuinfo"), as: UTF8.self) } catch { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line.flatMap { $0.split(separator: ":").last }.map { String($0.drop { $0 == " " }) }
    }
}
