import Synchronization

/// Counts of a server since its start. Readable from any thread.
package final class HTTPCounters: Sendable {
    /// Open connections.
    package let connections = Atomic(0)
    /// Open connections that stream.
    package let streams = Atomic(0)
    package let accepted = Atomic(0)
    /// Connections refused because there were too many.
    package let turnedAway = Atomic(0)
    /// Failures to accept for want of descriptors or memory.
    package let exhausted = Atomic(0)
    package let requests = Atomic(0)
    /// Requests refused before a handler saw them.
    package let refusals = Atomic(0)
    /// Connections closed by a timeout.
    package let timeouts = Atomic(0)
    /// Streams closed because the reader was too slow.
    package let slowReaders = Atomic(0)

    package init() {}
}

extension Atomic<Int> {
    func increment() { add(1, ordering: .relaxed) }
    package var current: Int { load(ordering: .relaxed) }
}
