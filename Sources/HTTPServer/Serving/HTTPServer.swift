import Dispatch
import Platform
import Synchronization

/// An HTTP/1.1 server with a thread of its own.
package final class HTTPServer: Sendable {
    package let counters: HTTPCounters
    private let inbox: HTTPInbox
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Serves the connections of some sockets until ``stop(within:)``.
    ///
    /// - Throws: ``FileError`` if the system has no descriptors or threads left.
    package init(
        _ sockets: [ListeningSocket], _ options: HTTPServerOptions = HTTPServerOptions(),
        counters: HTTPCounters = HTTPCounters(), handler: @escaping HTTPHandler
    ) throws(FileError) {
        self.counters = counters
        let inbox = try HTTPInbox()
        self.inbox = inbox
        let hasBegun = DispatchSemaphore(value: 0)
        // Why the thread could not start.
        let failure = Guarded<FileError?>(nil)
        let status = startThread { [counters, hasEnded] in
            do throws(FileError) {
                // Created here: it is confined to this thread.
                let loop = try HTTPEventLoop(sockets, HTTPContext(handler, options, counters, inbox))
                hasBegun.signal()
                loop.run()
            } catch {
                failure.withLock { $0 = error }
                hasBegun.signal()
            }
            hasEnded.signal()
        }
        guard status == 0 else {
            throw FileError(path: "thread", reason: unsafe String(cString: strerror(status)))
        }
        hasBegun.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Reads new content from the bodies of all streams. From any thread, as often as you like.
    package func pump() { inbox.wantPump() }

    /// Stops accepting, gives responses under way that long to finish, and returns when all is closed.
    package func stop(within time: Duration) {
        inbox.post(.stop(within: time.nanoseconds))
        hasEnded.wait()
        // Wakes the next caller that waits, too.
        hasEnded.signal()
    }
}

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
    /// Requests refused by the server itself, for their syntax, size or slowness.
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
