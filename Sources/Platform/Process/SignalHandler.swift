import Dispatch
import Synchronization

/// The end of the pipe that the signal handler writes to; -1 before the first signal is caught.
private let writeEnd = Atomic<Int32>(-1)

/// The end of the pipe that handlers read. The pipe is created once and stays open, so that a late signal has no
/// effect.
private let readEnd: Int32 = {
    let ends = makePipe()
    for end in [ends.read, ends.write] {
        // Reading must not block: a handler that has ended may have read the byte already.
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writeEnd.store(ends.write, ordering: .sequentiallyConsistent)
    return ends.read
}()

/// Delivers signals as calls on a queue.
///
/// The handler writes into a pipe (Bernstein's self-pipe), so that a signal that arrives before the queue listens is
/// kept. A signal source of Dispatch would lose it. One handler at a time.
package final class SignalHandler {
    private let source: any DispatchSourceRead

    /// The signals that end a program; a terminal that goes away sends SIGHUP.
    package static let ending = [SIGINT, SIGTERM, SIGHUP]
    /// Asks a program to open its files again. By default it ends a process.
    package static let reopening = SIGUSR1

    /// Calls `handler` on `queue` with each signal that arrives, or has arrived since ``catchSignals(_:)``, until the
    /// handler is released.
    package init(_ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue)
        source.setEventHandler { @Sendable in
            var number: UInt8 = 0
            if unsafe read(readEnd, &number, 1) == 1 { handler(Int32(number)) }
        }
        source.activate()
        Self.catchSignals(signals)
    }

    /// Keeps signals for a handler from now on, instead of their default action.
    package static func catchSignals(_ signals: [Int32]) {
        // Creates the pipe before the first signal.
        _ = readEnd
        unblock(signals)
        for number in signals {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(writeEnd.load(ordering: .relaxed), &byte, 1)
            }
        }
    }

    /// A process inherits the signal mask of the thread that started it, and worker threads of Dispatch block every
    /// signal.
    private static func unblock(_ signals: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    deinit { source.cancel() }

    /// Makes a write to a closed pipe or past a size limit an error instead of the end of the process.
    package static func ignoreFailingWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }
}
