import JuiceStand
import Platform
import Synchronization

/// Keeps the lines it is given.
package final class LineCollector: LineSink {
    private let bytes = Mutex<[UInt8]>([])

    package init() {}

    package func write(_ lines: RawSpan) {
        bytes.withLock { kept in
            for index in 0..<lines.byteCount {
                kept.append(unsafe lines.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
        }
    }

    package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    package var lines: [String] { text.split(separator: "\n").map(String.init) }
}
