import Dispatch
import Platform
import Synchronization

/// Where the signal handler writes; -1 before the first signal is caught.
private let writeEnd = Atomic<Int32>(-1)

/// Where watches read; the pipe is made once and stays, so that a late signal is taken and does nothing.
private let readEnd: Int32 = {
    var ends: [Int32] = [-1, -1]
    let status = unsafe pipe(&ends)
    precondition(status == 0, "no pipe for signals: error \(errno)")
    for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        // A watch that has ended may have taken what another is told of.
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    return ends[0]
}()

/// Signals as calls on a queue instead of interruptions.
///
/// The handler writes into a pipe (Bernstein's self-pipe), so that no signal is lost between the moment a watch is made and the moment
/// the queue first listens; a signal source of Dispatch would lose it. One watch at a time.
package final class SignalWatch {
    private let source: any DispatchSourceRead

    /// The polite requests to end; SIGHUP is that of a terminal which goes away.
    package static let ending = [SIGINT, SIGTERM, SIGHUP]
    /// What a stand is asked by; they end a process that does not take them.
    package static let asking = [SIGUSR1, SIGUSR2]

    /// Calls `handler` on `queue` with each of the signals that comes from now on, or has come since they were caught,
    /// until the watch is released.
    package init(_ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue)
        source.setEventHandler { @Sendable in
            var number: UInt8 = 0
            if unsafe read(readEnd, &number, 1) == 1 { handler(Int32(number)) }
        }
        source.activate()
        Self.catchSignals(signals)
    }

    /// Has signals wait for a watch from now on, whatever they do by default.
    package static func catchSignals(_ signals: [Int32]) {
        // There before the first signal.
        _ = readEnd
        unblock(signals)
        for number in signals {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(writeEnd.load(ordering: .relaxed), &byte, 1)
            }
        }
    }

    /// A process inherits the mask of the thread that made it, and a worker thread of Dispatch has every signal blocked.
    private static func unblock(_ signals: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    deinit {
        source.cancel()
    }

    /// Writing to a closed pipe or past a file's size limit becomes an error to be reported instead of the end of the process.
    package static func ignoreFailingWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }
}
