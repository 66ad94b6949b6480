/// Ends a wait for good, from any thread.
package final class StopSignal: Sendable {
    /// Becomes readable on ``stop()``, so that `poll` returns.
    package let descriptor: Int32
    private let writeEnd: Int32

    package init() {
        let ends = makePipe()
        descriptor = ends.read
        writeEnd = ends.write
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    package func stop() {
        var byte: UInt8 = 0
        _ = unsafe write(writeEnd, &byte, 1)
    }
}
