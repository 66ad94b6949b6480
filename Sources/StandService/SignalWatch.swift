import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the signal handler writes; -1 while nobody watches.
private let writeEnd = Atomic<Int32>(-1)

/// Signals as calls on a queue instead of interruptions.
///
/// The handler writes into a pipe (Bernstein's self-pipe), so that no signal is lost between the moment a watch is made and the moment
/// the queue first listens; a signal source of Dispatch would lose it. One watch at a time.
package final class SignalWatch {
    private let source: any DispatchSourceRead

    /// The polite requests to end; SIGHUP is that of a terminal which goes away.
    package static let ending = [SIGINT, SIGTERM, SIGHUP]

    /// Calls `handler` on `queue` with each of the signals that comes from now on, until the watch is released.
    package init(_ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        let status = unsafe pipe(&ends)
        precondition(status == 0, "no pipe for signals: error \(errno)")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        let readEnd = ends[0]
        source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue)
        source.setEventHandler { @Sendable in
            var number: UInt8 = 0
            if unsafe read(readEnd, &number, 1) == 1 { handler(Int32(number)) }
        }
        source.activate()
        unblock(signals)
        for number in signals {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(writeEnd.load(ordering: .relaxed), &byte, 1)
            }
        }
    }

    /// A process inherits the mask of the thread that made it, and a worker thread of Dispatch has every signal blocked.
    private func unblock(_ signals: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    deinit {
        // The handler stays and the pipe with it: a late signal is taken, and does nothing.
        source.cancel()
    }

    /// Writing to a closed pipe or past a file's size limit becomes an error to be reported instead of the end of the process.
    package static func ignoreFailingWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }
}
