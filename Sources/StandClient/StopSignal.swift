import Platform

/// Ends a wait for good, from any thread.
package final class StopSignal: Sendable {
    let descriptor: Int32
    private let writeEnd: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        let status = unsafe pipe(&ends)
        precondition(status == 0, "no pipe to stop with: error \(errno)")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (descriptor, writeEnd) = (ends[0], ends[1])
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
