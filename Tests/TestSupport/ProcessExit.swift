import Foundation
import Platform

extension Process {
    /// Waits until the program has ended, and sleeps meanwhile.
    ///
    /// `waitUntilExit()` of Foundation on Linux runs a run loop that has nothing to wait for, over and over: it takes a whole
    /// processor, of which the program that is waited for may have great need.
    package func waitForExit() {
        var info = unsafe siginfo_t()
        // Only to look, so that Foundation finds what it wants to know afterwards; if it was quicker, there is no such child.
        while unsafe waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        waitUntilExit()
    }
}
