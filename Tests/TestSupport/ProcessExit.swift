import Foundation
import Platform
import Testing

extension Process {
    /// Waits until the program has ended, and sleeps meanwhile; kills it if that takes longer than `limit`.
    ///
    /// On Linux, Foundation's `waitUntilExit()` spins in a run loop and takes a whole processor from the program.
    package func waitForExit(within limit: DispatchTimeInterval = .seconds(600)) {
        let number = processIdentifier
        // The number can't belong to another process: this one is waited for below, after the watchdog is cancelled.
        let watchdog = DispatchWorkItem {
            Issue.record("process \(number) had not ended after \(limit); killed")
            kill(number, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
        var info = unsafe siginfo_t()
        // WNOWAIT leaves the exit status for Foundation.
        while unsafe waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        watchdog.cancel()
        waitUntilExit()
    }
}
