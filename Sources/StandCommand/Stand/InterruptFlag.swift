import Platform
import Synchronization

/// Records whether Ctrl-C or SIGTERM was received. From then on, a stalled reader holds up the program only briefly.
final class InterruptFlag {
    private let handler: SignalHandler
    private let flag: Flag

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    init(_ output: Output) {
        let flag = Flag()
        self.flag = flag
        handler = SignalHandler(SignalHandler.ending, on: .global()) { _ in
            flag.isSet.store(true, ordering: .relaxed)
            // A reader that is only slow still gets the whole partial result.
            output.stopWaiting(after: 1000)
        }
    }

    /// Safe to call from any thread.
    var isRaised: @Sendable () -> Bool {
        { [flag] in flag.isSet.load(ordering: .relaxed) }
    }
}
