import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Signals as calls on a queue instead of interruptions.
package final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    /// The polite requests to end; SIGHUP is that of a terminal which goes away.
    package static let ending = [SIGINT, SIGTERM, SIGHUP]

    /// Calls `handler` on `queue` with each signal that comes from now on, until the watch is released.
    package init(_ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void) {
        sources = signals.map { number in
            // The source sees a signal only if its default action does not end the process first.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in handler(number) }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Writing to a closed pipe becomes an error to be reported instead of the end of the process.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
