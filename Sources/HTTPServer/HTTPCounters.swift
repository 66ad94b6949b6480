import Synchronization

/// What a server has met with since it began; readable from any thread.
package final class HTTPCounters: Sendable {
    /// Open now.
    package let connections = Atomic(0)
    /// Of those, how many have content that goes on and on.
    package let streams = Atomic(0)
    package let accepted = Atomic(0)
    /// Connections closed at once because there were too many.
    package let turnedAway = Atomic(0)
    /// Times that descriptors or memory ran out on accepting.
    package let exhausted = Atomic(0)
    package let requests = Atomic(0)
    /// Requests refused before any handler saw them.
    package let refusals = Atomic(0)
    /// Connections closed because the client took too long.
    package let timeouts = Atomic(0)
    /// Streams closed because the client read too slowly.
    package let slowReaders = Atomic(0)

    package init() {}
}

extension Atomic<Int> {
    func increment() { add(1, ordering: .relaxed) }
    package var current: Int { load(ordering: .relaxed) }
}
