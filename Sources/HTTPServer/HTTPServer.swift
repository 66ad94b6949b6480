import Dispatch
import Platform

/// A server of HTTP/1.1 with a thread of its own.
package final class HTTPServer: Sendable {
    package let counters: HTTPCounters
    private let inbox: HTTPInbox
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Serves what comes in at some sockets, from now on until ``stop(within:)``.
    ///
    /// - Throws: ``FileError`` where the system has no descriptors left.
    package init(
        _ sockets: [ListeningSocket], _ options: HTTPServerOptions = HTTPServerOptions(),
        counters: HTTPCounters = HTTPCounters(), handler: @escaping HTTPHandler
    ) throws(FileError) {
        self.counters = counters
        let inbox = try HTTPInbox()
        self.inbox = inbox
        let hasBegun = DispatchSemaphore(value: 0)
        let failure = Failure()
        let status = startThread { [counters, hasEnded] in
            do throws(FileError) {
                // Made here, because it belongs to this thread.
                let loop = try HTTPEventLoop(sockets, HTTPContext(handler, options, counters, inbox))
                hasBegun.signal()
                loop.run()
            } catch {
                failure.set(error)
                hasBegun.signal()
            }
            hasEnded.signal()
        }
        guard status == 0 else { throw FileError(path: "thread", reason: unsafe String(cString: strerror(status))) }
        hasBegun.wait()
        if let error = failure.error { throw error }
    }

    /// Why the thread could not begin.
    private final class Failure: Sendable {
        private let state = Guarded<FileError?>(nil)

        var error: FileError? { state.withLock { $0 } }
        func set(_ error: FileError) { state.withLock { $0 = error } }
    }

    /// Asks the bodies of all streams for what is new; from any thread, as often as one likes.
    package func pump() { inbox.wantPump() }

    /// Accepts nothing more, lets answers under way be finished for a while, and returns when all is closed.
    package func stop(within time: Duration) {
        inbox.post(.stop(within: time.nanoseconds))
        hasEnded.wait()
        // For whoever else waits.
        hasEnded.signal()
    }
}
