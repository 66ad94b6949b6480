import StandService
import Synchronization

/// Whether Ctrl-C or SIGTERM has come.
final class Interruption {
    private let watch: SignalWatch
    private let flag: Flag

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    init() {
        let flag = Flag()
        self.flag = flag
        watch = SignalWatch(SignalWatch.ending, on: .global()) { _ in flag.isSet.store(true, ordering: .relaxed) }
    }

    /// Answers from any thread.
    var hasCome: @Sendable () -> Bool {
        { [flag] in flag.isSet.load(ordering: .relaxed) }
    }
}
