import Dispatch
import Platform

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
        // For other callers that wait.
        hasEnded.signal()
    }
}
